//! A customer's data as a whole: handed out, and erased. Each noun adds what it keeps, here and nowhere else.

use serde_json::{Value, json};

use super::{service, store};
use crate::app::App;
use crate::error::Error;
use crate::identity::model::Session;
use crate::{age, identity};

/// All that the shop keeps of the user, by noun.
pub async fn export(app: &App, session: &Session) -> Result<Value, Error> {
    Ok(json!({
        "exported_at": crate::clock::timestamp(app.clock.now_ms()).to_string(),
        "profile": service::me(app, session).await?,
        "sessions": identity::service::list_sessions(app, session).await?,
    }))
}

/// Erases the user in one go. Sale records stay, as the law wants them to, and name an id of which nothing else is known.
pub async fn erase(app: &App, session: &Session) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    store::delete_addresses(&mut conn, session.user_id).await?;
    age::service::erase(&mut conn, session.user_id).await?;
    identity::service::erase_user(app, &mut conn, session.user_id).await?;
    tx.commit().await?;
    tracing::info!(user = %session.user_id, "an account was deleted");
    Ok(())
}
