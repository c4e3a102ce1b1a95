//! Why a checkout was not finished, and what its buyer was told.

use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_domain::sales::flows::limits;
use shop_domain::sales::flows::pay::{NOT_CONFIRMED, PAYMENT_ENDED, STOCK_LOST};
use shop_domain::sales::records::orders::model::CancelReason;
use shop_domain::sales::records::orders::rows::Order;
use shop_domain::sales::records::payments::declines;
use shop_domain::sales::records::payments::declines::Reason;
use shop_domain::sales::records::payments::model::AttemptStatus;
use shop_domain::sales::records::payments::rows::Attempt;
use shop_domain::sales::records::pickups;
use shop_domain::sales::status::OrderStatus;
use utoipa::ToSchema;

use super::queries;

pub const UNCONFIRMED: &str = "The link in the confirmation email was not followed";
pub const UNTRIED: &str = "No payment was tried";

/// Times are those of the shop's zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnfinishedCheckout {
    pub started: String,
    /// The buyer can still complete it.
    pub is_open: bool,
    /// What went wrong, the latest first.
    pub obstacles: Vec<Obstacle>,
    /// The order in which the same goods were bought later.
    pub later: Option<LaterOrder>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Obstacle {
    /// None if it did not happen at a certain time.
    pub at: Option<String>,
    /// A plain description.
    pub why: String,
    pub means: String,
    /// What the buyer was told about it: a sentence with the exact text they read.
    pub buyer_saw: String,
    /// The provider's code for the reason.
    pub code: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LaterOrder {
    pub number: String,
    pub placed: String,
}

/// Why an attempt failed.
pub struct Explanation {
    pub reason: Reason,
    pub buyer_saw: String,
}

const WAITING: &str = "The customer’s page says that the payment is still being checked.";
const NOTHING: &str = "The customer was told nothing.";

fn read_by_buyer(words: &str) -> String {
    format!("The customer read: “{words}”")
}

/// Explains one of an order's payment attempts that did not place it.
pub fn of_try(all: &[Attempt], attempt: &Attempt, is_stock_lost: bool) -> Explanation {
    if let Some(code) = &attempt.decline_code {
        return Explanation { reason: declines::reason(code), buyer_saw: read_by_buyer(&limits::words(all, attempt)) };
    }
    let (what, means, buyer_saw) = match attempt.status {
        AttemptStatus::Sending => (
            "The card provider has not answered yet",
            "The shop asks until it knows, and then places the order or lets go of the money by itself.",
            WAITING.to_owned(),
        ),
        AttemptStatus::Unknown => (
            "The card provider’s answer was lost",
            "Nobody knows yet whether the card was charged. The shop asks until it knows, and then places the order or \
             gives the money back by itself.",
            WAITING.to_owned(),
        ),
        AttemptStatus::Authorized | AttemptStatus::Captured => {
            ("The money came when the checkout was over", "It goes back to the card by itself.", NOTHING.to_owned())
        }
        _ if is_stock_lost => (
            "The items sold out in the meantime",
            "They ran out while the payment was on its way. What was charged goes back to the card by itself.",
            read_by_buyer(STOCK_LOST),
        ),
        _ => (
            "The payment did not get through",
            "The card provider never had it, and was told never to carry it out. Nothing was charged.",
            read_by_buyer(PAYMENT_ENDED),
        ),
    };
    Explanation { reason: Reason::new(what, means), buyer_saw }
}

/// Everything known about an unfinished checkout; none for an order that was placed.
pub async fn read(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    tries: &[Attempt],
) -> Result<Option<UnfinishedCheckout>, DbError> {
    if order.placed_at.is_some() {
        return Ok(None);
    }
    let zone = cx.zone();
    let is_stock_lost = order.cancel_reason.as_deref() == Some(CancelReason::StockLost.text());
    let mut obstacles: Vec<Obstacle> = tries
        .iter()
        .rev()
        .map(|attempt| {
            let Explanation { reason, buyer_saw } = of_try(tries, attempt, is_stock_lost);
            let at = Some(local_time(attempt.created_at, zone));
            Obstacle {
                at,
                why: reason.what,
                means: reason.means.to_owned(),
                buyer_saw,
                code: attempt.decline_code.clone(),
            }
        })
        .collect();
    if let Some(link) = pickups::service::find_pending(conn, order.id).await? {
        let (means, buyer_saw) = if link.is_good(cx.clock.now_ms()) {
            let until = "Orders without online payment are confirmed by a link in an email, within two hours. \
                The items are held until then.";
            (until, format!("The customer’s page says that a link was sent to {}.", link.email))
        } else {
            let over = "Orders without online payment are confirmed by a link in an email, within two hours. That time has passed, and the \
                items are available again. The address may be mistyped, or the email may be in the spam folder.";
            (over, read_by_buyer(NOT_CONFIRMED))
        };
        obstacles.insert(
            0,
            Obstacle { at: None, why: UNCONFIRMED.to_owned(), means: means.to_owned(), buyer_saw, code: None },
        );
    }
    if obstacles.is_empty() {
        let (why, means) = match order.picked_up || order.total == 0 {
            true => (UNCONFIRMED, "Nothing was ordered, and the items are available again."),
            false => (UNTRIED, "The customer left before the card was sent anywhere. Nothing was charged."),
        };
        obstacles.push(Obstacle {
            at: None,
            why: why.to_owned(),
            means: means.to_owned(),
            buyer_saw: NOTHING.to_owned(),
            code: None,
        });
    }
    let later = queries::list_later(conn, &[order.id]).await?.remove(&order.id);
    Ok(Some(UnfinishedCheckout {
        started: local_time(order.created_at, zone),
        is_open: order.status == OrderStatus::Draft,
        obstacles,
        later: later.map(|later| LaterOrder { number: later.number, placed: local_time(later.placed_at, zone) }),
    }))
}
