//! The sales of a day.

use std::ops::AddAssign;

use uuid::Uuid;

/// Money is minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sales {
    /// Paid orders.
    pub orders: i64,
    pub units: i64,
    /// The value of their goods before discounts.
    pub goods: i64,
    pub discounts: i64,
    pub shipping: i64,
    pub tax: i64,
    /// The total of these orders.
    pub total: i64,
    pub taken: i64,
    pub refunds: i64,
    pub refunded: i64,
}

impl Sales {
    /// The average order total; none without orders.
    pub fn average_order(&self) -> Option<i64> {
        (self.orders > 0).then(|| (self.total + self.orders / 2) / self.orders)
    }
}

impl AddAssign for Sales {
    fn add_assign(&mut self, other: Self) {
        self.orders += other.orders;
        self.units += other.units;
        self.goods += other.goods;
        self.discounts += other.discounts;
        self.shipping += other.shipping;
        self.tax += other.tax;
        self.total += other.total;
        self.taken += other.taken;
        self.refunds += other.refunds;
        self.refunded += other.refunded;
    }
}

/// The sales of one product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProductSales {
    /// Its id, or its title if the product no longer exists.
    pub product: String,
    pub title: String,
    pub category_id: Option<Uuid>,
    pub orders: i64,
    pub units: i64,
    pub amount: i64,
}
