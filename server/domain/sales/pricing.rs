//! The arithmetic of an order, in minor units.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::compliance::model::Excise;
use crate::promotions::model::{Promo, spread};
use crate::tax::model::Rate;

/// Input for pricing a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goods<'a> {
    pub unit_price: i64,
    pub quantity: i64,
    pub excise: Option<&'a Excise>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinePrice {
    pub subtotal: i64,
    pub discount: i64,
    /// Sales tax plus excise.
    pub tax: i64,
    /// Included in `tax`; not part of the base of the sales tax.
    pub excise: i64,
    pub total: i64,
}

/// The taxes on a quantity of one item, minor units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taxes {
    pub sales: i64,
    /// Not part of the base of the sales tax.
    pub excise: i64,
}

impl Taxes {
    pub fn on(paid: i64, quantity: i64, rate: Option<&Rate>, excise: Option<&Excise>) -> Self {
        Self {
            sales: rate.map_or(0, |rate| rate.tax_on(paid)),
            excise: excise.map_or(0, |excise| excise.on(paid, quantity)),
        }
    }
}

/// What an order costs: `total = subtotal - discount + shipping + tax`, and the lines and shipping add up to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    pub lines: Vec<LinePrice>,
    pub subtotal: i64,
    /// On goods and shipping.
    pub discount: i64,
    pub shipping_discount: i64,
    pub shipping: i64,
    pub tax: i64,
    pub total: i64,
}

/// Prices goods: the discount is computed once and spread over the lines, the tax is rounded per line.
pub fn price(goods: &[Goods<'_>], promo: Option<&Promo>, shipping: i64, rate: Option<&Rate>) -> Price {
    let subtotals: Vec<i64> = goods.iter().map(|line| line.unit_price * line.quantity).collect();
    let subtotal = subtotals.iter().sum();
    let goods_discount = promo.map_or(0, |promo| promo.off_goods(subtotal));
    let shipping_discount = promo.map_or(0, |promo| promo.off_shipping(shipping));
    let lines: Vec<LinePrice> = subtotals
        .iter()
        .zip(spread(goods_discount, &subtotals))
        .zip(goods)
        .map(|((subtotal, discount), line)| {
            let paid = subtotal - discount;
            let Taxes { sales, excise } = Taxes::on(paid, line.quantity, rate, line.excise);
            let tax = sales + excise;
            LinePrice { subtotal: *subtotal, discount, tax, excise, total: paid + tax }
        })
        .collect();
    let shipping_tax = rate.map_or(0, |rate| rate.tax_on_shipping(shipping - shipping_discount));
    let discount = goods_discount + shipping_discount;
    let tax = lines.iter().map(|line| line.tax).sum::<i64>() + shipping_tax;
    let total = subtotal - discount + shipping + tax;
    Price { lines, subtotal, discount, shipping_discount, shipping, tax, total }
}

/// A reason why an order cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = QuoteProblem)]
pub struct Problem {
    /// `empty`, `sold_out`, `unavailable`, `restricted`, `promo_code`, `address.postal_code`, `not_shipped`, `shipping_method` or
    /// `payment_method`; for a draft order also `link_over` or `changed`.
    pub code: String,
    /// The variant concerned.
    pub id: Option<Uuid>,
    pub message: String,
}

pub fn problem(code: &str, id: Option<Uuid>, message: &str) -> Problem {
    Problem { code: code.to_owned(), id, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{Goods, Price, price};
    use crate::compliance::model::Excise;
    use crate::promotions::model::{Benefit, Promo};
    use crate::tax::model::Rate;

    fn promo(benefit: Benefit) -> Promo {
        Promo {
            id: Uuid::nil(),
            code: "X".into(),
            benefit,
            min_subtotal: 0,
            starts_at: None,
            ends_at: None,
            max_uses: None,
            used: 0,
            once_per_customer: false,
            active: true,
        }
    }

    fn franklin() -> Rate {
        Rate { name: "Ohio".into(), ppm: 80_000, shipping_ppm: 80_000 }
    }

    fn shipping_tax(price: &Price) -> i64 {
        price.tax - price.lines.iter().map(|line| line.tax).sum::<i64>()
    }

    #[test]
    fn an_order_in_ohio() {
        let goods = [
            Goods { unit_price: 4_999, quantity: 1, excise: None },
            Goods { unit_price: 333, quantity: 3, excise: None },
        ];
        let promo = promo(Benefit::Percent(1_000));
        let price = price(&goods, Some(&promo), 895, Some(&franklin()));
        assert_eq!((price.subtotal, price.discount), (5_998, 600));
        assert_eq!(price.lines.iter().map(|line| line.discount).collect::<Vec<_>>(), [500, 100]);
        assert_eq!(price.lines.iter().map(|line| line.tax).collect::<Vec<_>>(), [360, 72], "359.92 and 71.92");
        assert_eq!((shipping_tax(&price), price.tax, price.total), (72, 504, 6_797), "71.6");
    }

    #[test]
    fn free_shipping_is_a_discount_and_is_not_taxed() {
        let price = price(
            &[Goods { unit_price: 1_000, quantity: 1, excise: None }],
            Some(&promo(Benefit::FreeShipping)),
            895,
            Some(&franklin()),
        );
        assert_eq!((price.shipping, price.shipping_discount, price.discount), (895, 895, 895));
        assert_eq!((shipping_tax(&price), price.tax, price.total), (0, 80, 1_080));
    }

    #[test]
    fn an_excise_is_a_tax_beside_the_sales_tax_and_follows_the_discount() {
        let excise = Excise { name: "Excise".into(), ppm: 170_000, per_unit: 25 };
        let goods = [
            Goods { unit_price: 1_000, quantity: 2, excise: Some(&excise) },
            Goods { unit_price: 2_000, quantity: 1, excise: None },
        ];
        let price = price(&goods, Some(&promo(Benefit::Percent(1_000))), 0, Some(&franklin()));
        assert_eq!(price.lines.iter().map(|line| line.excise).collect::<Vec<_>>(), [306 + 50, 0]);
        assert_eq!(price.lines.iter().map(|line| line.tax).collect::<Vec<_>>(), [144 + 356, 144]);
        assert_eq!((price.tax, price.total), (644, 4_000 - 400 + 644));
    }

    fn benefit() -> impl Strategy<Value = Option<Promo>> {
        prop_oneof![
            Just(None),
            (0i64..=10_000).prop_map(|percent| Some(promo(Benefit::Percent(percent)))),
            (0i64..100_000).prop_map(|amount| Some(promo(Benefit::Amount(amount)))),
            Just(Some(promo(Benefit::FreeShipping))),
        ]
    }

    proptest! {
        #[test]
        fn totals_always_add_up(
            goods in prop::collection::vec((0i64..500_000, 1i64..=10, any::<bool>()), 1..20),
            promo in benefit(), shipping in 0i64..10_000, ppm in 0i64..200_000, shipping_ppm in 0i64..200_000,
            excise_ppm in 0i64..1_000_000, per_unit in 0i64..1_000,
        ) {
            let excise = Excise { name: "Excise".into(), ppm: excise_ppm, per_unit };
            let goods: Vec<Goods<'_>> = goods
                .into_iter()
                .map(|(unit_price, quantity, taxed)| Goods { unit_price, quantity, excise: taxed.then_some(&excise) })
                .collect();
            let rate = Rate { name: String::new(), ppm, shipping_ppm };
            let price = price(&goods, promo.as_ref(), shipping, Some(&rate));
            prop_assert_eq!(price.total, price.subtotal - price.discount + price.shipping + price.tax);
            let lines: i64 = price.lines.iter().map(|line| line.total).sum();
            let shipping = price.shipping - price.shipping_discount;
            prop_assert_eq!(price.total, lines + shipping + rate.tax_on_shipping(shipping));
            prop_assert!(price.total >= 0 && price.discount >= 0 && price.tax >= 0);
            for (line, goods) in price.lines.iter().zip(&goods) {
                prop_assert_eq!(line.subtotal, goods.unit_price * goods.quantity);
                prop_assert!(line.discount <= line.subtotal);
                prop_assert!(line.excise >= 0 && line.excise <= line.tax);
                prop_assert!(goods.excise.is_some() || line.excise == 0);
            }
        }
    }
}
