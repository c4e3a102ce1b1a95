//! Limits on the number and duration of open pickup orders, and of those that are shipped for nothing.

use std::fmt;

use crate::sales::status::PaymentStatus;

const MINUTE: i64 = 60 * 1000;
const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// Open orders per person: more than one person usually picks up at once.
pub const MOST_OPEN: i64 = 3;
/// Pieces in all open orders of one person. Without it, one cart (100 lines of 10) could empty a shelf.
pub const MOST_UNITS: i64 = 40;
/// Orders per network and day, whatever became of them: a family, an office or a neighborhood may share an address.
pub const MOST_OF_NETWORK: i64 = 10;
/// Emails with a link per address and day: one, plus two after changes.
pub const MOST_EMAILS: i64 = 3;
/// Emails per network and day, over all addresses.
pub const MOST_EMAILS_OF_NETWORK: i64 = 20;

/// How long a link is valid and its goods are held, in milliseconds: enough to read the email, but short enough not to block the goods.
pub const LINK_FOR: i64 = 2 * HOUR;
/// Time since the order was marked as ready for pickup after which the buyer is reminded, in milliseconds.
pub const REMIND_AFTER: i64 = 3 * DAY;
/// Time since then after which the goods go back on the shelf, in milliseconds, but never sooner than `AFTER_REMINDER` after the reminder.
/// Staff are told of an order that nobody has marked as ready for this long since it was placed.
pub const RELEASE_AFTER: i64 = 7 * DAY;
pub const AFTER_REMINDER: i64 = RELEASE_AFTER - REMIND_AFTER;

/// Whether the buyer has paid nothing, and so loses nothing by not coming. An order that costs nothing is `paid` from the start.
pub fn is_unpaid(payment: PaymentStatus, total: i64) -> bool {
    payment == PaymentStatus::NotPaid || total == 0
}

/// Current counts, before another order is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Open orders of the person.
    pub open: i64,
    /// Pieces in them.
    pub units: i64,
    /// Orders of the network within a day.
    pub of_network: i64,
    /// Emails to the address within a day.
    pub emails: i64,
    /// Emails caused by the network within a day.
    pub emails_of_network: i64,
}

/// Which limit is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    Open,
    Units,
    OfNetwork,
    Emails,
}

impl Counted {
    /// Checks whether an order with this many pieces may be added, including the email limits if it must be confirmed.
    pub fn admits(&self, units: i64, by_email: bool) -> Result<(), TooMany> {
        if self.open >= MOST_OPEN {
            Err(TooMany::Open)
        } else if self.units.saturating_add(units) > MOST_UNITS {
            Err(TooMany::Units)
        } else if self.of_network >= MOST_OF_NETWORK {
            Err(TooMany::OfNetwork)
        } else if by_email && (self.emails >= MOST_EMAILS || self.emails_of_network >= MOST_EMAILS_OF_NETWORK) {
            Err(TooMany::Emails)
        } else {
            Ok(())
        }
    }
}

impl TooMany {
    /// A stable code for clients.
    pub fn code(self) -> &'static str {
        match self {
            Self::Open | Self::OfNetwork => "too_many_pickups",
            Self::Units => "too_many_units",
            Self::Emails => "too_many_letters",
        }
    }
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => write!(
                f,
                "You already have {MOST_OPEN} open orders that weren’t paid for. Pick one up, wait until one is shipped, or place an order that you pay for by card."
            ),
            Self::Units => write!(
                f,
                "One person can have up to {MOST_UNITS} items on order that weren’t paid for. Order fewer, or place an order that you pay for by card."
            ),
            Self::OfNetwork => f.write_str(
                "Too many orders without a payment came from your network today. Try again tomorrow, or place an order that you pay for by card.",
            ),
            Self::Emails => f.write_str(
                "We have sent several confirmation emails today. Use the link in the newest one, sign in, or try again tomorrow.",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counted, MOST_EMAILS, MOST_EMAILS_OF_NETWORK, MOST_OF_NETWORK, MOST_OPEN, MOST_UNITS, TooMany};

    #[test]
    fn the_last_one_that_fits_is_admitted_and_the_next_is_not() {
        let none = Counted::default();
        assert_eq!(none.admits(MOST_UNITS, true), Ok(()));
        assert_eq!(none.admits(MOST_UNITS + 1, true), Err(TooMany::Units));
        assert_eq!(Counted { units: i64::MAX, ..none }.admits(1, false), Err(TooMany::Units));
        for (counted, why) in [
            (Counted { open: MOST_OPEN, ..none }, TooMany::Open),
            (Counted { of_network: MOST_OF_NETWORK, ..none }, TooMany::OfNetwork),
        ] {
            assert_eq!(counted.admits(1, false), Err(why));
            let one_less = Counted { open: counted.open.max(1) - 1, of_network: counted.of_network.max(1) - 1, ..none };
            assert_eq!(one_less.admits(1, true), Ok(()));
        }
        for counted in
            [Counted { emails: MOST_EMAILS, ..none }, Counted { emails_of_network: MOST_EMAILS_OF_NETWORK, ..none }]
        {
            assert_eq!(counted.admits(1, true), Err(TooMany::Emails));
            assert_eq!(counted.admits(1, false), Ok(()), "who needs no email is not held up by emails");
        }
    }
}
