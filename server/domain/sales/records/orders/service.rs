//! Operations on orders. Each runs inside the caller's transaction, which holds the order's row.

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::ids::new_id;
use shop_platform::audit::model::Subject;
use shop_platform::staff_search::model::Kind;
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::{jobs, staff_search};
use uuid::Uuid;

use super::history::{Event, EventKind};
use super::jobs::SendOrderMail;
use super::model::{OrderNews, new_number};
use super::rows::{Adjustment, Contents, HistoryEntry, Line, Order, TaxLine};
use super::{store, webhook};
use crate::sales::order_links;
use crate::sales::status::{FulfillmentStatus, OrderStatus, PaymentStatus};

impl Order {
    pub fn subject(&self) -> Subject {
        Subject::new("order", self.id, &self.number)
    }

    /// The address of its page, which anyone who knows it can open.
    pub fn href(&self, config: &Config) -> String {
        order_links::href(config, self.id)
    }

    /// Whether its parcels require an adult signature. A buyer who picks up shows an ID instead.
    pub fn needs_signature(&self) -> bool {
        self.adult_signature && !self.picked_up
    }

    /// Whether its parcels require marks: the rules that allowed the order restrict its goods to ground transport.
    pub fn needs_label(&self) -> Result<bool, DbError> {
        Ok(!self.picked_up && self.compliance()?.is_some_and(|decided| decided.ground_only))
    }
}

/// The order of a checkout, created if missing and locked until the transaction ends; and whether it was created. Then it has no rows of
/// others yet, and only this transaction can add some.
pub async fn open(conn: &mut Conn<'_>, cx: &Context, checkout: Uuid) -> Result<(Order, bool), DbError> {
    // With ten million orders, one random number in a hundred thousand is already taken.
    const TRIES: usize = 5;
    let (clock, mut rng) = (cx.clock.as_ref(), StdRng::from_os_rng());
    for _ in 0..TRIES {
        let (id, number) = (new_id(clock), new_number(&mut rng));
        // For links from before a new secret.
        let token = order_links::hashed(&order_links::token(&cx.config, id));
        let is_new = store::insert_draft(conn, id, &number, &token, checkout, clock.now_ms()).await?;
        if let Some(order) = store::lock_checkout(conn, checkout).await? {
            return Ok((order, is_new));
        }
    }
    Err(DbError::Inconsistent("every order number that was tried is taken"))
}

/// Replaces tokens that former releases stored by their hashes.
pub async fn hash_tokens(cx: &Context) -> Result<(), DbError> {
    /// Orders per transaction.
    const AT_ONCE: i64 = 100;
    let (mut after, mut hashed) = (Uuid::nil(), 0);
    loop {
        let found = store::list_readable_tokens(&mut cx.db.read().await?.conn(), after, AT_ONCE).await?;
        let Some((last, _)) = found.last() else { break };
        after = *last;
        let mut tx = cx.db.begin().await?;
        for (order, token) in &found {
            store::set_token(&mut tx.conn(), *order, &order_links::hashed(token)).await?;
        }
        tx.commit().await?;
        hashed += found.len();
    }
    if hashed > 0 {
        tracing::info!(hashed, "tokens of orders were replaced by their hashes");
    }
    Ok(())
}

pub async fn lock(conn: &mut Conn<'_>, order: Uuid) -> Result<Order, DbError> {
    store::lock_order(conn, order).await?.ok_or(DbError::Inconsistent("an attempt's order is gone"))
}

/// Pairs of products that occur in the same orders, in both directions, with the number of those orders. Limited to the newest orders
/// placed since a time (UTC milliseconds), and to pairs with a minimum number of orders.
pub async fn list_bought_together(
    conn: &mut Conn<'_>,
    since: i64,
    orders: i64,
    least: i64,
) -> Result<Vec<(Uuid, Uuid, i64)>, DbError> {
    store::list_bought_together(conn, since, orders, least).await
}

/// Replaces the contents of a draft, which [`open`] has locked. From then on staff find it by them, whatever becomes of it.
pub async fn fill(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    order: &Order,
    is_new: bool,
    contents: &Contents,
) -> Result<(), DbError> {
    store::replace_contents(conn, order.id, is_new, contents, clock.now_ms()).await?;
    let address = Address::stored(&contents.address)?;
    let texts = searched([&order.number, &contents.email, &contents.phone], &address, &contents.lines);
    match is_new {
        true => staff_search::service::add_all(conn, Kind::Order, &[(order.id, texts)]).await,
        false => staff_search::service::put(conn, Kind::Order, order.id, &texts).await,
    }
}

/// Updates the search index entry of an order or unfinished checkout after another change than by [`fill`].
pub async fn index(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    // Otherwise a payment that just does the same would add the same terms.
    let Some(order) = store::lock_order(conn, order).await? else { return Ok(()) };
    let address = order.address()?;
    let lines = store::list_lines(conn, order.id).await?;
    let texts = searched([&order.number, &order.email, &order.phone], &address, &lines);
    staff_search::service::put(conn, Kind::Order, order.id, &texts).await
}

/// By what staff find it: its number, its buyer's email address and phone number, the address's names and phone number, and the SKUs.
fn searched<'a>(of_order: [&'a String; 3], address: &'a Address, lines: &'a [Line]) -> Vec<&'a str> {
    let of_address = [&address.first_name, &address.last_name, &address.company, &address.phone];
    let skus = lines.iter().map(|line| &line.sku);
    of_order.into_iter().chain(of_address).chain(skus).map(String::as_str).collect()
}

/// Emails the buyer once the transaction is committed.
pub async fn write(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid, news: OrderNews) -> Result<(), DbError> {
    jobs::service::add(conn, clock, &SendOrderMail { order, news, again: None }).await
}

/// Whether staff have resent an email, by the entries of a history; `again` names one sending.
pub fn was_resent(history: &[HistoryEntry], news: &OrderNews, again: Option<Uuid>) -> Result<bool, DbError> {
    let resent = list_resent(history, news)?;
    Ok(resent.iter().any(|(_, named)| again.is_none_or(|again| *named == again.to_string())))
}

/// How often staff have resent an email after a time (UTC milliseconds), by the entries of a history.
pub fn count_resent(history: &[HistoryEntry], news: &OrderNews, after: i64) -> Result<usize, DbError> {
    Ok(list_resent(history, news)?.iter().filter(|(at, _)| *at > after).count())
}

/// The jobs by which staff have resent an email, by the entries of a history.
pub fn list_resending(order: Uuid, history: &[HistoryEntry], news: &OrderNews) -> Result<Vec<SendOrderMail>, DbError> {
    let resent = list_resent(history, news)?;
    let jobs = resent.iter().filter_map(|(_, named)| {
        let again: Uuid = named.as_str()?.parse().ok()?;
        Some(SendOrderMail { order, news: news.clone(), again: Some(again) })
    });
    Ok(jobs.collect())
}

/// Records that an email was not sent, and never will be. `by` is who decided that, as in the history; none if nobody did.
pub async fn drop_email(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    email: &SendOrderMail,
    by: Option<&str>,
) -> Result<(), DbError> {
    let data = json!({ "mail": email.news.name(), "again": email.again });
    record(conn, clock, email.order, &Event::new(EventKind::EmailDropped, data).maybe_by(by)).await
}

/// Whether an email was not sent, and never will be, by the entries of a history.
pub fn was_dropped(history: &[HistoryEntry], email: &SendOrderMail) -> Result<bool, DbError> {
    for entry in history.iter().filter(|entry| entry.kind() == Some(EventKind::EmailDropped)) {
        let data: Value = decoded("history", serde_json::from_str(&entry.data))?;
        if data["mail"] == email.news.name() && data["again"] == json!(email.again) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes an email back that waits or was given up. Whether it has not left and never will, as one that was dropped before: one that is being
/// sent, or was without an answer, may have left.
pub async fn take_back(conn: &mut Conn<'_>, history: &[HistoryEntry], email: &SendOrderMail) -> Result<bool, DbError> {
    Ok(jobs::service::take_back(conn, email).await? || was_dropped(history, email)?)
}

/// When an email was resent, with the name of each sending.
fn list_resent(history: &[HistoryEntry], news: &OrderNews) -> Result<Vec<(i64, Value)>, DbError> {
    let mut resent = Vec::new();
    for entry in history.iter().filter(|entry| entry.kind() == Some(EventKind::WrittenAgain)) {
        let mut data: Value = decoded("history", serde_json::from_str(&entry.data))?;
        if data["mail"] == news.name() {
            resent.push((entry.at, data["again"].take()));
        }
    }
    Ok(resent)
}

/// Flags an order for review by staff. An earlier reason stays until somebody clears both.
pub async fn flag_for_review(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid, why: &str) -> Result<(), DbError> {
    let before = find(conn, order).await?.and_then(|order| order.attention);
    let reasons = match before {
        Some(before) if before.contains(why) => before,
        Some(before) => format!("{before} {why}"),
        None => why.to_owned(),
    };
    store::set_attention(conn, order, Some(&reasons), clock.now_ms()).await?;
    // Nobody clears a reason that they have not seen. The same words may tell of something else: another refund that failed.
    store::count_change(conn, order).await?;
    record(conn, clock, order, &Event::new(EventKind::Attention, json!({ "why": why }))).await
}

pub async fn record(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid, event: &Event) -> Result<(), DbError> {
    let entry = HistoryEntry {
        id: new_id(clock),
        at: clock.now_ms(),
        actor: event.actor.clone(),
        kind: event.kind.text().to_owned(),
        data: event.data.to_string(),
        is_public: event.kind.is_public(),
    };
    store::insert_history(conn, order, &entry).await?;
    match webhook::kind(event.kind) {
        Some(kind) => webhook::announce(conn, clock, order, kind, &event.data).await,
        None => Ok(()),
    }
}

pub async fn find_by_checkout(conn: &mut Conn<'_>, checkout: Uuid) -> Result<Option<Order>, DbError> {
    store::find_by_checkout(conn, checkout).await
}

/// What the orders of an account hold that were made since a time, UTC milliseconds, and are not placed yet: checkouts, variants and
/// quantities. Draft orders whose checkout they have now are left out.
pub async fn list_held(conn: &mut Conn<'_>, user: Uuid, since: i64) -> Result<Vec<(Uuid, Uuid, i64)>, DbError> {
    store::list_held(conn, user, since).await
}

pub async fn find(conn: &mut Conn<'_>, order: Uuid) -> Result<Option<Order>, DbError> {
    store::find_order(conn, order).await
}

pub async fn find_by_number(conn: &mut Conn<'_>, number: &str) -> Result<Option<Order>, DbError> {
    // PostgreSQL refuses to compare with a zero byte.
    if !number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Ok(None);
    }
    store::find_by_number(conn, number).await
}

/// An order's lines, by position.
pub async fn list_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Line>, DbError> {
    store::list_lines(conn, order).await
}

/// An order's history, in chronological order.
pub async fn list_history(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<HistoryEntry>, DbError> {
    store::list_history(conn, order).await
}

/// An order's taxes, on its lines and on shipping.
pub async fn list_tax_lines(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<TaxLine>, DbError> {
    store::list_tax_lines(conn, order).await
}

/// An order's discounts by promo codes, on its lines and on shipping.
pub async fn list_adjustments(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<Adjustment>, DbError> {
    store::list_adjustments(conn, order).await
}

/// An order's shipping price after discounts, tax included, and the tax in it. Minor units.
pub async fn shipping_price(conn: &mut Conn<'_>, order: &Order) -> Result<(i64, i64), DbError> {
    let taxes = store::list_tax_lines(conn, order.id).await?;
    Ok(shipping_price_of(order, &taxes, &store::list_adjustments(conn, order.id).await?))
}

/// The same, by all tax lines and adjustments of the order.
pub fn shipping_price_of(order: &Order, taxes: &[TaxLine], adjustments: &[Adjustment]) -> (i64, i64) {
    let tax: i64 = taxes.iter().filter(|tax| tax.line_id.is_none()).map(|tax| tax.amount).sum();
    let off: i64 = adjustments.iter().filter(|each| each.line_id.is_none()).map(|each| each.amount).sum();
    (order.shipping_total - off + tax, tax)
}

/// Stores the fulfillment status derived from what has left.
pub async fn set_fulfillment_status(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    order: Uuid,
    status: FulfillmentStatus,
) -> Result<(), DbError> {
    store::set_fulfillment_status(conn, order, status, clock.now_ms()).await
}

/// Drafts that have not changed since a time, UTC milliseconds.
pub async fn list_abandoned(conn: &mut Conn<'_>, before: i64) -> Result<Vec<Uuid>, DbError> {
    const AT_ONCE: i64 = 200;
    store::list_abandoned(conn, before, AT_ONCE).await
}

/// Whether a draft has not changed since a time, UTC milliseconds.
pub async fn is_abandoned(conn: &mut Conn<'_>, order: Uuid, before: i64) -> Result<bool, DbError> {
    store::is_abandoned(conn, order, before).await
}

/// Stores the payment status derived from the attempts. `attempt` is the number of the newest one that took money: with it, receivers of
/// webhooks tell another payment, after staff have undone one, from the first. An order whose refund was rejected is not paid once more, and
/// what is taken for an order that was canceled meanwhile goes back.
pub async fn set_payment_status(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    order: &Order,
    status: PaymentStatus,
    attempt: Option<i64>,
) -> Result<(), DbError> {
    store::set_payment_status(conn, order.id, status, clock.now_ms()).await?;
    let was_paid = matches!(order.payment_status, PaymentStatus::PartiallyRefunded | PaymentStatus::Refunded);
    if status == PaymentStatus::Paid && !was_paid && order.status != OrderStatus::Canceled {
        let data = json!({ "attempt": attempt });
        webhook::announce(conn, clock, order.id, NotificationKind::OrderPaid, &data).await
    } else {
        Ok(())
    }
}

/// Orders flagged for review: number and reason, the newest first.
pub async fn list_attention(cx: &Context) -> Result<Vec<(String, String)>, DbError> {
    let mut reader = cx.db.read().await?;
    store::list_attention(&mut reader.conn()).await
}
