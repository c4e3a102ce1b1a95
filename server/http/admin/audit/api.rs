//! The audit log as a file, and the check of its hash chain.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use shop_base::clock::timestamp;
use shop_base::context::Context;
use shop_base::csv;
use shop_base::csv::Rows;
use shop_base::db::list::Window;
use shop_base::error::Error;
use shop_platform::audit::head::Head;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::audit::service::{Chain, Mark};
use shop_platform::web::extract::Asked;
use utoipa::ToSchema;

use super::queries;
use super::queries::{EntryRow, SPEC};
use crate::admin::exports;
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ROWS;

/// Whether every entry up to one is intact.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChainView {
    pub is_sound: bool,
    /// Whether the check is over; otherwise ask for what follows that entry.
    pub is_complete: bool,
    /// The number of the last entry verified; for a broken chain, that of the first entry that was altered.
    pub seq: i64,
    /// The hash of the last one verified, in hexadecimal, to compare with earlier ones in the server's log.
    pub head: Option<String>,
}

impl From<Chain> for ChainView {
    fn from(chain: Chain) -> Self {
        match chain {
            Chain::Sound { entries, head } => {
                Self { is_sound: true, is_complete: true, seq: entries, head: Some(head) }
            }
            Chain::SoundUntil(Mark { seq, hash }) => Self { is_sound: true, is_complete: false, seq, head: Some(hash) },
            Chain::Broken { seq } => Self { is_sound: false, is_complete: true, seq, head: None },
        }
    }
}

/// `GET /api/admin/audit/chain`
#[utoipa::path(get, path = "/api/admin/audit/chain", params(
    ("after" = Option<i64>, Query, description = "The `seq` of the answer before, to go on from there; none for the first"),
    ("head" = Option<String>, Query, description = "Its `head`"),
), responses(
    (status = 200, description = "How the chain stands, as far as it was read", body = ChainView),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
    (status = 422, description = "A parameter has no valid value", body = shop_base::error::Problem),
))]
pub async fn chain(
    State(cx): State<Context>,
    State(head): State<Arc<Head>>,
    asked: Asked,
) -> Result<Json<ChainView>, Error> {
    let seq = asked.value("after")?.unwrap_or_default();
    let from = Mark { seq, hash: asked.parameter("head").unwrap_or_default() };
    Ok(Json(head.check(&cx.db, &from).await?.into()))
}

const HEADER: [&str; 12] =
    ["Number", "Time (UTC)", "Who", "User id", "Role", "Action", "Kind", "Id", "Name", "Before", "After", "From"];

/// `GET /api/admin/audit.csv`
#[utoipa::path(get, path = "/api/admin/audit.csv", responses(
    (status = 200, description = "The entries of the list's query as CSV", content_type = "text/csv", body = String),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not an admin", body = shop_base::error::Problem),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    exports::record(&cx, &actor, "audit_entry.export_list", Subject::new("audit_entry", "all", query.recorded()))
        .await?;
    Ok(csv::download("audit.csv", &HEADER, move |rows| write(cx, query, rows)))
}

/// Page by page: neither an entry nor its place in the list ever changes.
async fn write(cx: Context, query: ListQuery, mut out: Rows) -> Result<Rows, Error> {
    let filter = queries::filter(&cx.db.read().await?.conn(), &query, &cx.config.company.time_zone);
    let mut window = Window::Start;
    loop {
        let mut rows = queries::list_entries(&mut cx.db.read().await?.conn(), &query, &filter, &window).await?;
        let more = rows.len() > ROWS;
        rows.truncate(ROWS);
        for row in &rows {
            if out.write(cells(row).iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
        match rows.last().filter(|_| more) {
            Some(last) => window = Window::After(last.place()),
            None => return Ok(out),
        }
    }
}

fn cells(row: &EntryRow) -> Vec<String> {
    vec![
        row.seq.to_string(),
        timestamp(row.at).to_string(),
        row.actor_name.clone(),
        row.actor_id.to_string(),
        row.role.clone(),
        row.action.clone(),
        row.subject_kind.clone(),
        row.subject_id.clone(),
        row.subject_label.clone(),
        row.before.clone(),
        row.after.clone(),
        format!("{}, {}", row.network, row.device),
    ]
}
