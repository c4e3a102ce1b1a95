//! A click on Pay: its input, and the order made from it.

use std::collections::HashMap;

use serde_json::json;
use shop_base::address::Address;
use shop_base::context::Context;
use shop_base::ids::new_id;
use shop_platform::audit::model::Actor;
use uuid::Uuid;

use super::quote::{QuoteRequest, Quoted};
use crate::cart::model::CartItem;
use crate::sales::records::orders::rows::{Adjustment, Contents, Line};
use crate::sales::records::payments::provider::ProviderName;
use crate::sales::tax_lines::{Taxed, tax_lines};

/// A click on Pay, with every field validated.
#[derive(Clone, Debug)]
pub struct Payment {
    pub checkout_id: Uuid,
    pub click_id: Uuid,
    pub items: Vec<CartItem>,
    pub promo_code: Option<String>,
    pub email: String,
    pub phone: String,
    pub address: Address,
    pub shipping_method: String,
    pub provider: ProviderName,
    /// The card token of the provider's form.
    pub source: String,
    /// The total that the shopper agreed to, in minor units.
    pub expected_total: i64,
    /// The subtotal that was shown with it; none if nobody was shown one, or by a former release.
    pub expected_subtotal: Option<i64>,
    /// The number of pieces that was shown; none if nobody was shown one, or by a former release.
    pub expected_units: Option<i64>,
}

/// What a page shows that pays, or that asks for the outcome.
#[derive(Clone, Debug)]
pub struct Shown {
    pub click_id: Option<Uuid>,
    /// Minor units.
    pub total: i64,
    /// Variants and their quantities; none if they are not known.
    pub goods: Option<HashMap<Uuid, i64>>,
}

impl Payment {
    pub fn shown(&self) -> Shown {
        let goods = self.items.iter().map(|item| (item.id, item.qty)).collect();
        Shown { click_id: Some(self.click_id), total: self.expected_total, goods: Some(goods) }
    }

    /// The quote request for this payment.
    pub fn request(&self) -> QuoteRequest {
        QuoteRequest {
            checkout_id: Some(self.checkout_id),
            held_by: None,
            items: self.items.clone(),
            promo_code: self.promo_code.clone(),
            email: Some(self.email.clone()),
            state: Some(self.address.state.clone()),
            postal_code: Some(self.address.postal_code.clone()),
            shipping_method: Some(self.shipping_method.clone()),
            or_first: false,
        }
    }
}

/// Who pays.
#[derive(Clone, Debug)]
pub struct Payer {
    pub user_id: Option<Uuid>,
    /// Proof of age, stored with the order.
    pub age_proof: serde_json::Value,
    /// Truncated network address.
    pub network: String,
    /// The staff member who creates the order for a customer.
    pub staff: Option<Actor>,
}

/// Snapshot of what was agreed, stored with the order.
pub fn contents(
    cx: &Context,
    payer: &Payer,
    payment: &Payment,
    quoted: &Quoted,
) -> Result<Contents, serde_json::Error> {
    let clock = cx.clock.as_ref();
    let price = &quoted.price;
    let option = quoted.option.as_ref();
    let mut lines = Vec::new();
    let mut taxed = Vec::new();
    let mut adjustments = Vec::new();
    for ((variant, quantity), line) in quoted.goods.iter().zip(&price.lines) {
        let id = new_id(clock);
        let excise = quoted.decision.as_ref().and_then(|decision| decision.excise(&variant.compliance_class));
        taxed.push(Taxed { line: id, paid: line.subtotal - line.discount, quantity: *quantity, excise });
        if let Some(promo) = quoted.promo.as_ref().filter(|_| line.discount > 0) {
            let (code, label) = (promo.code.clone(), promo.label());
            adjustments.push(Adjustment { id: new_id(clock), line_id: Some(id), code, label, amount: line.discount });
        }
        lines.push(Line {
            id,
            variant_id: Some(variant.id),
            sku: variant.sku.clone(),
            title: variant.title.clone(),
            variant_title: variant.variant_title.clone(),
            href: variant.href.clone(),
            picture: serde_json::to_string(&variant.picture)?,
            compliance_class: variant.compliance_class.clone(),
            weight_grams: variant.weight_grams,
            quantity: *quantity,
            unit_price: variant.price,
            discount: line.discount,
            tax: line.tax,
            total: line.total,
            canceled: 0,
        });
    }
    if let Some(promo) = quoted.promo.as_ref().filter(|_| price.shipping_discount > 0) {
        let (code, label) = (promo.code.clone(), promo.label());
        adjustments.push(Adjustment { id: new_id(clock), line_id: None, code, label, amount: price.shipping_discount });
    }
    let today = cx.today();
    Ok(Contents {
        user_id: payer.user_id.or(quoted.promise.as_ref().and_then(|promise| promise.user_id)),
        email: payment.email.clone(),
        phone: payment.phone.clone(),
        subtotal: price.subtotal,
        discount_total: price.discount,
        shipping_total: price.shipping,
        tax_total: price.tax,
        total: price.total,
        shipping_method: payment.shipping_method.clone(),
        shipping_name: option.map(|option| option.name.clone()).unwrap_or_default(),
        picked_up: option.is_some_and(|option| option.pickup),
        address: serde_json::to_string(&payment.address)?,
        adult_signature: quoted.view.adult_signature,
        compliance: serde_json::to_string(&quoted.decision)?,
        age_proof: json!({ "on": today.to_string(), "proof": payer.age_proof }).to_string(),
        promo_id: quoted.promo.as_ref().map(|promo| promo.id),
        promo_code: quoted.promo.as_ref().map(|promo| promo.code.clone()),
        lines,
        tax_lines: tax_lines(clock, quoted.rate.as_ref(), &taxed, price.shipping - price.shipping_discount),
        adjustments,
    })
}
