//! What there is to do, and when to try again.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::db::stored;
use crate::mail::model::Mail;
use crate::orders::model::OrderNews;
use crate::payments::model::Records;
use crate::search_terms::model::Kind;

/// A piece of work. Its JSON form is stored: old names must stay readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum Job {
    /// Take what an authorized attempt holds.
    CapturePayment { attempt: Uuid },
    /// Let go of what an attempt holds.
    VoidPayment { attempt: Uuid },
    /// Send a recorded refund to its provider, or learn how it went.
    Refund { refund: Uuid },
    /// Understand a stored webhook.
    Webhook { provider: String, event_id: String, kind: String },
    /// Write to an order's buyer.
    OrderMail {
        order: Uuid,
        news: OrderNews,
        /// Names one sending more of the same news.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        again: Option<Uuid>,
    },
    /// Write to whom a draft order is for; `sending` makes it one letter at every try.
    DraftMail { draft: Uuid, sending: Uuid },
    /// Write to an account's owner; the id makes it one letter at every try.
    AccountMail { id: Uuid, to: String, mail: Box<Mail> },
    /// Make what staff search for findable by its words. Added at each start, and done at once where that was done before.
    FillSearchTerms { kind: Kind },
    /// Send an endpoint what it is told.
    Dispatch { dispatch: Uuid },
    /// Make products active whose time has come. The time makes it a job of its own.
    PublishProducts { at: i64 },
    /// Delete what is kept for a time only. Runs forever.
    Clean,
    /// Find out what became of attempts whose outcome is unknown. Runs forever.
    Reconcile,
    /// Free the stock of drafts that nobody pays. Runs forever.
    ReleaseStock,
    /// Begin to compare the provider's records with ours where the last comparison ended. Runs forever.
    Audit,
    /// Bring the figures of the shop up to date. Runs forever.
    RollUp,
    /// Write to whom an order to be picked up waits for; the link makes it one letter at every try.
    PickupMail { link: Uuid },
    /// Remind of orders that wait in the store, and free what has waited too long. Runs forever.
    RemindPickups,
    /// Order lists by what sells, and know what sells together. Runs forever.
    RankProducts,
    /// Write some products of a file, or take them back. The step makes it a job of its own.
    ImportProducts { import: Uuid, step: Uuid },
    /// Compare one page of the provider's records, of changes since a time: the time makes it a job of its own.
    Compare { records: Records, from: i64 },
    /// Learn how a payment of the provider stands that could not be settled when it was compared.
    SettlePayment { payment: String },
}

stored! {
    /// Jobs that have workers of their own, so that they never wait for those of another lane.
    Lane {
        /// Taking money and giving it back, finding out what became of either, and freeing what nobody pays for.
        Money = "money",
        /// What providers tell us.
        Webhooks = "webhooks",
        Mail = "mail",
        /// Webhooks out, of which each may take long.
        Dispatches = "dispatches",
        /// What may take long, and nobody waits for.
        Maintenance = "maintenance",
    }
}

impl Lane {
    /// How many of its jobs a node does at once.
    pub fn slots(self) -> usize {
        match self {
            Self::Money | Self::Dispatches => 16,
            Self::Webhooks | Self::Mail => 8,
            // As many as there are kinds, since of most kinds there is one: none of them waits for another.
            Self::Maintenance => 8,
        }
    }
}

pub const SECOND: i64 = 1000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
/// How far apart two nodes' clocks may be.
pub const CLOCK_SKEW: i64 = MINUTE;

/// Jobs that exist once and forever.
pub const RECURRING: [Job; 7] =
    [Job::Reconcile, Job::ReleaseStock, Job::RollUp, Job::Audit, Job::Clean, Job::RemindPickups, Job::RankProducts];

/// Jobs that are done once after each start.
pub const AT_START: [Job; 3] = [
    Job::FillSearchTerms { kind: Kind::Order },
    Job::FillSearchTerms { kind: Kind::Product },
    Job::FillSearchTerms { kind: Kind::Customer },
];

impl Job {
    /// The name in the table and in logs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CapturePayment { .. } => "capture_payment",
            Self::VoidPayment { .. } => "void_payment",
            Self::Refund { .. } => "refund",
            Self::Webhook { .. } => "webhook",
            Self::OrderMail { .. } => "order_mail",
            Self::DraftMail { .. } => "draft_mail",
            Self::AccountMail { .. } => "account_mail",
            Self::FillSearchTerms { .. } => "fill_search_terms",
            Self::Dispatch { .. } => "dispatch",
            Self::PublishProducts { .. } => "publish_products",
            Self::Clean => "clean",
            Self::Reconcile => "reconcile",
            Self::ReleaseStock => "release_stock",
            Self::Audit => "audit",
            Self::RollUp => "roll_up",
            Self::PickupMail { .. } => "pickup_mail",
            Self::RemindPickups => "remind_pickups",
            Self::RankProducts => "rank_products",
            Self::ImportProducts { .. } => "import_products",
            Self::Compare { .. } => "compare",
            Self::SettlePayment { .. } => "settle_payment",
        }
    }

    pub fn lane(&self) -> Lane {
        match self {
            Self::CapturePayment { .. } | Self::VoidPayment { .. } | Self::Refund { .. } => Lane::Money,
            // There is one of each, so they leave the others their slots however long they take.
            Self::Reconcile | Self::Audit | Self::ReleaseStock => Lane::Money,
            Self::Compare { .. } | Self::SettlePayment { .. } => Lane::Money,
            Self::Webhook { .. } => Lane::Webhooks,
            Self::OrderMail { .. } | Self::DraftMail { .. } | Self::AccountMail { .. } | Self::PickupMail { .. } => {
                Lane::Mail
            }
            Self::Dispatch { .. } => Lane::Dispatches,
            Self::FillSearchTerms { .. }
            | Self::PublishProducts { .. }
            | Self::Clean
            | Self::RollUp
            | Self::RemindPickups
            | Self::RankProducts
            | Self::ImportProducts { .. } => Lane::Maintenance,
        }
    }

    /// Milliseconds from the end of one run to the next, for those that run forever.
    pub fn interval(&self) -> Option<i64> {
        match self {
            Self::Reconcile | Self::RollUp => Some(15 * SECOND),
            Self::ReleaseStock => Some(30 * SECOND),
            Self::Audit => Some(5 * MINUTE),
            Self::Clean | Self::RankProducts => Some(24 * HOUR),
            Self::RemindPickups => Some(10 * MINUTE),
            _ => None,
        }
    }

    /// Failed runs after which it is dead. With the delays below, money is tried for two days and mail for one.
    pub fn max_attempts(&self) -> i64 {
        match self {
            Self::CapturePayment { .. }
            | Self::VoidPayment { .. }
            | Self::Webhook { .. }
            | Self::SettlePayment { .. } => 60,
            // A bank takes days. What does not come to an end is shown to staff, and asked about all the same.
            Self::Refund { .. } => i64::MAX,
            Self::OrderMail { .. }
            | Self::DraftMail { .. }
            | Self::AccountMail { .. }
            | Self::FillSearchTerms { .. }
            | Self::PickupMail { .. } => 36,
            Self::PublishProducts { .. } | Self::ImportProducts { .. } => 60,
            // It decides by itself when it has been tried for long enough.
            Self::Dispatch { .. } => i64::MAX,
            Self::Reconcile
            | Self::ReleaseStock
            | Self::RollUp
            | Self::Audit
            | Self::Clean
            | Self::RemindPickups
            | Self::RankProducts
            | Self::Compare { .. } => i64::MAX,
        }
    }

    /// The longest wait before another try, in milliseconds.
    pub fn longest_delay(&self) -> i64 {
        match self {
            // Nobody of the shop waits for it, and its receiver may be away for days.
            Self::Dispatch { .. } => 8 * HOUR,
            Self::Refund { .. } => 4 * HOUR,
            // What goes on when the provider is back.
            Self::Compare { .. } => 5 * MINUTE,
            // What runs forever must not sleep for an hour after a provider was away for one.
            _ if self.interval().is_some() => MINUTE,
            _ => HOUR,
        }
    }

    /// The latest time for which it may wait after so many failed runs, as seen at `now`. What waits for longer was put off by a clock
    /// that was ahead.
    pub fn latest_run(&self, attempts: i64, now: i64) -> i64 {
        let wait = match self.interval() {
            _ if attempts > 0 => delay(attempts, self.longest_delay(), 1.0),
            Some(interval) => interval,
            None => 0,
        };
        let latest = now + wait + CLOCK_SKEW;
        match self {
            Self::PublishProducts { at } => latest.max(*at),
            _ => latest,
        }
    }
}

/// Milliseconds to wait after the given number of failed runs: 2 s doubling to the longest, moved by up to a tenth so that many do not
/// come back together. `jitter` is from 0 to 1.
pub fn delay(failures: i64, longest: i64, jitter: f64) -> i64 {
    let doublings = u32::try_from(failures.saturating_sub(1)).unwrap_or(0).min(20);
    let base = (2 * SECOND).saturating_mul(1 << doublings).min(longest);
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a tenth of some hours fits")]
    let moved = (base as f64 * 0.1 * jitter) as i64;
    base + moved
}

#[cfg(test)]
mod tests {
    use super::{CLOCK_SKEW, HOUR, Job, RECURRING, SECOND, delay};

    #[test]
    fn delays_double_up_to_an_hour() {
        let delays: Vec<i64> = [1, 2, 3, 11, 12, 13, 60].map(|failures| delay(failures, HOUR, 0.0)).to_vec();
        assert_eq!(delays, [2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000, 3_600_000]);
        assert_eq!(delay(1, HOUR, 1.0), 2_200);
    }

    #[test]
    fn a_stored_job_is_read_back() {
        let job = Job::Webhook { provider: "square".into(), event_id: "e".into(), kind: "payment.updated".into() };
        let json = serde_json::to_string(&job).expect("a job is JSON");
        assert_eq!(serde_json::from_str::<Job>(&json).expect("and back"), job);
    }

    #[test]
    fn only_recurring_jobs_have_an_interval() {
        assert!(RECURRING.iter().all(|job| job.interval().is_some()));
    }

    #[test]
    fn no_job_waits_for_longer_than_it_may() {
        let now = 1_000 * HOUR;
        let wait = |job: &Job, attempts| job.latest_run(attempts, now) - now - CLOCK_SKEW;
        assert_eq!((wait(&Job::Reconcile, 0), wait(&Job::Clean, 0)), (15 * SECOND, 24 * HOUR));
        assert_eq!((wait(&Job::Reconcile, 1), wait(&Job::Reconcile, 99)), (2_200, 66 * SECOND));
        let capture = Job::CapturePayment { attempt: uuid::Uuid::nil() };
        assert_eq!((wait(&capture, 0), wait(&capture, 1), wait(&capture, 30)), (0, 2_200, HOUR + HOUR / 10));
        let at = now + 500 * HOUR;
        assert_eq!(Job::PublishProducts { at }.latest_run(0, now), at, "it has a time of its own");
        assert_eq!(wait(&Job::PublishProducts { at: 0 }, 1), 2_200);
    }
}
