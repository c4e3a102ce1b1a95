//! SQL of the table of pictures.

use shop_base::db::{Conn, DbError};
use shop_base::sql;

use super::Master;

/// Stores a picture, unless it is stored already. The shop does not read `uploaded_at`: it is for whoever reads the database.
pub async fn insert_picture(conn: &mut Conn<'_>, master: &Master, now: i64) -> Result<(), DbError> {
    const SQL: &str = "INSERT INTO pictures (media_key, width, height, uploaded_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (media_key) DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(&master.key).bind(i64::from(master.width)).bind(i64::from(master.height))
        .bind(now).execute(c).await.map(drop))?;
    Ok(())
}
