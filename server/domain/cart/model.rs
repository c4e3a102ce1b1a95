//! The contents of a cart, and how conflicting changes of two devices are merged.

use serde::{Deserialize, Serialize};
use shop_base::error::Error;
use shop_base::money::Money;
use shop_platform::web::page::Picture;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::catalog::model::{Availability, MAX_QUANTITY, Sellable};

/// The maximum number of lines in a cart.
pub const MAX_LINES: usize = 100;

/// A line as sent by a device. Additional fields are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub struct CartItem {
    /// The variant's id.
    pub id: Uuid,
    pub qty: i64,
    /// The price that the shopper saw, in minor units.
    #[serde(default)]
    pub price: Option<i64>,
    /// Saved for later.
    #[serde(default)]
    pub saved: bool,
}

/// The stored contents of a cart, without current prices and stock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    pub items: Vec<CartItem>,
    pub promo_code: Option<String>,
}

/// An edit made with a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Adds a quantity of a variant.
    Add {
        id: Uuid,
        qty: i64,
    },
    /// Above 0 sets the quantity, exactly 0 removes the line, anything else is ignored.
    SetQuantity {
        id: Uuid,
        qty: i64,
    },
    /// Saves a line for later, or moves it back into the cart.
    SetSaved {
        id: Uuid,
        saved: bool,
    },
    SetPromoCode(Option<String>),
}

impl Edit {
    /// The variant concerned.
    pub fn subject(&self) -> Option<Uuid> {
        match self {
            Self::Add { id, .. } | Self::SetQuantity { id, .. } | Self::SetSaved { id, .. } => Some(*id),
            Self::SetPromoCode(_) => None,
        }
    }
}

impl Contents {
    /// Applies an edit. Stock limits are checked later by [`check`].
    pub fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Add { id, qty } => match self.items.iter_mut().find(|item| item.id == *id) {
                Some(item) => {
                    item.qty = item.qty.saturating_add(*qty);
                    item.saved = false;
                }
                None => self.items.push(CartItem { id: *id, qty: *qty, price: None, saved: false }),
            },
            Edit::SetQuantity { id, qty: 0 } => self.items.retain(|item| item.id != *id),
            Edit::SetQuantity { qty: ..0, .. } => {}
            Edit::SetQuantity { id, qty } => {
                self.items.iter_mut().filter(|item| item.id == *id).for_each(|item| item.qty = *qty)
            }
            Edit::SetSaved { id, saved } => {
                self.items.iter_mut().filter(|item| item.id == *id).for_each(|item| item.saved = *saved);
            }
            Edit::SetPromoCode(code) => self.promo_code.clone_from(code),
        }
    }

    /// Removes bought quantities; lines saved for later stay.
    pub fn remove_bought(&mut self, bought: impl IntoIterator<Item = (Uuid, i64)>) {
        for (id, quantity) in bought {
            for item in self.items.iter_mut().filter(|item| item.id == id && !item.saved) {
                item.qty -= quantity;
            }
        }
        self.items.retain(|item| item.qty > 0);
    }

    /// The lines that are not saved for later.
    pub fn buying(&self) -> Vec<CartItem> {
        self.items.iter().filter(|item| !item.saved).cloned().collect()
    }
}

impl CartItem {
    fn is_like(&self, other: &Self) -> bool {
        self.qty == other.qty && self.saved == other.saved
    }
}

/// A line as sent by the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CartLine {
    pub id: Uuid,
    /// The current price, in minor units.
    pub price: i64,
    pub qty: i64,
    pub title: String,
    pub variant: String,
    pub sku: String,
    pub href: String,
    pub picture: Picture,
    /// The maximum quantity; 0 if sold out.
    pub max_quantity: i64,
    pub compare_at_price: Option<i64>,
    pub saved: bool,
    pub availability: Availability,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    PriceChanged,
    NotEnoughStock,
    SoldOut,
    /// No longer sold.
    Unavailable,
}

/// Something that has changed since the shopper saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = CartChange)]
pub struct Change {
    pub id: Uuid,
    pub kind: ChangeKind,
    /// A message for the shopper, including the product's name.
    pub message: String,
}

/// The cart of a signed-in shopper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Cart {
    pub items: Vec<CartLine>,
    /// UTC milliseconds; increases with every change.
    pub updated_at: i64,
    pub promo_code: Option<String>,
    pub changes: Vec<Change>,
}

/// Merges the server's lines with a device's. `base` is what the device was last sent, on which its changes are based; a guest's cart has
/// none, and then nothing is lost from either side or counted twice. What does not fit in the cart is left out of the device's new lines.
pub fn merge(server: &[CartItem], device: &[CartItem], base: Option<&[CartItem]>) -> Vec<CartItem> {
    let mut merged: Vec<CartItem> = in_order(server, device)
        .into_iter()
        .filter_map(|item| {
            let (server, device) = (find(server, item.id), find(device, item.id));
            match base {
                None => join(server, device),
                Some(base) => match (server, device, find(base, item.id)) {
                    (server, Some(mine), Some(told)) if mine.is_like(told) => server.cloned(),
                    (server, None, None) => server.cloned(),
                    (Some(_), Some(_), None) => join(server, device),
                    (_, device, _) => device.cloned(),
                },
            }
        })
        .collect();
    while merged.len() > MAX_LINES
        && let Some(at) = merged.iter().rposition(|item| find(server, item.id).is_none())
    {
        merged.remove(at);
    }
    merged
}

/// The server's lines, and the device's new ones, each after the line that it follows there: one whose removal was undone is where it was.
fn in_order<'a>(server: &'a [CartItem], device: &'a [CartItem]) -> Vec<&'a CartItem> {
    let mut lines: Vec<&CartItem> = server.iter().collect();
    let mut before = None;
    for item in device {
        if find(server, item.id).is_none() {
            let at = match before {
                Some(before) => position(&lines, before).map(|at| at + 1),
                None => device.iter().find_map(|after| position(&lines, after.id)),
            };
            lines.insert(at.unwrap_or(lines.len()), item);
        }
        before = Some(item.id);
    }
    lines
}

fn position(lines: &[&CartItem], id: Uuid) -> Option<usize> {
    lines.iter().position(|line| line.id == id)
}

fn find(items: &[CartItem], id: Uuid) -> Option<&CartItem> {
    items.iter().find(|item| item.id == id)
}

/// Takes the larger quantity; a line is saved for later only if it is on both sides.
fn join(a: Option<&CartItem>, b: Option<&CartItem>) -> Option<CartItem> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let price = b.price.or(a.price);
            Some(CartItem { id: a.id, qty: a.qty.max(b.qty), price, saved: a.saved && b.saved })
        }
        (a, b) => a.or(b).cloned(),
    }
}

/// Checks lines against the shop's current data. Lines that are no longer sold are removed and quantities are reduced to what is left in
/// stock; both are reported, as are prices that differ from what the shopper saw.
pub fn check(items: &[CartItem], sellable: &[Sellable]) -> (Vec<CartLine>, Vec<Change>) {
    let mut lines = Vec::new();
    let mut changes = Vec::new();
    for item in items {
        let Some(variant) = sellable.iter().find(|variant| variant.id == item.id) else {
            let message = "An item in your cart is no longer available and was removed.".to_owned();
            changes.push(Change { id: item.id, kind: ChangeKind::Unavailable, message });
            continue;
        };
        let line = line(item, variant);
        changes.extend(stock_change(item, &line));
        changes.extend(price_change(item, &line));
        lines.push(line);
    }
    (lines, changes)
}

fn line(item: &CartItem, variant: &Sellable) -> CartLine {
    let max_quantity = variant.stock.max_quantity();
    // A sold-out line stays visible until the shopper removes it. It keeps its quantity, as does one that is saved for later.
    let most = if item.saved || max_quantity == 0 { MAX_QUANTITY } else { max_quantity };
    CartLine {
        id: variant.id,
        price: variant.price,
        qty: item.qty.clamp(1, most),
        title: variant.title.clone(),
        variant: variant.variant_title.clone(),
        sku: variant.sku.clone(),
        href: variant.href.clone(),
        picture: variant.picture.clone(),
        max_quantity,
        compare_at_price: variant.compare_at_price,
        saved: item.saved,
        availability: variant.stock.availability(),
    }
}

fn stock_change(item: &CartItem, line: &CartLine) -> Option<Change> {
    if item.saved {
        return None;
    }
    let title = &line.title;
    let (kind, message) = match line.max_quantity {
        0 => (ChangeKind::SoldOut, format!("“{title}” is sold out.")),
        most if item.qty > MAX_QUANTITY && most == MAX_QUANTITY => {
            (ChangeKind::NotEnoughStock, format!("“{title}” is limited to {MAX_QUANTITY} per order."))
        }
        most if item.qty > most => (ChangeKind::NotEnoughStock, format!("Only {most} of “{title}” left.")),
        _ => return None,
    };
    Some(Change { id: line.id, kind, message })
}

fn price_change(item: &CartItem, line: &CartLine) -> Option<Change> {
    let before = item.price.filter(|before| *before != line.price)?;
    let (before, now) = (Money::usd(before).dollars(), Money::usd(line.price).dollars());
    let message = format!("The price of “{}” changed from {before} to {now}.", line.title);
    Some(Change { id: line.id, kind: ChangeKind::PriceChanged, message })
}

/// Quantities must be positive, and each variant may occur only once.
pub fn check_items(field: &str, items: &[CartItem]) -> Result<(), Error> {
    if items.len() > MAX_LINES {
        return Err(Error::invalid(field, "A cart can hold at most 100 different items."));
    }
    for (item, at) in items.iter().zip(0..) {
        if !(1..=9_999).contains(&item.qty) {
            let message = format!("Enter a quantity from 1 to {MAX_QUANTITY}.");
            return Err(Error::invalid(&format!("{field}[{at}].qty"), &message));
        }
        if items.iter().take(at).any(|other| other.id == item.id) {
            return Err(Error::invalid(&format!("{field}[{at}].id"), "This item is listed twice."));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{CartItem, ChangeKind, MAX_LINES, check, merge};
    use crate::catalog::model::{Sellable, StockLevel};
    use shop_platform::web::page::Picture;

    fn item(id: u128, qty: i64) -> CartItem {
        CartItem { id: Uuid::from_u128(id), qty, price: None, saved: false }
    }

    fn quantities(items: &[CartItem]) -> Vec<(u128, i64)> {
        items.iter().map(|item| (item.id.as_u128(), item.qty)).collect()
    }

    #[test]
    fn a_guests_cart_joins_without_loss_or_doubling() {
        let merged = merge(&[item(1, 2), item(2, 1)], &[item(2, 3), item(3, 1)], None);
        assert_eq!(quantities(&merged), [(1, 2), (2, 3), (3, 1)]);
        assert_eq!(quantities(&merge(&merged, &[item(2, 3), item(3, 1)], None)), [(1, 2), (2, 3), (3, 1)]);
    }

    #[test]
    fn a_devices_change_wins_and_its_ignorance_does_not() {
        let told = [item(1, 1), item(2, 1), item(3, 1)];
        // Since then the other device increased 1 and removed 3; this one increased 2 and added 4.
        let server = [item(1, 5), item(2, 1)];
        let device = [item(1, 1), item(2, 4), item(3, 1), item(4, 1)];
        assert_eq!(quantities(&merge(&server, &device, Some(&told))), [(1, 5), (2, 4), (4, 1)]);
    }

    #[test]
    fn a_removal_is_a_change() {
        assert_eq!(
            quantities(&merge(&[item(1, 1), item(2, 1)], &[item(1, 1)], Some(&[item(1, 1), item(2, 1)]))),
            [(1, 1)]
        );
    }

    #[test]
    fn a_line_that_comes_back_is_where_it_was() {
        let told = [item(1, 1), item(3, 1)];
        for order in [[2, 1, 3], [1, 2, 3], [1, 3, 2]] {
            let undone = order.map(|id| item(id, 1));
            assert_eq!(merge(&told, &undone, Some(&told)), undone);
        }
        // Another device has added 4 meanwhile. A line without neighbors is the last.
        let server = [item(1, 1), item(3, 1), item(4, 1)];
        assert_eq!(quantities(&merge(&server, &[item(1, 1), item(2, 1)], None)), [(1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(quantities(&merge(&server, &[item(2, 1)], None)), [(1, 1), (3, 1), (4, 1), (2, 1)]);
    }

    #[test]
    fn a_full_cart_takes_no_more() {
        let full: Vec<CartItem> = (0..MAX_LINES as u128).map(|id| item(id, 1)).collect();
        assert_eq!(merge(&full, &[item(1_000, 1), item(0, 1)], None), full);
    }

    fn any_cart() -> impl Strategy<Value = Vec<CartItem>> {
        prop::collection::btree_map(0u128..6, (1i64..5, any::<bool>()), 0..6)
            .prop_map(|items| items.into_iter().map(|(id, (qty, saved))| CartItem { saved, ..item(id, qty) }).collect())
    }

    fn sorted(mut items: Vec<CartItem>) -> Vec<CartItem> {
        items.sort_by_key(|item| item.id);
        items
    }

    proptest! {
        #[test]
        fn sending_twice_changes_nothing(server in any_cart(), device in any_cart(), base in prop::option::of(any_cart())) {
            let once = merge(&server, &device, base.as_deref());
            prop_assert_eq!(sorted(merge(&once, &device, base.as_deref())), sorted(once));
        }

        #[test]
        fn a_device_that_changed_nothing_gets_the_servers(server in any_cart(), told in any_cart()) {
            prop_assert_eq!(sorted(merge(&server, &told, Some(&told))), sorted(server));
        }

        #[test]
        fn a_device_that_knew_everything_gets_its_own(server in any_cart(), device in any_cart()) {
            prop_assert_eq!(sorted(merge(&server, &device, Some(&server))), sorted(device));
        }

        #[test]
        fn a_guest_loses_nothing(server in any_cart(), device in any_cart()) {
            let merged = merge(&server, &device, None);
            for item in server.iter().chain(&device) {
                prop_assert!(merged.iter().any(|each| each.id == item.id && each.qty >= item.qty));
            }
        }
    }

    fn pipe(on_hand: i64) -> Sellable {
        Sellable {
            id: Uuid::from_u128(1),
            sku: "P".into(),
            title: "Pipe".into(),
            variant_title: "Walnut".into(),
            href: "/product/pipe".into(),
            picture: Picture { src: "/images/p".into(), alt: String::new(), width: 1, height: 1 },
            price: 5_000,
            compare_at_price: None,
            weight_grams: 100,
            compliance_class: "smoking_accessory".into(),
            stock: StockLevel { on_hand, reserved: 0, low_stock_threshold: 5 },
        }
    }

    #[test]
    fn what_changed_is_told() {
        let seen = CartItem { price: Some(4_000), ..item(1, 5) };
        let (lines, changes) = check(&[seen.clone(), item(9, 1)], &[pipe(3)]);
        assert_eq!((lines.len(), lines[0].qty, lines[0].price), (1, 3, 5_000));
        let told: Vec<_> = changes.iter().map(|change| (change.kind, change.message.as_str())).collect();
        assert_eq!(
            told,
            [
                (ChangeKind::NotEnoughStock, "Only 3 of “Pipe” left."),
                (ChangeKind::PriceChanged, "The price of “Pipe” changed from $40.00 to $50.00."),
                (ChangeKind::Unavailable, "An item in your cart is no longer available and was removed."),
            ]
        );
        let (lines, changes) = check(std::slice::from_ref(&seen), &[pipe(0)]);
        assert_eq!((lines[0].qty, lines[0].max_quantity, changes[0].kind), (5, 0, ChangeKind::SoldOut));
        let (lines, _) = check(&[CartItem { saved: true, ..seen }], &[pipe(3)]);
        assert_eq!(lines[0].qty, 5, "what is saved for later keeps its quantity");
    }

    #[test]
    fn what_is_as_seen_is_not_told() {
        let seen = CartItem { price: Some(5_000), ..item(1, 3) };
        assert_eq!(check(&[seen], &[pipe(3)]).1, []);
    }
}
