//! Returns of orders with their lines.

use shop_base::db::{Conn, DbError};
use uuid::Uuid;

use super::model::ReturnStatus;
use super::rows::{Return, ReturnLine};
use super::store;

/// An order's returns with their lines, the oldest first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<(Return, Vec<ReturnLine>)>, DbError> {
    let lines = store::list_lines(conn, order).await?;
    let of = |found: &Return| lines.iter().filter(|line| line.return_id == found.id).cloned().collect();
    let returns = store::list_returns(conn, order).await?;
    Ok(returns
        .into_iter()
        .map(|found| {
            let own = of(&found);
            (found, own)
        })
        .collect())
}

/// One of an order's returns whose goods the buyer is asked to send: their approval is of no use once they are here.
pub async fn find_approved(conn: &mut Conn<'_>, order: Uuid, id: Uuid) -> Result<Option<Vec<ReturnLine>>, DbError> {
    let found = find(conn, order, id).await?;
    Ok(found.filter(|(found, _)| found.status == ReturnStatus::Approved).map(|(_, lines)| lines))
}

/// One of an order's returns whose rejection was sent to the buyer.
pub async fn find_refused(
    conn: &mut Conn<'_>,
    order: Uuid,
    id: Uuid,
) -> Result<Option<(Return, Vec<ReturnLine>)>, DbError> {
    Ok(find(conn, order, id).await?.filter(|(found, _)| !found.message.is_empty()))
}

pub async fn find(conn: &mut Conn<'_>, order: Uuid, id: Uuid) -> Result<Option<(Return, Vec<ReturnLine>)>, DbError> {
    Ok(list(conn, order).await?.into_iter().find(|(found, _)| found.id == id))
}

/// Erases what buyer and staff have typed about an order's returns.
pub async fn erase_texts(conn: &mut Conn<'_>, order: Uuid) -> Result<(), DbError> {
    store::erase_texts(conn, order).await
}
