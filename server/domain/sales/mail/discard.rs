//! Discards a dead job. If it is an email about an order, the order's history says that it was not sent. One of a payment that is still held is
//! kept.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use shop_platform::jobs;
use uuid::Uuid;

use crate::sales::records::orders::jobs::SendOrderMail;
use crate::sales::records::orders::service as orders;
use crate::sales::records::orders::store;
use crate::sales::records::payments;
use crate::sales::records::payments::jobs::{CapturePayment, VoidPayment};
use crate::sales::records::payments::model::AttemptStatus;

/// Deletes a dead job; false when there is none.
pub async fn discard(cx: &Context, actor: &Actor, id: Uuid) -> Result<bool, Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    if is_of_held_payment(&mut conn, id).await? {
        return Err(Error::conflict(
            "still_held",
            "This payment is still held, so the shop would add the job again. Retry it, or cancel the order to let the money go.",
        ));
    }
    // Its order may have been deleted since, and the email may have left.
    if let Some(email) = jobs::service::find_dead::<SendOrderMail>(&mut conn, id).await?
        && store::lock_order(&mut conn, email.order).await?.is_some()
        && jobs::service::is_undone(&mut conn, &email).await?
    {
        orders::drop_email(&mut conn, clock, &email, Some(&actor.label())).await?;
    }
    if !jobs::service::discard(&mut conn, clock, actor, id).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Whether a dead job captures or voids what its attempt still holds. Without it the attempt would be taken for forgotten, and the job be added
/// again.
async fn is_of_held_payment(conn: &mut Conn<'_>, id: Uuid) -> Result<bool, DbError> {
    let capture = jobs::service::find_dead::<CapturePayment>(conn, id).await?;
    let void = jobs::service::find_dead::<VoidPayment>(conn, id).await?;
    let (attempt, status) = match (capture, void) {
        (Some(job), _) => (job.attempt, AttemptStatus::Authorized),
        (_, Some(job)) => (job.attempt, AttemptStatus::Voiding),
        _ => return Ok(false),
    };
    Ok(payments::store::find_attempt(conn, attempt).await?.is_some_and(|attempt| attempt.status == status))
}
