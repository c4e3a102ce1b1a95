//! What there is to do, and when to try again.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::mail::model::Mail;
use crate::orders::model::OrderNews;
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
    /// Make what staff search for findable by its words. Added at each start, and done at once where nothing is missing.
    FillSearchTerms { kind: Kind },
    /// Send an endpoint what it is told.
    Dispatch { dispatch: Uuid },
    /// Make products active whose time has come. The time makes it a job of its own.
    PublishProducts { at: i64 },
    /// Delete what is kept for a time only. Runs for ever.
    Clean,
    /// Find out what became of attempts whose outcome is unknown. Runs for ever.
    Reconcile,
    /// Free the stock of drafts that nobody pays. Runs for ever.
    ReleaseStock,
    /// Compare the provider's payments of the last two days with ours. Runs for ever.
    Audit,
    /// Bring the figures of the shop up to date. Runs for ever.
    RollUp,
}

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

/// Jobs that exist once and for ever.
pub const RECURRING: [Job; 5] = [Job::Reconcile, Job::ReleaseStock, Job::RollUp, Job::Audit, Job::Clean];

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
        }
    }

    /// Milliseconds from the end of one run to the next, for those that run for ever.
    pub fn interval(&self) -> Option<i64> {
        match self {
            Self::Reconcile | Self::RollUp => Some(15 * SECOND),
            Self::ReleaseStock => Some(30 * SECOND),
            Self::Audit | Self::Clean => Some(24 * HOUR),
            _ => None,
        }
    }

    /// Failed runs after which it is dead. With the delays below, money is tried for two days and mail for one.
    pub fn max_attempts(&self) -> i64 {
        match self {
            Self::CapturePayment { .. } | Self::VoidPayment { .. } | Self::Refund { .. } | Self::Webhook { .. } => 60,
            Self::OrderMail { .. }
            | Self::DraftMail { .. }
            | Self::AccountMail { .. }
            | Self::FillSearchTerms { .. } => 36,
            Self::PublishProducts { .. } => 60,
            // It decides by itself when it has been tried for long enough.
            Self::Dispatch { .. } => i64::MAX,
            Self::Reconcile | Self::ReleaseStock | Self::RollUp | Self::Audit | Self::Clean => i64::MAX,
        }
    }

    /// The longest wait before another try, in milliseconds.
    pub fn longest_delay(&self) -> i64 {
        match self {
            // Nobody of the shop waits for it, and its receiver may be away for days.
            Self::Dispatch { .. } => 8 * HOUR,
            _ => HOUR,
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
    use super::{HOUR, Job, RECURRING, delay};

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
}
