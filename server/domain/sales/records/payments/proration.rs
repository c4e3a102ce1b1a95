//! The value of a part of a line, in minor units. Shares are computed from the whole each time, so that they add up to it.

/// The amount refunded, or to be refunded, for a quantity of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub quantity: i64,
    /// Tax included.
    pub amount: i64,
    pub tax: i64,
}

/// A line as input for its refunds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMoney {
    pub quantity: i64,
    /// What the buyer paid for the whole line, tax included.
    pub total: i64,
    pub tax: i64,
    /// Already refunded, or being refunded.
    pub given: Share,
}

impl LineMoney {
    /// The quantity that has not been refunded.
    pub fn remaining(&self) -> i64 {
        self.quantity - self.given.quantity
    }

    /// The value of `quantity` more pieces: the value of all refunded pieces together, less what was already refunded. The last share
    /// includes the rounding remainder.
    pub fn share(&self, quantity: i64) -> Share {
        let so_far = self.given.quantity + quantity;
        let tax = part(self.tax, so_far, self.quantity) - self.given.tax;
        let net = part(self.total - self.tax, so_far, self.quantity) - (self.given.amount - self.given.tax);
        // If an earlier refund failed, later shares were rounded on top of it, so a difference may be negative.
        let (tax, net) = (tax.max(0), net.max(0));
        Share { quantity, amount: net + tax, tax }
    }
}

/// The tax within a part of a gross amount, after `before` of it was given back.
pub fn tax_within(part_of: i64, before: i64, gross: i64, tax: i64) -> i64 {
    part(tax, before + part_of, gross) - part(tax, before, gross)
}

/// `whole * of / all`, rounded down.
fn part(whole: i64, of: i64, all: i64) -> i64 {
    if all == 0 {
        return 0;
    }
    i64::try_from(i128::from(whole) * i128::from(of) / i128::from(all)).unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LineMoney, Share, tax_within};

    fn line(quantity: i64, total: i64, tax: i64) -> LineMoney {
        LineMoney { quantity, total, tax, given: Share::default() }
    }

    #[test]
    fn three_of_a_thousand_cents() {
        let mut line = line(3, 1_000, 74);
        let mut shares = Vec::new();
        for _ in 0..3 {
            let share = line.share(1);
            line.given.quantity += 1;
            line.given.amount += share.amount;
            line.given.tax += share.tax;
            shares.push((share.amount, share.tax));
        }
        assert_eq!(shares, [(332, 24), (334, 25), (334, 25)]);
        assert_eq!(line.share(0), Share::default(), "nothing is left");
    }

    #[test]
    fn shipping_has_its_tax_within() {
        assert_eq!(tax_within(1_183, 0, 1_183, 88), 88);
        let parts: i64 = (0..1_183).map(|before| tax_within(1, before, 1_183, 88)).sum();
        assert_eq!(parts, 88);
        assert_eq!(tax_within(0, 0, 0, 0), 0);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_line_in_any_cut(
            net in 0i64..5_000_000, tax in 0i64..500_000, cuts in prop::collection::vec((1i64..5, any::<bool>()), 1..30),
        ) {
            let quantity: i64 = cuts.iter().map(|(count, _)| count).sum();
            let mut line = line(quantity, net + tax, tax);
            let give = |line: &mut LineMoney, share: Share| {
                line.given.quantity += share.quantity;
                line.given.amount += share.amount;
                line.given.tax += share.tax;
            };
            let mut failed = Vec::new();
            for (count, fails) in cuts {
                let share = line.share(count);
                prop_assert!(share.amount >= share.tax && share.tax >= 0);
                give(&mut line, share);
                prop_assert!(line.given.amount <= line.total && line.given.tax <= line.tax);
                if fails {
                    failed.push(share);
                }
            }
            prop_assert_eq!((line.given.amount, line.given.tax), (line.total, line.tax));
            // The provider refused some of them: they are refunded again, and the total stays the same.
            for share in &failed {
                line.given.quantity -= share.quantity;
                line.given.amount -= share.amount;
                line.given.tax -= share.tax;
            }
            for share in failed {
                let again = line.share(share.quantity);
                give(&mut line, again);
                prop_assert!(line.given.amount <= line.total);
            }
            prop_assert_eq!((line.given.amount, line.given.tax), (line.total, line.tax));
        }
    }
}
