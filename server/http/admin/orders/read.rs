//! Reads an order with everything its page shows.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use serde_json::Value;
use shop_base::clock::{local_day, local_time};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::money::Money;
use shop_domain::sales::flows::check_rules::Demands;
use shop_domain::sales::flows::refundable::{Refundable, Shipped, refunded_unsent};
use shop_domain::sales::flows::{
    allowed, check_rules, make_ready, progress, refund, refundable, request_return, undo_fulfillment,
};
use shop_domain::sales::mail::order::{cancellations_told, waits};
use shop_domain::sales::records::fulfillment::model::{FulfillmentKind, LineProgress};
use shop_domain::sales::records::fulfillment::rows::{Fulfillment, Packed};
use shop_domain::sales::records::orders::history::{EventKind, last_done};
use shop_domain::sales::records::orders::rows::{HistoryEntry, Line, Order, TaxLine};
use shop_domain::sales::records::orders::service as orders;
use shop_domain::sales::records::orders::snapshots::{AgeProof, ID_AT_PICKUP};
use shop_domain::sales::records::payments::model::{AttemptStatus, Tender};
use shop_domain::sales::records::payments::proration::LineMoney;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::sales::records::payments::refunds::RefundWithLines;
use shop_domain::sales::records::payments::rows::{Attempt, Refund};
use shop_domain::sales::records::payments::{attempts, refunds};
use shop_domain::sales::records::returns::model::ReturnStatus;
use shop_domain::sales::records::returns::rows::{Return, ReturnLine};
use shop_domain::sales::records::{fulfillment, returns};
use shop_domain::sales::status::OrderStatus;
use shop_domain::tax::model::by_name;
use shop_platform::audit::model::Actor;
use uuid::Uuid;

use super::unfinished::story;
use super::view::{
    AdminLine, AdminOrder, AppliedRuleView, AttemptView, ComplianceFacts, OrderActs, OrderCustomer, OrderTotals,
    ParcelView, RefundView, ReturnLineView, ReturnView, SentMail, SomeGoods,
};
use super::{queries, timeline};
use crate::admin::rights::Permission;

/// The order and its records.
struct Found {
    order: Order,
    lines: Vec<Line>,
    progress: Vec<LineProgress>,
    /// The refundable amounts of each line and of shipping.
    shares: Refundable,
    /// The shipped pieces of each line.
    shipped: BTreeMap<Uuid, Shipped>,
    returnable: BTreeMap<Uuid, i64>,
    attempts: Vec<Attempt>,
    /// The attempt that captured the money.
    taken: Option<Attempt>,
    /// How much of it the buyer's bank has taken back, minor units.
    reclaimed: i64,
    /// How much of it can still be refunded, minor units.
    refundable: i64,
    /// How much of it may be given back by hand although a card was charged, minor units.
    unreplaced: i64,
    /// Whether all of it is refunded, or about to be.
    is_given_back: bool,
    refunds: Vec<RefundWithLines>,
    parcels: Vec<(Fulfillment, Vec<Packed>)>,
    /// Parcels in a delivery report whose month is closed: that they left is no longer undone.
    reported: BTreeSet<Uuid>,
    returns: Vec<(Return, Vec<ReturnLine>)>,
    tax_lines: Vec<TaxLine>,
    history: Vec<HistoryEntry>,
    /// Cancellations of goods of which an email of their own tells.
    cancellations: Vec<(Uuid, Value)>,
    is_ready: bool,
    /// When an ID was last checked in the store, UTC milliseconds.
    id_checked_at: Option<i64>,
}

/// What is not recorded without a check of the ID, and how it is undone.
const ID_CHECKS: [(EventKind, EventKind); 2] =
    [(EventKind::PaidInStore, EventKind::PaymentUndone), (EventKind::HandedOver, EventKind::HandoverUndone)];

impl Found {
    /// Each record is read once.
    async fn read(cx: &Context, conn: &mut Conn<'_>, order: Order) -> Result<Self, DbError> {
        let lines = orders::list_lines(conn, order.id).await?;
        let tax_lines = orders::list_tax_lines(conn, order.id).await?;
        let adjustments = orders::list_adjustments(conn, order.id).await?;
        let history = orders::list_history(conn, order.id).await?;
        let attempts = attempts::list(conn, order.id).await?;
        let (refunds, refund_lines) = refunds::list_rows(conn, order.id).await?;
        let taken = refund::captured_of(&order, &attempts).cloned();
        let reclaimed = match &taken {
            Some(attempt) => refunds::reclaimed(conn, attempt.id).await?,
            None => 0,
        };
        let is_of_taken = |refund: &&Refund| taken.as_ref().is_some_and(|attempt| attempt.id == refund.attempt_id);
        let given: Vec<Refund> = refunds.iter().filter(is_of_taken).cloned().collect();
        let refunds = refunds::with_lines(refunds, &refund_lines);
        let parcels = fulfillment::service::list(conn, order.id).await?;
        let mut reported = BTreeSet::new();
        for (parcel, _) in &parcels {
            if undo_fulfillment::is_in_closed_month(conn, cx, &order, parcel).await? {
                reported.insert(parcel.id);
            }
        }
        let returns = returns::service::list(conn, order.id).await?;
        let progress = progress::progress_of(&lines, parcels.iter().flat_map(|(_, packed)| packed));
        let by_card = taken.as_ref().filter(|attempt| attempt.provider == ProviderName::Square);
        Ok(Self {
            shares: refundable::refundable_of(&order, &lines, &refunds, &tax_lines, &adjustments),
            shipped: refundable::shipped_of(&parcels, &refunds),
            returnable: request_return::returnable_of(&progress, &returns),
            refundable: taken.as_ref().map_or(0, |attempt| refunds::remaining_of(attempt, &given, reclaimed)),
            unreplaced: by_card.map_or(0, |_| refunds::unreplaced_of(&given)),
            is_given_back: taken.as_ref().is_some_and(|attempt| refund::is_given_back_of(attempt, &given)),
            cancellations: cancellations_told(&history)?,
            is_ready: make_ready::ready_at(&history).is_some(),
            id_checked_at: ID_CHECKS.into_iter().filter_map(|(done, undone)| last_done(&history, done, undone)).max(),
            order,
            lines,
            progress,
            attempts,
            taken,
            reclaimed,
            refunds,
            parcels,
            reported,
            returns,
            tax_lines,
            history,
        })
    }
}

/// `None` if the order does not exist.
pub async fn read(
    cx: &Context,
    conn: &mut Conn<'_>,
    actor: &Actor,
    number: &str,
) -> Result<Option<AdminOrder>, DbError> {
    let zone = cx.zone();
    let Some(order) = orders::find_by_number(conn, number).await? else { return Ok(None) };
    let found = Found::read(cx, conn, order).await?;
    let order = &found.order;
    let goods = Goods(&found.lines);
    let is_placed = order.status == OrderStatus::Placed;
    let leaving = if is_placed { check_rules::open(&found.lines, &found.progress) } else { Vec::new() };
    let demands = check_rules::check(cx, conn, order, &leaving).await?;
    Ok(Some(AdminOrder {
        number: order.number.clone(),
        version: order.version,
        unfinished: story::read(conn, cx, order, &found.attempts).await?,
        status: order.status,
        payment_status: order.payment_status,
        fulfillment_status: order.fulfillment_status,
        attention: order.attention.clone(),
        placed_at: order.placed_at.map(|at| local_time(at, zone)),
        customer: customer(conn, order).await?,
        picked_up: order.picked_up,
        is_ready: found.is_ready,
        shipping_name: order.shipping_name.clone(),
        address: if order.picked_up { None } else { Some(order.address()?) },
        forbidden: demands.refusal(),
        adult_signature: demands.signature,
        needs_label: demands.label,
        lines: lines(&found)?,
        totals: totals(&found),
        attempts: found.attempts.iter().map(|attempt| attempt_view(attempt, zone)).collect(),
        refunds: found.refunds.iter().map(|refund| refund_view(refund, &goods, zone)).collect(),
        parcels: parcels(actor, &found, &goods, zone),
        returns: found.returns.iter().map(|(found, lines)| return_view(found, lines, &goods, zone)).collect(),
        timeline: timeline::read(conn, &found.history, zone).await?,
        compliance: facts(&found, zone)?,
        emails: emails(&found, &demands),
        acts: acts(actor, &found),
    }))
}

async fn customer(conn: &mut Conn<'_>, order: &Order) -> Result<OrderCustomer, DbError> {
    let address = order.address()?;
    Ok(OrderCustomer {
        name: address.full_name(),
        email: order.email.clone(),
        phone: if order.phone.is_empty() { address.phone } else { order.phone.clone() },
        href: order.user_id.map(|user| format!("/admin/users/{user}")),
        orders: queries::count_orders_of(conn, order).await?,
    })
}

fn totals(found: &Found) -> OrderTotals {
    let Found { order, attempts, shares, refundable, unreplaced, reclaimed, tax_lines, .. } = found;
    let captured = attempts.iter().filter(|each| each.status == AttemptStatus::Captured);
    OrderTotals {
        subtotal: order.subtotal,
        discount: order.discount_total,
        promo_code: order.promo_code.clone(),
        shipping: order.shipping_total,
        tax: order.tax_total,
        taxes: by_name(tax_lines.iter().map(|tax| (tax.name.as_str(), tax.amount))),
        total: order.total,
        taken: captured.map(|each| each.amount).sum(),
        refunded: attempts.iter().map(|attempt| attempt.refunded).sum(),
        reclaimed: *reclaimed,
        refundable: *refundable,
        shipping_refundable: shares.shipping.remaining().min(*refundable),
        by_hand_refundable: (*unreplaced).min(*refundable),
    }
}

fn lines(found: &Found) -> Result<Vec<AdminLine>, DbError> {
    found.lines.iter().zip(&found.progress).map(|(line, progress)| line_view(found, line, progress)).collect()
}

/// The order's lines, to look up those that parcels, refunds and returns refer to.
struct Goods<'a>(&'a [Line]);

impl Goods<'_> {
    fn of(&self, chosen: impl Iterator<Item = (Uuid, i64)>) -> Vec<SomeGoods> {
        chosen
            .filter_map(|(id, quantity)| {
                let line = self.0.iter().find(|line| line.id == id)?;
                let (title, variant, sku) = (line.title.clone(), line.variant_title.clone(), line.sku.clone());
                Some(SomeGoods { title, variant, sku, quantity })
            })
            .collect()
    }

    /// Title and variant: a return may hold several variants of a product.
    fn name(&self, id: Uuid) -> String {
        let Some(line) = self.0.iter().find(|line| line.id == id) else { return String::new() };
        if line.variant_title.is_empty() {
            return line.title.clone();
        }
        format!("{}, {}", line.title, line.variant_title)
    }
}

fn line_view(found: &Found, line: &Line, progress: &LineProgress) -> Result<AdminLine, DbError> {
    let Found { order, shares, shipped, returnable, .. } = found;
    let money = shares.lines.get(&line.id);
    let open = if order.status == OrderStatus::Canceled { 0 } else { progress.open() };
    let refunded = money.map_or(0, |money| money.given.quantity);
    Ok(AdminLine {
        picture: decoded("picture", serde_json::from_str(&line.picture))?,
        id: line.id,
        title: line.title.clone(),
        variant: line.variant_title.clone(),
        sku: line.sku.clone(),
        href: line.href.clone(),
        quantity: line.quantity,
        unit_price: line.unit_price,
        discount: line.discount,
        tax: line.tax,
        total: line.total,
        canceled: line.canceled_in(order.status),
        shipped: progress.shipped,
        open,
        refunded,
        refunded_unsent: refunded_unsent(refunded, progress.canceled, shipped.get(&line.id)).min(open),
        returnable: returnable.get(&line.id).copied().unwrap_or(0),
        shares: money.map(amounts).unwrap_or_default(),
    })
}

/// The refund amounts for one unit, two units and so on.
fn amounts(money: &LineMoney) -> Vec<i64> {
    (1..=money.remaining()).map(|quantity| money.share(quantity).amount).collect()
}

fn attempt_view(attempt: &Attempt, zone: &TimeZone) -> AttemptView {
    let tender = attempt.tender.as_deref().and_then(|text| text.parse::<Tender>().ok());
    let with = match (attempt.provider, tender, attempt.card_brand.as_ref().zip(attempt.card_last_4.as_ref())) {
        (ProviderName::Pickup, Some(tender), _) => format!("In store, {}", tender.words()),
        (ProviderName::Pickup, None, _) => "In store, at pickup".to_owned(),
        (ProviderName::Square, _, Some((brand, last_4))) => format!("{brand} ending in {last_4}"),
        (ProviderName::Square, _, None) => "Card".to_owned(),
    };
    AttemptView {
        number: attempt.number,
        status: attempt.status,
        amount: attempt.amount,
        with,
        decline: attempt.decline_code.clone(),
        at: local_time(attempt.created_at, zone),
    }
}

fn refund_view(refund: &RefundWithLines, goods: &Goods<'_>, zone: &TimeZone) -> RefundView {
    RefundView {
        id: refund.id,
        amount: refund.amount,
        status: refund.status,
        reason: refund.reason.clone(),
        given_as: refund.given_as,
        at: local_time(refund.created_at, zone),
        goods: goods.of(refund.lines.iter().map(|line| (line.line_id, line.quantity))),
        shipping: refund.shipping,
        extra: refund.extra,
    }
}

fn parcels(actor: &Actor, found: &Found, goods: &Goods<'_>, zone: &TimeZone) -> Vec<ParcelView> {
    let Found { order, parcels, reported, returnable, .. } = found;
    let fulfills = Permission::FulfillOrders.is_held_by(Some(actor.role));
    let view = |(parcel, packed): &(Fulfillment, Vec<Packed>)| {
        let may_undo = fulfills
            && !reported.contains(&parcel.id)
            && allowed::undo_fulfillment(order, parcel, packed, returnable).is_ok();
        parcel_view(parcel, packed, may_undo, goods, zone)
    };
    parcels.iter().map(view).collect()
}

fn parcel_view(
    parcel: &Fulfillment,
    packed: &[Packed],
    may_undo: bool,
    goods: &Goods<'_>,
    zone: &TimeZone,
) -> ParcelView {
    ParcelView {
        id: parcel.id,
        kind: parcel.kind,
        carrier: parcel.carrier.clone(),
        tracking_number: parcel.tracking_number.clone(),
        tracking_url: parcel.tracking_link(),
        adult_signature: parcel.adult_signature,
        label: parcel.label,
        at: local_time(parcel.shipped_at, zone),
        delivered_at: parcel.delivered_at.map(|at| local_time(at, zone)),
        goods: goods.of(packed.iter().map(|line| (line.line_id, line.quantity))),
        may_undo,
    }
}

fn return_view(found: &Return, lines: &[ReturnLine], goods: &Goods<'_>, zone: &TimeZone) -> ReturnView {
    let line_view = |line: &ReturnLine| ReturnLineView {
        line_id: line.line_id,
        title: goods.name(line.line_id),
        quantity: line.quantity,
        restocked: line.restocked,
        written_off: line.written_off,
    };
    ReturnView {
        id: found.id,
        status: found.status,
        closed: found.is_closed(),
        reason: found.reason.clone(),
        message: found.message.clone(),
        at: local_time(found.created_at, zone),
        lines: lines.iter().map(line_view).collect(),
    }
}

fn emails(found: &Found, demands: &Demands) -> Vec<SentMail> {
    let Found { order, parcels, refunds, returns, cancellations, is_ready, is_given_back, .. } = found;
    let email = |label: String, mail, id| SentMail { label, mail, id };
    let mut emails = Vec::new();
    // The buyer’s account was erased.
    if order.email.is_empty() {
        return emails;
    }
    if order.placed_at.is_some() {
        emails.push(email("Order confirmation".to_owned(), "placed", None));
    }
    let may_be_called = allowed::call_for_pickup(order, *is_given_back).is_ok() && demands.refusal().is_none();
    if *is_ready && waits(order.status, order.fulfillment_status) && may_be_called {
        emails.push(email("Ready for pickup".to_owned(), "pickup_ready", None));
    }
    for (parcel, _) in parcels.iter().filter(|(parcel, _)| parcel.kind == FulfillmentKind::Parcel) {
        emails.push(email(format!("Package {}", parcel.tracking_number), "shipped", Some(parcel.id)));
    }
    for given in refunds.iter().filter(|given| given.is_settled()) {
        let amount = Money::usd(given.amount).dollars();
        emails.push(email(format!("Refund of {amount}"), "refunded", Some(given.id)));
    }
    for (id, data) in cancellations {
        emails.push(email(format!("Items canceled{}", timeline::goods(data)), "goods_canceled", Some(*id)));
    }
    for (found, _) in returns {
        if found.status == ReturnStatus::Approved {
            emails.push(email("Return approved".to_owned(), "return_approved", Some(found.id)));
        }
        if !found.message.is_empty() {
            emails.push(email("Return rejected".to_owned(), "return_rejected", Some(found.id)));
        }
    }
    if order.status == OrderStatus::Canceled && order.placed_at.is_some() {
        emails.push(email("Cancellation".to_owned(), "canceled", None));
    }
    emails
}

/// The actions that the admin area offers: those that the flows would accept.
fn acts(actor: &Actor, found: &Found) -> OrderActs {
    let Found { order, progress, returnable, taken, refundable, is_given_back, attempts, returns, is_ready, .. } =
        found;
    let may = |permission: Permission| permission.is_held_by(Some(actor.role));
    let fulfills = may(Permission::FulfillOrders);
    OrderActs {
        note: fulfills,
        ship: fulfills && allowed::ship(order, progress, *is_given_back).is_ok(),
        take_payment: fulfills && allowed::take_payment(order, attempts).is_ok(),
        undo_payment: may(Permission::Refund) && allowed::undo_payment(order, attempts, progress).is_ok(),
        make_ready: fulfills && allowed::make_ready(order, progress, *is_ready, *is_given_back).is_ok(),
        undo_ready: fulfills && allowed::undo_ready(order, progress, *is_ready).is_ok(),
        hand_over: fulfills && allowed::hand_over(order, progress, *is_given_back).is_ok(),
        confirm_rules: fulfills && may(Permission::EditSettings),
        deliver: fulfills,
        cancel: may(Permission::Refund) && allowed::cancel(order, progress).is_ok(),
        refund: may(Permission::Refund) && *refundable > 0,
        given_in_store: taken.as_ref().is_some_and(|attempt| attempt.provider == ProviderName::Pickup),
        change_address: fulfills && allowed::change_address(order, progress).is_ok(),
        request_return: fulfills
            && allowed::request_return(order).is_ok()
            && returnable.values().any(|count| *count > 0),
        decide_return: fulfills,
        clear_attention: fulfills && order.attention.is_some(),
        archive: fulfills && allowed::archive(order, returns).is_ok(),
    }
}

fn facts(found: &Found, zone: &TimeZone) -> Result<ComplianceFacts, DbError> {
    let decided = found.order.compliance()?.unwrap_or_default();
    let AgeProof { on, proof } = found.order.age_proof()?;
    let is_declared = proof.method.as_deref() != Some(ID_AT_PICKUP);
    let rules = decided.rules.into_iter().map(|rule| AppliedRuleView { class: rule.class, source: rule.source });
    Ok(ComplianceFacts {
        decided_on: decided.decided_on,
        state: decided.state,
        rules: rules.collect(),
        age_proved_on: proof.verified_at.map(|at| local_day(at, zone)).or(on).filter(|_| is_declared),
        age_method: proof.method,
        id_checked_on: found.id_checked_at.map(|at| local_day(at, zone)),
    })
}
