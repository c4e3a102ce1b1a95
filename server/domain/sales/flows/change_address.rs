//! Changes an order's delivery address before any of it has shipped.

use serde::Deserialize;
use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_base::money::Money;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use utoipa::ToSchema;

use super::allowed;
use super::check_rules::{Classed, NOBODY_SIGNS, classed};
use super::progress::progress;
use super::quote::PACKAGING;
use crate::compliance::model::{Decision, Delivery};
use crate::compliance::service::decide_for;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::rows::{Line, Order, TaxLine};
use crate::sales::records::orders::{service as orders, store};
use crate::sales::tax_lines::{Taxed, tax_lines};
use crate::shipping::model::Parcel;
use crate::shipping::service::list_options;
use crate::tax;

/// The new delivery address.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewDestination {
    /// The order version that the caller saw.
    pub version: i64,
    pub address: Address,
}

/// Changes the delivery address. Because the buyer has paid, rules, tax and shipping must come to the same result at
/// the new address; within a ZIP code they stay as they were.
pub async fn change(cx: &Context, number: &str, actor: &Actor, wanted: &NewDestination) -> Result<(), Error> {
    let address = wanted.address.checked().map_err(|problems| Error::Invalid { errors: named(problems) })?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, wanted.version).await?;
    allowed::change_address(&order, &progress(&mut conn, order.id).await?)?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    let before = order.address()?;
    let fields = differing(&before, &address);
    if fields.is_empty() {
        return Ok(());
    }
    let json = serde_json::to_string(&address).map_err(Error::internal)?;
    if is_same_place(&before, &address) {
        // Rules and prices that have changed since do not keep anybody from correcting a street.
        reachable(order.adult_signature, &address)?;
        store::set_address(&mut conn, order.id, &json, order.adult_signature, &order.compliance).await?;
    } else {
        let decision = sellable_there(cx, &mut conn, &lines, &address).await?;
        same_shipping(cx, &mut conn, &order, &lines, &address, &decision).await?;
        let taxes = same_taxes(cx, &mut conn, &order, &lines, &address, &decision).await?;
        let compliance = serde_json::to_string(&decision).map_err(Error::internal)?;
        store::set_address(&mut conn, order.id, &json, decision.adult_signature, &compliance).await?;
        store::replace_tax_lines(&mut conn, order.id, &taxes).await?;
    }
    orders::index(&mut conn, order.id).await?;
    let event = Event::new(EventKind::AddressChanged, json!({ "fields": fields })).by(&actor.label());
    orders::record(&mut conn, clock, order.id, &event).await?;
    // Field names only, not their values: personal data stays out of the log.
    let change =
        Change::new("order.change_address", order.subject(), json!({ "fields": fields, "state": address.state }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Field names as the form uses them.
fn named(problems: FieldErrors) -> FieldErrors {
    problems.into_iter().map(|(field, messages)| (format!("address.{field}"), messages)).collect()
}

fn differing(before: &Address, after: &Address) -> Vec<String> {
    let fields = |address: &Address| serde_json::to_value(address).unwrap_or_default();
    let (before, after) = (fields(before), fields(after));
    let Value::Object(after) = after else { return Vec::new() };
    after.into_iter().filter(|(name, value)| before.get(name) != Some(value)).map(|(name, _)| name).collect()
}

/// The compliance decision for these goods at the new address under today's rules, or an error if they are refused.
async fn sellable_there(
    cx: &Context,
    conn: &mut Conn<'_>,
    lines: &[Line],
    address: &Address,
) -> Result<Decision, Error> {
    let today = cx.today();
    let goods = classed(conn, &open(lines).collect::<Vec<_>>()).await?;
    let classes: Vec<&str> = goods.iter().flat_map(Classed::classes).collect();
    let decision = decide_for(conn, &classes, &address.state, Delivery::Ship, today).await?;
    // What is shipped was paid for online or cost nothing. What must be paid for in the store is not shipped in either case.
    if let Some(refusal) = decision.refusals.iter().chain(&decision.store_only).next() {
        return Err(Error::invalid("address.state", &refusal.message));
    }
    reachable(decision.adult_signature, address)?;
    Ok(decision)
}

/// Whether rules, zone and taxes of an address are those of another.
fn is_same_place(before: &Address, after: &Address) -> bool {
    let five = |address: &Address| address.postal_code.get(..5).map(str::to_owned);
    before.state == after.state && five(before) == five(after)
}

fn reachable(adult_signature: bool, address: &Address) -> Result<(), Error> {
    if adult_signature && address.is_po_box() {
        return Err(Error::invalid("address.line1", NOBODY_SIGNS));
    }
    Ok(())
}

/// The lines that are not fully canceled.
fn open(lines: &[Line]) -> impl Iterator<Item = &Line> {
    lines.iter().filter(|line| line.canceled < line.quantity)
}

async fn same_shipping(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    lines: &[Line],
    address: &Address,
    decision: &Decision,
) -> Result<(), Error> {
    // Shipping was paid for what has been canceled since, too: for its weight, and for its signature if it needed one.
    let grams = lines.iter().map(|line| line.weight_grams * line.quantity).sum::<i64>() + PACKAGING;
    let classes: Vec<&str> = lines.iter().map(|line| line.compliance_class.as_str()).collect();
    let of_all = decide_for(conn, &classes, &address.state, Delivery::Ship, cx.today()).await?;
    let parcel = Parcel {
        state: &address.state,
        grams,
        adult_signature: decision.adult_signature,
        ground_only: decision.ground_only,
    };
    let signed = Parcel { adult_signature: decision.adult_signature || of_all.adult_signature, ..parcel };
    let (price, signed_price) = (price_of(conn, order, parcel).await?, price_of(conn, order, signed).await?);
    let (gross, tax) = orders::shipping_price(conn, order).await?;
    let paid = gross - tax;
    // A promo code takes off all of the shipping or nothing, wherever it goes.
    let is_free = paid < order.shipping_total;
    if !is_free && paid == signed_price {
        return Ok(());
    }
    same("Shipping", paid, if is_free { 0 } else { price })
}

/// The price of a parcel by the order's shipping method.
async fn price_of(conn: &mut Conn<'_>, order: &Order, parcel: Parcel<'_>) -> Result<i64, Error> {
    let options = list_options(conn, Some(parcel)).await?;
    let Some(option) = options.into_iter().find(|option| option.code == order.shipping_method) else {
        let message = format!("“{}” can’t ship there.", order.shipping_name);
        return Err(Error::conflict("price_changes", &message));
    };
    Ok(option.price)
}

/// The order's taxes at the new address. Their names may differ, but the sum for each line and for shipping must equal what was paid.
async fn same_taxes(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    lines: &[Line],
    address: &Address,
    decision: &Decision,
) -> Result<Vec<TaxLine>, Error> {
    let clock = cx.clock.as_ref();
    let today = cx.today();
    let five = address.postal_code.get(..5).unwrap_or_default();
    let rate = tax::service::find_rate(conn, &cx.config.company, &address.state, five, today).await?;
    let taxed: Vec<Taxed<'_>> = open(lines)
        .map(|line| Taxed {
            line: line.id,
            paid: line.total - line.tax,
            quantity: line.quantity,
            excise: decision.excise(&line.compliance_class),
        })
        .collect();
    let (shipping, shipping_tax) = orders::shipping_price(conn, order).await?;
    let taxes = tax_lines(clock, rate.as_ref(), &taxed, shipping - shipping_tax);
    let now = |line| taxes.iter().filter(|tax| tax.line_id == line).map(|tax| tax.amount).sum();
    for line in open(lines) {
        same(&format!("Tax on “{}”", line.title), line.tax, now(Some(line.id)))?;
    }
    same("Tax on shipping", shipping_tax, now(None))?;
    Ok(taxes)
}

fn same(what: &str, paid: i64, now: i64) -> Result<(), Error> {
    if paid == now {
        return Ok(());
    }
    let (paid, now) = (Money::usd(paid).dollars(), Money::usd(now).dollars());
    let message = format!(
        "{what} to that address is {now}, but the customer paid {paid}. Cancel this order and place a new one instead."
    );
    Err(Error::conflict("price_changes", &message))
}
