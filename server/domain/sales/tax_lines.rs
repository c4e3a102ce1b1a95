//! The tax lines of an order: per line and for shipping, by tax name.

use shop_base::clock::Clock;
use shop_base::ids::new_id;
use uuid::Uuid;

use super::pricing::Taxes;
use super::records::orders::rows::TaxLine;
use crate::compliance::model::Excise;
use crate::tax::model::Rate;

/// An order line as input for its taxes.
#[derive(Clone, Copy, Debug)]
pub struct Taxed<'a> {
    pub line: Uuid,
    /// After discounts.
    pub paid: i64,
    pub quantity: i64,
    pub excise: Option<&'a Excise>,
}

/// The tax lines for these lines and for the amount paid for shipping.
pub fn tax_lines(clock: &dyn Clock, rate: Option<&Rate>, lines: &[Taxed<'_>], shipping: i64) -> Vec<TaxLine> {
    let mut taxes = Vec::new();
    let mut add = |line_id, name: &str, rate, taxable, amount| {
        if amount > 0 {
            taxes.push(TaxLine { id: new_id(clock), line_id, name: name.to_owned(), rate, taxable, amount });
        }
    };
    for Taxed { line, paid, quantity, excise } in lines {
        let amounts = Taxes::on(*paid, *quantity, rate, *excise);
        if let Some(rate) = rate {
            add(Some(*line), &rate.name, rate.ppm, *paid, amounts.sales);
        }
        if let Some(excise) = excise {
            add(Some(*line), &excise.name, excise.ppm, *paid, amounts.excise);
        }
    }
    if let Some(rate) = rate {
        add(None, &rate.name, rate.shipping_ppm, shipping, rate.tax_on_shipping(shipping));
    }
    taxes
}
