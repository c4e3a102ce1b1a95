//! A draft order's states, its input from staff, and its promise.

use serde::Deserialize;
use serde_json::{Value, json};
use shop_base::address::Address;
use shop_base::db::stored;
use shop_base::error::Error;
use shop_base::fields::{Faults, tidy_phone, visible};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::cart::model::{CartItem, CartLine, Change, ChangeKind};
use crate::catalog::model::Sellable;
use crate::promotions::model::normalized;
use crate::sales::pricing::Problem;
use crate::shipping::model::PICKUP;

/// For how many whole days a link is valid, after the day on which its prices were fixed.
pub const GOOD_FOR_DAYS: i64 = 7;

const MAX_MESSAGE_CHARS: usize = 1_000;

stored! {
    DraftStatus {
        Open = "open",
        /// It has become an order.
        Placed = "placed",
        Withdrawn = "withdrawn",
    }
}

stored! {
    /// A draft order's state at a point in time.
    DraftState {
        Open = "open",
        /// Not paid in time.
        Expired = "expired",
        Placed = "placed",
        Withdrawn = "withdrawn",
    }
}

impl DraftStatus {
    /// Times are UTC milliseconds.
    pub fn at(self, now: i64, expires_at: i64) -> DraftState {
        match self {
            Self::Open if now < expires_at => DraftState::Open,
            Self::Open => DraftState::Expired,
            Self::Placed => DraftState::Placed,
            Self::Withdrawn => DraftState::Withdrawn,
        }
    }
}

#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct StaffOrderLine {
    pub sku: String,
    pub quantity: i64,
}

/// Input for a draft order.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = DraftTerms)]
pub struct DraftInput {
    pub lines: Vec<StaffOrderLine>,
    /// The customer's account, if there is one.
    #[serde(default)]
    pub user_id: Option<Uuid>,
    #[serde(default)]
    pub email: String,
    #[serde(default)]
    pub phone: String,
    /// A pickup needs only the names.
    #[serde(default)]
    pub address: Address,
    #[serde(default)]
    pub shipping_method: String,
    #[serde(default)]
    pub promo_code: Option<String>,
    /// Included in the email.
    #[serde(default)]
    pub message: String,
    /// The total that the caller saw. If absent, nothing is stored and the answer only contains the quote.
    #[serde(default)]
    pub expected_total: Option<i64>,
    /// Whether to email the link.
    #[serde(default)]
    pub mail: bool,
}

impl DraftInput {
    /// The trimmed input, if nothing is missing or invalid.
    pub fn checked(&self) -> Result<Self, Error> {
        let mut faults = Faults::default();
        let terms = self.trimmed();
        let picks_up = terms.shipping_method == PICKUP;
        for (field, messages) in terms.address.problems() {
            if !picks_up || field.ends_with("_name") {
                messages.into_iter().for_each(|message| faults.say(format!("address.{field}"), message));
            }
        }
        faults.email("email", &terms.email);
        faults.phone("phone", &terms.phone);
        faults.unless(!terms.shipping_method.is_empty(), "shipping_method", "Choose a delivery method.");
        faults.unless(terms.message.chars().count() <= MAX_MESSAGE_CHARS, "message", "Use at most 1,000 characters.");
        let has_control = terms.message.chars().any(|c| c.is_control() && c != '\n');
        faults.unless(!has_control, "message", "Remove control characters.");
        faults.finish()?;
        Ok(terms)
    }

    fn trimmed(&self) -> Self {
        let code = self.promo_code.as_deref().map(normalized);
        let address = self.address.trimmed();
        Self {
            email: visible(&self.email).trim().to_owned(),
            phone: tidy_phone(&self.phone),
            // A pickup order needs no street address.
            address: match self.shipping_method.trim() {
                PICKUP => {
                    Address { first_name: address.first_name, last_name: address.last_name, ..Address::default() }
                }
                _ => address,
            },
            shipping_method: self.shipping_method.trim().to_owned(),
            promo_code: code.filter(|code| !code.is_empty()),
            message: self.message.replace("\r\n", "\n").trim().to_owned(),
            ..self.clone()
        }
    }
}

/// A quantity of a variant at a promised price per unit, in minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromisedLine {
    pub variant_id: Uuid,
    pub quantity: i64,
    pub unit_price: i64,
}

/// What a draft order fixes in its checkout.
#[derive(Clone, Debug)]
pub struct Promise {
    pub state: DraftState,
    /// The customer's account.
    pub user_id: Option<Uuid>,
    pub promo_code: Option<String>,
    pub lines: Vec<PromisedLine>,
}

impl Promise {
    pub fn items(&self) -> Vec<CartItem> {
        let item =
            |line: &PromisedLine| CartItem { id: line.variant_id, qty: line.quantity, price: None, saved: false };
        self.lines.iter().map(item).collect()
    }

    /// Sets the promised prices on the variants.
    pub fn keep(&self, sellable: &mut [Sellable]) {
        for variant in sellable {
            if let Some(line) = self.lines.iter().find(|line| line.variant_id == variant.id) {
                variant.price = line.unit_price;
                variant.compare_at_price = None;
            }
        }
    }

    /// What prevents it from being paid as it was put together. `seen` is what the buyer was shown.
    pub fn problems(&self, seen: &[CartItem], lines: &[CartLine], changes: &[Change]) -> Vec<Problem> {
        let problem = |code: &str, id: Option<Uuid>, message: &str| Problem {
            code: code.to_owned(),
            id,
            message: message.to_owned(),
        };
        match self.state {
            DraftState::Open => {}
            DraftState::Expired => {
                return vec![problem("link_over", None, "This link has expired. Please contact us.")];
            }
            DraftState::Placed => return vec![problem("link_over", None, "This order has already been placed.")],
            DraftState::Withdrawn => {
                return vec![problem("link_over", None, "This link is no longer valid. Please contact us.")];
            }
        }
        let is_seen = |line: &PromisedLine| {
            seen.iter().any(|item| item.id == line.variant_id && item.qty == line.quantity && !item.saved)
        };
        // Without lines, the draft has another checkout by now, or the checkout was made up.
        if self.lines.is_empty() || seen.len() != self.lines.len() || !self.lines.iter().all(is_seen) {
            return vec![problem("changed", None, "We’ve updated this order. Reload the page to see it.")];
        }
        let title = |id: Uuid| lines.iter().find(|line| line.id == id).map(|line| line.title.as_str());
        let said = changes.iter().filter_map(|change| match change.kind {
            ChangeKind::PriceChanged => None,
            ChangeKind::SoldOut => Some(problem(
                "sold_out",
                Some(change.id),
                &format!("“{}” is sold out. Please contact us.", title(change.id).unwrap_or("Something")),
            )),
            ChangeKind::NotEnoughStock => {
                Some(problem("sold_out", Some(change.id), &format!("{} Please contact us.", change.message)))
            }
            ChangeKind::Unavailable => {
                Some(problem("unavailable", None, "An item in this order is no longer available. Please contact us."))
            }
        });
        said.collect()
    }
}

/// The draft's data for the audit log, without personal data.
pub fn recorded(lines: &[PromisedLine], shipping_method: &str, promo_code: Option<&str>, total: i64) -> Value {
    let goods = lines
        .iter()
        .map(|line| json!({ "variant_id": line.variant_id, "quantity": line.quantity, "unit_price": line.unit_price }));
    json!({
        "goods": goods.collect::<Vec<_>>(),
        "shipping_method": shipping_method,
        "promo_code": promo_code,
        "total": total,
    })
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{DraftState, DraftStatus, Promise, PromisedLine};
    use crate::cart::model::{Change, ChangeKind};

    fn promise(state: DraftState) -> Promise {
        let line = PromisedLine { variant_id: Uuid::from_u128(1), quantity: 2, unit_price: 500 };
        Promise { state, user_id: None, promo_code: None, lines: vec![line] }
    }

    #[test]
    fn a_link_is_good_until_its_time() {
        assert_eq!(DraftStatus::Open.at(9, 10), DraftState::Open);
        assert_eq!(DraftStatus::Open.at(10, 10), DraftState::Expired);
        assert_eq!(DraftStatus::Placed.at(11, 10), DraftState::Placed);
        assert_eq!(DraftStatus::Withdrawn.at(9, 10), DraftState::Withdrawn);
    }

    #[test]
    fn only_what_was_shown_can_be_paid() {
        let open = promise(DraftState::Open);
        assert_eq!(open.problems(&open.items(), &[], &[]), []);
        let mut other = open.items();
        other[0].qty = 3;
        assert_eq!(open.problems(&other, &[], &[])[0].code, "changed");
        assert_eq!(open.problems(&[], &[], &[])[0].code, "changed");
        let nothing = Promise { lines: Vec::new(), ..promise(DraftState::Open) };
        assert_eq!(nothing.problems(&[], &[], &[])[0].code, "changed");
        for state in [DraftState::Expired, DraftState::Placed, DraftState::Withdrawn] {
            assert_eq!(promise(state).problems(&open.items(), &[], &[])[0].code, "link_over");
        }
    }

    #[test]
    fn less_stock_than_promised_is_in_the_way_and_another_price_is_not() {
        let open = promise(DraftState::Open);
        let change = |kind| Change { id: Uuid::from_u128(1), kind, message: "Only 1 is left.".to_owned() };
        let codes = |kind| open.problems(&open.items(), &[], &[change(kind)]).len();
        assert_eq!(codes(ChangeKind::PriceChanged), 0);
        for kind in [ChangeKind::SoldOut, ChangeKind::NotEnoughStock, ChangeKind::Unavailable] {
            assert_eq!(codes(kind), 1, "{kind:?}");
        }
    }
}
