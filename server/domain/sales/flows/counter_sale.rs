//! Orders that staff make for somebody: the same prices, rules and stock as online, paid for when the goods are picked up.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::{Faults, FieldErrors};
use shop_platform::audit::model::Actor;
use utoipa::ToSchema;
use uuid::Uuid;

use super::parts::Payments;
use super::pay::{Outcome, pay};
use super::payment::{Payer, Payment};
use super::quote::{Quote, QuoteRequest, quote};
use crate::cart;
use crate::cart::model::CartItem;
use crate::catalog::service::find_variant;
use crate::sales::records::draft_orders::model::StaffOrderLine;
use crate::sales::records::payments::provider::ProviderName;
use crate::shipping::model::PICKUP;

#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct StaffOrder {
    /// The browser's name for this order: however often it is sent, it is one.
    pub checkout_id: Uuid,
    pub click_id: Uuid,
    pub lines: Vec<StaffOrderLine>,
    #[serde(default)]
    pub email: String,
    #[serde(default)]
    pub phone: String,
    #[serde(default)]
    pub first_name: String,
    #[serde(default)]
    pub last_name: String,
    #[serde(default)]
    pub promo_code: Option<String>,
    /// What it comes to, as the caller saw it. Without it nothing is placed: the answer says what it would come to.
    #[serde(default)]
    pub expected_total: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct StaffOrderOutcome {
    pub quote: Quote,
    /// Of the order, once it is placed.
    pub number: Option<String>,
}

/// Prices an order, and places it when the caller has seen what it comes to.
pub async fn order(
    payments: &Payments,
    actor: &Actor,
    network: String,
    wanted: &StaffOrder,
) -> Result<StaffOrderOutcome, Error> {
    let items = items(payments, &wanted.lines).await?;
    let request = QuoteRequest {
        checkout_id: Some(wanted.checkout_id),
        items: items.clone(),
        promo_code: wanted.promo_code.clone(),
        email: Some(wanted.email.trim().to_owned()),
        state: None,
        postal_code: None,
        shipping_method: Some(PICKUP.to_owned()),
    };
    let mut reader = payments.db.read().await?;
    let quote = quote(payments, &mut reader.conn(), &request).await?.view;
    drop(reader);
    let Some(expected_total) = wanted.expected_total else { return Ok(StaffOrderOutcome { quote, number: None }) };
    let address =
        Address { first_name: wanted.first_name.clone(), last_name: wanted.last_name.clone(), ..Address::default() };
    let payment = Payment {
        checkout_id: wanted.checkout_id,
        click_id: wanted.click_id,
        items,
        promo_code: wanted.promo_code.clone(),
        email: wanted.email.trim().to_owned(),
        phone: wanted.phone.trim().to_owned(),
        address: address.trimmed(),
        shipping_method: PICKUP.to_owned(),
        provider: ProviderName::Pickup,
        source: String::new(),
        expected_total,
    };
    check(&payment)?;
    // Nobody has declared an age: an ID is checked before money or goods change hands.
    let age_proof = json!({ "method": "id_at_pickup" });
    let payer = Payer { user_id: None, age_proof, network, staff: Some(actor.clone()) };
    match pay(payments, &payer, &payment).await? {
        Outcome::Placed { number, .. } => Ok(StaffOrderOutcome { quote, number: Some(number) }),
        Outcome::Pending | Outcome::ToConfirm => {
            Err(Error::internal("an order that is paid for later is not placed at once"))
        }
    }
}

/// What staff have written down, as a cart has it.
pub async fn items(cx: &Context, lines: &[StaffOrderLine]) -> Result<Vec<CartItem>, Error> {
    if lines.is_empty() {
        return Err(Error::invalid("lines", "Add items first."));
    }
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let mut items: Vec<CartItem> = Vec::new();
    for line in lines {
        let sku = line.sku.trim();
        let Some(id) = find_variant(&mut conn, sku).await? else {
            return Err(Error::invalid("lines", &format!("We don’t carry the SKU “{sku}”.")));
        };
        match items.iter_mut().find(|item| item.id == id) {
            Some(item) => item.qty = item.qty.saturating_add(line.quantity),
            None => items.push(CartItem { id, qty: line.quantity, price: None, saved: false }),
        }
    }
    cart::model::check_items("lines", &items)?;
    Ok(items)
}

fn check(payment: &Payment) -> Result<(), Error> {
    let named = payment.address.problems().into_iter().filter(|(field, _)| field.ends_with("_name"));
    let mut faults = Faults::from(named.collect::<FieldErrors>());
    faults.email("email", &payment.email);
    faults.phone("phone", &payment.phone);
    faults.finish()
}
