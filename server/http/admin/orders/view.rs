//! An order as staff see it: everything, and what they may do with it now.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_domain::sales::flows::archive::may_archive;
use shop_domain::sales::flows::refund::Refundable;
use shop_domain::sales::flows::{make_ready, progress, refund, request_return};
use shop_domain::sales::records::fulfillment::model::{FulfillmentKind, LineProgress};
use shop_domain::sales::records::orders::rows::{Line, Order};
use shop_domain::sales::records::orders::service as orders;
use shop_domain::sales::records::payments::model::{AttemptStatus, RefundStatus, Tender};
use shop_domain::sales::records::payments::proration::LineMoney;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::sales::records::payments::rows::Attempt;
use shop_domain::sales::records::payments::{attempts, refunds};
use shop_domain::sales::records::returns::model::ReturnStatus;
use shop_domain::sales::records::{fulfillment, returns};
use shop_domain::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};
use shop_platform::audit::model::Actor;
use shop_platform::web::page::Picture;
use utoipa::ToSchema;
use uuid::Uuid;

use super::unfinished::story;
use super::unfinished::story::UnfinishedCheckout;
use super::{queries, timeline};
use crate::admin::rights::Permission;

/// Amounts are minor units; times are those of the shop's zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminOrder {
    pub number: String,
    /// Sent with each change.
    pub version: i64,
    pub status: OrderStatus,
    pub payment_status: PaymentStatus,
    pub fulfillment_status: FulfillmentStatus,
    /// Why somebody has to look at it.
    pub attention: Option<String>,
    pub placed_at: Option<String>,
    /// Why it was not placed.
    pub unfinished: Option<UnfinishedCheckout>,
    pub customer: OrderCustomer,
    pub picked_up: bool,
    /// It lies ready in the store.
    pub is_ready: bool,
    pub shipping_name: String,
    pub address: Option<Address>,
    pub adult_signature: bool,
    /// Parcels must bear the marks that their goods call for.
    pub needs_label: bool,
    pub lines: Vec<AdminLine>,
    pub totals: OrderTotals,
    pub attempts: Vec<AttemptView>,
    pub refunds: Vec<RefundView>,
    pub parcels: Vec<ParcelView>,
    pub returns: Vec<ReturnView>,
    pub timeline: Vec<TimelineItem>,
    pub compliance: ComplianceFacts,
    /// Letters that can be written once more.
    pub letters: Vec<LetterView>,
    pub acts: OrderActs,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrderCustomer {
    pub name: String,
    pub email: String,
    pub phone: String,
    /// Null for a guest.
    pub href: Option<String>,
    /// Placed with this account, or with this email address by guests.
    pub orders: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminLine {
    pub id: Uuid,
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub href: String,
    pub picture: Picture,
    pub quantity: i64,
    pub unit_price: i64,
    pub discount: i64,
    pub tax: i64,
    pub total: i64,
    pub canceled: i64,
    /// In parcels, or handed over.
    pub left: i64,
    /// Has still to leave.
    pub open: i64,
    pub refunded: i64,
    /// How many could be announced as coming back.
    pub returnable: i64,
    /// What giving back one, two and more of it comes to.
    pub shares: Vec<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OrderTotals {
    pub subtotal: i64,
    pub discount: i64,
    pub promo_code: Option<String>,
    pub shipping: i64,
    pub tax: i64,
    pub tax_name: Option<String>,
    pub total: i64,
    pub taken: i64,
    pub refunded: i64,
    /// What can still be given back.
    pub left: i64,
    /// Of it for shipping, its tax included.
    pub shipping_left: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AttemptView {
    pub number: i64,
    pub provider: ProviderName,
    pub status: AttemptStatus,
    pub amount: i64,
    pub refunded: i64,
    /// Such as `Visa ending in 1111`, or how it was paid in the store.
    pub with: String,
    pub decline: Option<String>,
    pub at: String,
    pub tender: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RefundView {
    pub id: Uuid,
    pub amount: i64,
    pub status: RefundStatus,
    pub reason: String,
    pub given_as: Option<Tender>,
    pub at: String,
    pub goods: Vec<SomeGoods>,
    pub shipping: i64,
    pub extra: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SomeGoods {
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub quantity: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ParcelView {
    pub id: Uuid,
    pub kind: FulfillmentKind,
    pub carrier: String,
    pub tracking_number: String,
    pub tracking_url: Option<String>,
    pub adult_signature: bool,
    pub label: bool,
    pub at: String,
    pub delivered_at: Option<String>,
    pub goods: Vec<SomeGoods>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReturnView {
    pub id: Uuid,
    pub status: ReturnStatus,
    pub reason: String,
    /// What the buyer was told when it was rejected; may be empty.
    pub message: String,
    pub at: String,
    pub lines: Vec<ReturnLineView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ReturnLineView {
    pub line_id: Uuid,
    pub title: String,
    pub quantity: i64,
    pub restocked: i64,
    pub written_off: i64,
}

/// Something that happened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OrderTimelineItem)]
pub struct TimelineItem {
    pub id: Uuid,
    pub at: String,
    pub who: String,
    pub text: String,
    /// What somebody wrote about it.
    pub note: Option<String>,
    /// The buyer reads it, too.
    pub is_public: bool,
}

/// What allowed the order.
#[derive(Debug, Serialize, ToSchema)]
pub struct ComplianceFacts {
    pub decided_on: Option<String>,
    pub state: Option<String>,
    pub rules: Vec<AppliedRuleView>,
    /// The day on which the age was proved, and how; never more.
    pub age_proved_on: Option<String>,
    pub age_method: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AppliedRuleView {
    pub class: String,
    pub source: String,
}

/// A letter, as the call that sends it again takes it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LetterView {
    pub label: String,
    pub mail: &'static str,
    pub id: Option<Uuid>,
}

/// What whoever asks may do with the order as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderActs {
    pub note: bool,
    pub ship: bool,
    pub take_payment: bool,
    pub make_ready: bool,
    pub hand_over: bool,
    pub deliver: bool,
    pub cancel: bool,
    pub refund: bool,
    /// Refunds are given over the counter.
    pub given_in_store: bool,
    pub change_address: bool,
    pub request_return: bool,
    pub decide_return: bool,
    pub clear_attention: bool,
    pub archive: bool,
}

/// Reads all that the page shows; `None` when there is no such order.
pub async fn read(
    cx: &Context,
    conn: &mut Conn<'_>,
    actor: &Actor,
    number: &str,
) -> Result<Option<AdminOrder>, DbError> {
    let zone = &cx.config.company.time_zone;
    let Some(order) = orders::find_by_number(conn, number).await? else { return Ok(None) };
    let lines = orders::list_lines(conn, order.id).await?;
    let progress = progress::progress(conn, order.id).await?;
    let refundable = refund::refundable(conn, &order).await?;
    let returnable = request_return::returnable(conn, order.id).await?;
    let attempts = attempts::list(conn, order.id).await?;
    let taken = refund::find_captured_attempt(conn, &order).await?;
    let left = match &taken {
        Some(attempt) => refunds::remaining(conn, attempt).await?,
        None => 0,
    };
    let goods = Goods(&lines);
    let refunds = refunds::list(conn, order.id).await?;
    let parcels = fulfillment::service::list(conn, order.id).await?;
    let returns = returns::service::list(conn, order.id).await?;
    let address = order.address()?;
    let is_ready = make_ready::is_ready(conn, order.id).await?;
    let letters = letters(&order, &parcels, &refunds, &returns, is_ready);
    let mut acts = acts(actor, &order, &progress, &returnable, taken.as_ref(), left, &attempts);
    acts.make_ready &= !is_ready;
    let customer = OrderCustomer {
        name: format!("{} {}", address.first_name, address.last_name).trim().to_owned(),
        email: order.email.clone(),
        phone: if order.phone.is_empty() { address.phone.clone() } else { order.phone.clone() },
        href: order.user_id.map(|user| format!("/admin/users/{user}")),
        orders: queries::count_orders_of(conn, &order).await?,
    };
    let unfinished = story::read(conn, cx, &order, &attempts).await?;
    Ok(Some(AdminOrder {
        version: order.version,
        unfinished,
        status: order.status,
        payment_status: order.payment_status,
        fulfillment_status: order.fulfillment_status,
        attention: order.attention.clone(),
        placed_at: order.placed_at.map(|at| local_time(at, zone)),
        customer,
        picked_up: order.picked_up,
        is_ready,
        shipping_name: order.shipping_name.clone(),
        address: (!order.picked_up).then_some(address),
        adult_signature: order.needs_signature(),
        needs_label: order.needs_label()?,
        totals: OrderTotals {
            subtotal: order.subtotal,
            discount: order.discount_total,
            promo_code: order.promo_code.clone(),
            shipping: order.shipping_total,
            tax: order.tax_total,
            tax_name: orders::tax_name(conn, order.id).await?,
            total: order.total,
            taken: attempts.iter().filter(|each| each.status == AttemptStatus::Captured).map(|each| each.amount).sum(),
            refunded: attempts.iter().map(|attempt| attempt.refunded).sum(),
            left,
            shipping_left: (refundable.shipping.gross - refundable.shipping.given).min(left),
        },
        attempts: attempts.iter().map(|attempt| attempt_view(attempt, zone)).collect(),
        refunds: refunds
            .iter()
            .map(|given| RefundView {
                id: given.id,
                amount: given.amount,
                status: given.status,
                reason: given.reason.clone(),
                given_as: given.given_as,
                at: local_time(given.created_at, zone),
                goods: goods.of(given.lines.iter().map(|line| (line.line_id, line.quantity))),
                shipping: given.shipping,
                extra: given.extra,
            })
            .collect(),
        parcels: parcels
            .iter()
            .map(|(parcel, packed)| ParcelView {
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
            })
            .collect(),
        returns: returns
            .iter()
            .map(|(found, announced)| ReturnView {
                id: found.id,
                status: found.status,
                reason: found.reason.clone(),
                message: found.message.clone(),
                at: local_time(found.created_at, zone),
                lines: announced
                    .iter()
                    .map(|line| ReturnLineView {
                        line_id: line.line_id,
                        title: goods.title(line.line_id),
                        quantity: line.quantity,
                        restocked: line.restocked,
                        written_off: line.written_off,
                    })
                    .collect(),
            })
            .collect(),
        timeline: timeline::read(conn, order.id, zone).await?,
        compliance: facts(&order)?,
        letters,
        acts,
        lines: lines
            .into_iter()
            .zip(&progress)
            .map(|(line, progress)| line_view(line, *progress, &refundable, &returnable))
            .collect::<Result<_, _>>()?,
        number: order.number,
    }))
}

/// The lines by which parcels, refunds and returns are read.
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

    fn title(&self, id: Uuid) -> String {
        self.0.iter().find(|line| line.id == id).map(|line| line.title.clone()).unwrap_or_default()
    }
}

fn line_view(
    line: Line,
    progress: LineProgress,
    refundable: &Refundable,
    returnable: &BTreeMap<Uuid, i64>,
) -> Result<AdminLine, DbError> {
    let money = refundable.lines.get(&line.id);
    Ok(AdminLine {
        picture: decoded("picture", serde_json::from_str(&line.picture))?,
        id: line.id,
        title: line.title,
        variant: line.variant_title,
        sku: line.sku,
        href: line.href,
        quantity: line.quantity,
        unit_price: line.unit_price,
        discount: line.discount,
        tax: line.tax,
        total: line.total,
        canceled: line.canceled,
        left: progress.left,
        open: progress.open(),
        refunded: money.map_or(0, |money| money.given.quantity),
        returnable: returnable.get(&line.id).copied().unwrap_or(0),
        shares: money.map(shares).unwrap_or_default(),
    })
}

fn shares(money: &LineMoney) -> Vec<i64> {
    (1..=money.left()).map(|quantity| money.share(quantity).amount).collect()
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
        provider: attempt.provider,
        status: attempt.status,
        amount: attempt.amount,
        refunded: attempt.refunded,
        with,
        decline: attempt.decline_code.clone(),
        at: local_time(attempt.created_at, zone),
        tender: attempt.tender.clone(),
    }
}

fn letters(
    order: &Order,
    parcels: &[(fulfillment::rows::Fulfillment, Vec<fulfillment::rows::Packed>)],
    refunds: &[refunds::RefundWithLines],
    returns: &[(returns::rows::Return, Vec<returns::rows::ReturnLine>)],
    is_ready: bool,
) -> Vec<LetterView> {
    let letter = |label: String, mail, id| LetterView { label, mail, id };
    let mut letters = Vec::new();
    if order.placed_at.is_some() {
        letters.push(letter("Order confirmation".to_owned(), "placed", None));
    }
    if is_ready {
        letters.push(letter("Ready for pickup".to_owned(), "pickup_ready", None));
    }
    for (parcel, _) in parcels.iter().filter(|(parcel, _)| parcel.kind == FulfillmentKind::Parcel) {
        letters.push(letter(format!("Package {}", parcel.tracking_number), "shipped", Some(parcel.id)));
    }
    for given in refunds.iter().filter(|given| given.is_settled()) {
        let amount = shop_base::money::Money::usd(given.amount).dollars();
        letters.push(letter(format!("Refund of {amount}"), "refunded", Some(given.id)));
    }
    for (found, _) in returns {
        if found.status.is_approved() {
            letters.push(letter("Return approved".to_owned(), "return_approved", Some(found.id)));
        }
        if !found.message.is_empty() {
            letters.push(letter("Return rejected".to_owned(), "return_rejected", Some(found.id)));
        }
    }
    if order.status == OrderStatus::Canceled && order.placed_at.is_some() {
        letters.push(letter("Cancellation".to_owned(), "canceled", None));
    }
    letters
}

fn acts(
    actor: &Actor,
    order: &Order,
    progress: &[LineProgress],
    returnable: &BTreeMap<Uuid, i64>,
    taken: Option<&Attempt>,
    left: i64,
    attempts: &[Attempt],
) -> OrderActs {
    let may = |permission: Permission| permission.is_held_by(Some(actor.role));
    let fulfills = may(Permission::FulfillOrders);
    let is_placed = order.status == OrderStatus::Placed;
    let is_open = progress.iter().any(|line| line.open() > 0);
    let is_paid = matches!(order.payment_status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded);
    let is_due = attempts.iter().any(|each| Some(each.id) == order.attempt_id && each.status == AttemptStatus::Due);
    OrderActs {
        note: fulfills,
        ship: fulfills && is_placed && is_open && is_paid && !order.picked_up,
        take_payment: fulfills && is_placed && is_due,
        make_ready: fulfills && is_placed && is_open && order.picked_up,
        hand_over: fulfills && is_placed && is_open && is_paid && order.picked_up,
        deliver: fulfills,
        cancel: may(Permission::Refund) && is_placed && is_open,
        refund: may(Permission::Refund) && left > 0,
        given_in_store: taken.is_some_and(|attempt| attempt.provider == ProviderName::Pickup),
        change_address: fulfills && is_placed && !order.picked_up && progress.iter().all(|line| line.left == 0),
        request_return: fulfills
            && matches!(order.status, OrderStatus::Placed | OrderStatus::Archived)
            && returnable.values().any(|count| *count > 0),
        decide_return: fulfills,
        clear_attention: fulfills && order.attention.is_some(),
        archive: fulfills && may_archive(order),
    }
}

fn facts(order: &Order) -> Result<ComplianceFacts, DbError> {
    let decided = order.compliance()?.unwrap_or_default();
    let proved = order.age_proof()?;
    let rules = decided.rules.into_iter().map(|rule| AppliedRuleView { class: rule.class, source: rule.source });
    Ok(ComplianceFacts {
        decided_on: decided.decided_on,
        state: decided.state,
        rules: rules.collect(),
        age_proved_on: proved.on,
        age_method: proved.proof.method,
    })
}
