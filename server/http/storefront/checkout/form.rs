//! The checkout's form: what a shopper has entered, and how browsers without scripts post it.

use serde::{Deserialize, Serialize};
use shop_base::address::Address;
use shop_domain::cart::model::{CartItem, Edit};
use shop_domain::customers::model::AddressView;
use shop_domain::promotions::model::PromoProblem;
use shop_domain::sales::flows::quote::QuoteRequest;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::shipping::model::PICKUP;
use utoipa::ToSchema;
use uuid::Uuid;

use super::place::PayRequest;
use crate::storefront::cart::edits::promo_edit;

/// The delivery method: shipping or pickup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryWay {
    #[default]
    Ship,
    Pickup,
}

/// What a shopper has entered, not yet validated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckoutForm {
    pub email: String,
    pub phone: String,
    pub first_name: String,
    pub last_name: String,
    pub company: String,
    pub line1: String,
    pub line2: String,
    pub city: String,
    pub state: String,
    pub postal_code: String,
    pub delivery: DeliveryWay,
    /// Code of the chosen shipping option; empty before one was chosen.
    pub method: String,
    pub payment: Option<ProviderName>,
}

impl CheckoutForm {
    pub fn set_address(&mut self, address: Address) {
        self.first_name = address.first_name;
        self.last_name = address.last_name;
        self.company = address.company;
        self.line1 = address.line1;
        self.line2 = address.line2;
        self.city = address.city;
        self.state = address.state;
        self.postal_code = address.postal_code;
    }

    pub fn address(&self) -> Address {
        Address {
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            company: self.company.clone(),
            line1: self.line1.clone(),
            line2: self.line2.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            postal_code: self.postal_code.clone(),
            phone: String::new(),
        }
    }

    pub fn shipping_method(&self) -> &str {
        match self.delivery {
            DeliveryWay::Ship => &self.method,
            DeliveryWay::Pickup => PICKUP,
        }
    }

    /// Whether it has an address for which its page has no fields: while picking up there are only those of the name.
    pub fn hides_place(&self) -> bool {
        let place = [&self.company, &self.line1, &self.line2, &self.city, &self.state, &self.postal_code];
        self.delivery == DeliveryWay::Pickup && place.iter().any(|text| !text.is_empty())
    }

    /// The quote request for what was entered. `checkout_id` is none before anything can be stored of it.
    pub fn quote_request(&self, goods: &Goods, checkout_id: Option<Uuid>) -> QuoteRequest {
        let ships = self.delivery == DeliveryWay::Ship;
        let asks_by_email = goods.is_draft || goods.promo_code.is_some();
        let place = |text: &str| Some(text.trim().to_owned()).filter(|text| ships && !text.is_empty());
        QuoteRequest {
            checkout_id,
            held_by: None,
            items: goods.items.clone(),
            promo_code: goods.promo_code.clone(),
            email: asks_by_email.then(|| self.email.trim().to_owned()),
            state: place(&self.state),
            postal_code: place(&self.postal_code),
            shipping_method: Some(self.shipping_method().to_owned()).filter(|method| !method.is_empty()),
            or_first: false,
        }
    }
}

/// What is bought in a checkout: the cart, or a draft order's goods.
#[derive(Clone, Debug, Default)]
pub struct Goods {
    pub items: Vec<CartItem>,
    pub promo_code: Option<String>,
    pub is_draft: bool,
}

/// The posted form.
#[derive(Debug, Deserialize)]
pub struct PostedForm {
    /// `order` places the order, `apply` and `drop` change the promo code, `quote` only applies one that was entered.
    #[serde(rename = "do", default)]
    act: String,
    code: Option<String>,
    pub checkout_id: Uuid,
    pub click_id: Uuid,
    /// The `sub` of the signed-in user for whom the page was shown; absent for a guest.
    pub user_id: Option<String>,
    /// The total shown to the shopper, in minor units; absent if none was shown yet.
    #[serde(default)]
    expected_total: String,
    /// The subtotal shown with it.
    #[serde(default)]
    expected_subtotal: String,
    /// The number of pieces shown with it.
    #[serde(default)]
    expected_units: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    phone: String,
    #[serde(default)]
    delivery: DeliveryWay,
    #[serde(default)]
    shipping_method: String,
    payment: Option<ProviderName>,
    /// The id of one of the account's addresses, or `new`.
    saved_address: Option<String>,
    #[serde(rename = "address.first_name", default)]
    first_name: String,
    #[serde(rename = "address.last_name", default)]
    last_name: String,
    #[serde(rename = "address.company", default)]
    company: String,
    /// Absent if the page had no fields for an address.
    #[serde(rename = "address.line1")]
    line1: Option<String>,
    #[serde(rename = "address.line2", default)]
    line2: String,
    #[serde(rename = "address.city", default)]
    city: String,
    #[serde(rename = "address.state", default)]
    state: String,
    #[serde(rename = "address.postal_code", default)]
    postal_code: String,
}

impl PostedForm {
    pub fn places_order(&self) -> bool {
        self.act == "order"
    }

    pub fn promo_edit(&self) -> Result<Option<Edit>, PromoProblem> {
        // In the code's field, too, Enter presses the form's first button.
        let has_code = self.code.as_deref().is_some_and(|code| !code.trim().is_empty());
        let act = if self.act == "quote" && has_code { "apply" } else { self.act.as_str() };
        promo_edit(act, self.code.as_deref())
    }

    pub fn expected_total(&self) -> Option<i64> {
        self.expected_total.parse().ok()
    }

    /// Whether the page had neither fields nor a choice for an address, as while picking up.
    pub fn lacks_place(&self) -> bool {
        self.line1.is_none() && self.saved_address.is_none()
    }

    /// The entered values, with the address that was chosen from the account's, or with that of the `kept` form if the page had none.
    pub fn entered(&self, addresses: &[AddressView], kept: Option<CheckoutForm>) -> CheckoutForm {
        let mut form = CheckoutForm {
            email: self.email.clone(),
            phone: self.phone.clone(),
            first_name: self.first_name.clone(),
            last_name: self.last_name.clone(),
            company: self.company.clone(),
            line1: self.line1.clone().unwrap_or_default(),
            line2: self.line2.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            postal_code: self.postal_code.clone(),
            delivery: self.delivery,
            method: self.shipping_method.clone(),
            payment: self.payment,
        };
        let chosen = self.saved_address.as_deref().unwrap_or_default();
        if let Some(saved) = addresses.iter().find(|address| address.id.to_string() == chosen) {
            form.set_address(saved.address());
        } else if let Some(kept) = kept.filter(|_| self.lacks_place()) {
            let (first_name, last_name) = (self.first_name.clone(), self.last_name.clone());
            form.set_address(Address { first_name, last_name, ..kept.address() });
        }
        form
    }
}

/// The payment request of a click on Pay.
pub fn pay_request(posted: &PostedForm, form: &CheckoutForm, goods: &Goods, payment: ProviderName) -> PayRequest {
    PayRequest {
        checkout_id: posted.checkout_id,
        click_id: posted.click_id,
        items: goods.items.clone(),
        promo_code: goods.promo_code.clone(),
        email: form.email.clone(),
        phone: form.phone.clone(),
        address: form.address(),
        shipping_method: form.shipping_method().to_owned(),
        payment_method: payment,
        source_id: String::new(),
        expected_total: posted.expected_total().unwrap_or_default(),
        expected_subtotal: posted.expected_subtotal.parse().ok(),
        expected_units: posted.expected_units.parse().ok(),
        user_id: posted.user_id.clone(),
    }
}
