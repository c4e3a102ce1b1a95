//! SQL of imports.

use serde::{Deserialize, Serialize};
use shop_base::db::{Conn, DbError, decoded, stored};
use shop_base::sql;
use sqlx::FromRow;
use uuid::Uuid;

use crate::catalog::editing::model::ProductContent;
use crate::catalog::editing::service::Positions;
use crate::stock::counts::Count;

#[derive(Debug, FromRow)]
pub struct ImportRow {
    pub file_name: String,
    pub state: String,
    /// JSON; empty until the file is parsed.
    pub counts: String,
    pub problem: String,
    pub created_at: i64,
    pub updated_at: i64,
}

/// The progress of a parsed import.
#[derive(Debug, FromRow)]
pub struct Progress {
    pub state: String,
    /// JSON.
    pub counts: String,
    /// JSON of the actor who applies or undoes it; empty before that.
    pub applied_by: String,
}

stored! {
    /// The state of a product in an import.
    ItemState {
        /// To be written.
        Waiting = "waiting",
        Applied = "applied",
        /// Not written.
        Skipped = "skipped",
        /// Restored to its state before the import.
        Undone = "undone",
        /// Not restored when the import was undone.
        Kept = "kept",
    }
}

/// A product of a file that needs to be written, with the content to write next: the new one, and after writing the former one for the
/// undo.
#[derive(Clone, Debug)]
pub struct Item {
    pub place: i64,
    /// Its first line in the file.
    pub line: i64,
    pub handle: String,
    /// None for a new product.
    pub product_id: Option<Uuid>,
    /// The version that it must still have; 0 for a new product.
    pub version: i64,
    /// None for a product that the import created: undoing archives it.
    pub content: Option<ProductContent>,
    /// Where the product was in the collections that it left when the import was written; it gets these places back.
    pub places: Positions,
    pub counts: Vec<Count>,
    pub state: ItemState,
    /// Why it was skipped or kept.
    pub why: String,
}

pub async fn insert_import(
    conn: &mut Conn<'_>,
    id: Uuid,
    actor: Uuid,
    name: &str,
    file: &[u8],
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO product_imports (id, actor_id, file_name, file, state, report, digest, problem, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 'reading', '', '', '', $5, $5)";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(actor).bind(name).bind(file).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

pub async fn find_import(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<ImportRow>, DbError> {
    const SQL: &str =
        "SELECT i.file_name, COALESCE(p.state, i.state) AS state, COALESCE(p.counts, '') AS counts, i.problem,
        i.created_at, COALESCE(p.updated_at, i.updated_at) AS updated_at
        FROM product_imports i LEFT JOIN product_import_progress p ON p.import_id = i.id WHERE i.id = $1";
    Ok(sql!(conn, c => sqlx::query_as::<_, ImportRow>(SQL).bind(id).fetch_optional(c).await)?)
}

pub async fn find_file_name(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<String>, DbError> {
    const SQL: &str = "SELECT file_name FROM product_imports WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// The progress of an import, locked until the transaction ends; none until the file is parsed.
pub async fn lock_progress(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Progress>, DbError> {
    // SQLite has only one writer anyway.
    let end = match conn {
        Conn::Postgres(_) => "FOR UPDATE",
        Conn::Sqlite(_) => "",
    };
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT state, counts, applied_by FROM product_import_progress WHERE import_id = $1 {end}"
    ));
    Ok(sql!(conn, c => sqlx::query_as::<_, Progress>(sql).bind(id).fetch_optional(c).await)?)
}

pub async fn find_file(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<Vec<u8>>, DbError> {
    const SQL: &str = "SELECT file FROM product_imports WHERE id = $1";
    Ok(sql!(conn, c => sqlx::query_scalar::<_, Vec<u8>>(SQL).bind(id).fetch_optional(c).await)?)
}

/// One JSON object per line of the file.
pub async fn find_report(conn: &mut Conn<'_>, id: Uuid) -> Result<String, DbError> {
    const SQL: &str = "SELECT report FROM product_imports WHERE id = $1";
    let report = sql!(conn, c => sqlx::query_scalar::<_, String>(SQL).bind(id).fetch_optional(c).await)?;
    Ok(report.unwrap_or_default())
}

/// Stores the result of parsing a file.
pub async fn set_read(
    conn: &mut Conn<'_>,
    id: Uuid,
    state: &str,
    report: &str,
    problem: &str,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str = "UPDATE product_imports SET state = $2, report = $3, problem = $4, updated_at = $5
        WHERE id = $1 AND state = 'reading'";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(state).bind(report).bind(problem).bind(now).execute(c).await
        .map(drop))?;
    Ok(())
}

/// Marks the import as ready to be applied, unless it is: a commit that was not answered is made again.
pub async fn insert_progress(
    conn: &mut Conn<'_>,
    id: Uuid,
    state: &str,
    counts: &str,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "INSERT INTO product_import_progress (import_id, state, counts, updated_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (import_id) DO NOTHING";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(state).bind(counts).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores the state of an import that the transaction has locked, and who changed it.
pub async fn set_progress(
    conn: &mut Conn<'_>,
    id: Uuid,
    state: &str,
    applied_by: &str,
    now: i64,
) -> Result<(), DbError> {
    const SQL: &str =
        "UPDATE product_import_progress SET state = $2, applied_by = $3, updated_at = $4 WHERE import_id = $1";
    sql!(conn, c => sqlx::query(SQL).bind(id).bind(state).bind(applied_by).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// The content of an item as it is stored. A former release reads the content alone.
#[derive(Serialize)]
struct StoredContent<'a> {
    #[serde(flatten)]
    content: &'a ProductContent,
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<&'a Positions>,
}

/// The rest of a stored content. One of a former release has no places.
#[derive(Default, Deserialize)]
struct StoredPositions {
    #[serde(default)]
    places: Positions,
}

/// Inserts or updates items.
pub async fn put_items(conn: &mut Conn<'_>, import: Uuid, items: &[Item]) -> Result<(), DbError> {
    const INSERT: &str = "INSERT INTO product_import_items
        (import_id, place, line, handle, product_id, version, content, counts, state, why) ";
    const UPDATE: &str = " ON CONFLICT (import_id, place) DO UPDATE SET product_id = excluded.product_id,
        version = excluded.version, content = excluded.content, counts = excluded.counts, state = excluded.state,
        why = excluded.why";
    let json = |item: &Item| -> Result<_, serde_json::Error> {
        let places = Some(&item.places).filter(|places| !places.is_empty());
        let stored = item.content.as_ref().map(|content| StoredContent { content, places });
        let content = stored.as_ref().map(serde_json::to_string).transpose()?;
        Ok((content, serde_json::to_string(&item.counts)?))
    };
    let rows = items.iter().map(|item| Ok((item, decoded("content", json(item))?)));
    let rows = rows.collect::<Result<Vec<_>, DbError>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    sql!(conn, c => sqlx::QueryBuilder::new(INSERT)
        .push_values(&rows, |mut row, (item, (content, counts))| {
            row.push_bind(import).push_bind(item.place).push_bind(item.line).push_bind(&item.handle)
                .push_bind(item.product_id).push_bind(item.version).push_bind(content).push_bind(counts)
                .push_bind(item.state.text()).push_bind(&item.why);
        })
        .push(UPDATE).build().persistent(false).execute(c).await.map(drop))?;
    Ok(())
}

#[derive(FromRow)]
struct ItemRow {
    place: i64,
    line: i64,
    handle: String,
    product_id: Option<Uuid>,
    version: i64,
    content: Option<String>,
    counts: String,
    state: String,
    why: String,
}

#[derive(FromRow)]
struct NextRow {
    #[sqlx(flatten)]
    item: ItemRow,
    /// Of the product as it is.
    variants: i64,
}

const ITEM_COLUMNS: &str = "i.place, i.line, i.handle, i.product_id, i.version, i.content, i.counts, i.state, i.why";

impl TryFrom<ItemRow> for Item {
    type Error = DbError;

    fn try_from(row: ItemRow) -> Result<Self, DbError> {
        let content = row.content.as_deref().map(serde_json::from_str).transpose();
        let places = row.content.as_deref().map(serde_json::from_str::<StoredPositions>).transpose();
        Ok(Self {
            place: row.place,
            line: row.line,
            handle: row.handle,
            product_id: row.product_id,
            version: row.version,
            content: decoded("content", content)?,
            places: decoded("content", places)?.unwrap_or_default().places,
            counts: decoded("counts", serde_json::from_str(&row.counts))?,
            state: decoded("state", row.state.parse())?,
            why: row.why,
        })
    }
}

/// The first items in a state, in file order.
pub async fn list_items(conn: &mut Conn<'_>, import: Uuid, state: ItemState, limit: i64) -> Result<Vec<Item>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {ITEM_COLUMNS} FROM product_import_items i WHERE i.import_id = $1 AND i.state = $2
        ORDER BY i.place LIMIT $3"
    ));
    let rows = sql!(conn, c => sqlx::query_as::<_, ItemRow>(sql).bind(import).bind(state.text()).bind(limit)
        .fetch_all(c).await)?;
    rows.into_iter().map(Item::try_from).collect()
}

/// The next items to write: no more than have so many variants together, but at least one.
pub async fn list_next(
    conn: &mut Conn<'_>,
    import: Uuid,
    state: ItemState,
    limit: i64,
    most_variants: usize,
) -> Result<Vec<Item>, DbError> {
    let (mut items, mut total) = (Vec::<Item>::new(), 0);
    let mut asked = 0;
    while asked < limit && total < most_variants {
        // Contents may be long: only as many are read at once as have fitted so far.
        let size = (limit - asked).min(asked.max(1));
        let rows = list_rows_after(conn, import, state, items.last().map_or(-1, |item| item.place), size).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let stored = usize::try_from(row.variants).unwrap_or(0);
            let item = Item::try_from(row.item)?;
            total += item.content.as_ref().map_or(0, |content| content.variants.len()).max(stored);
            if total > most_variants && !items.is_empty() {
                return Ok(items);
            }
            items.push(item);
        }
        asked += size;
    }
    Ok(items)
}

async fn list_rows_after(
    conn: &mut Conn<'_>,
    import: Uuid,
    state: ItemState,
    place: i64,
    limit: i64,
) -> Result<Vec<NextRow>, DbError> {
    let sql = sqlx::AssertSqlSafe(format!(
        "SELECT {ITEM_COLUMNS}, (SELECT COUNT(*) FROM product_variants v WHERE v.product_id = i.product_id) AS variants
        FROM product_import_items i WHERE i.import_id = $1 AND i.state = $2 AND i.place > $3 ORDER BY i.place LIMIT $4"
    ));
    Ok(sql!(conn, c => sqlx::query_as(sql).bind(import).bind(state.text()).bind(place).bind(limit)
        .fetch_all(c).await)?)
}

/// The number of items per state.
pub async fn count_items(conn: &mut Conn<'_>, import: Uuid) -> Result<Vec<(String, i64)>, DbError> {
    const SQL: &str = "SELECT state, COUNT(*) FROM product_import_items WHERE import_id = $1 GROUP BY state";
    Ok(sql!(conn, c => sqlx::query_as(SQL).bind(import).fetch_all(c).await)?)
}

/// Refreshes the planner statistics of the tables that an import writes; must run outside of a transaction. SQLite does not need it.
pub async fn analyze(conn: &mut Conn<'_>) -> Result<(), DbError> {
    const SQL: &str = "ANALYZE products, product_images, product_options, product_option_values, product_variants,
        variant_option_values, stock_levels, stock_movements, collection_products, search_terms, audit_entries";
    if let Conn::Postgres(c) = conn {
        c.run(sqlx::query(SQL)).await?;
    }
    Ok(())
}
