//! The list of users, as a page and as a file.

use axum::extract::State;
use axum::response::Response;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::clock::{local_time, timestamp};
use shop_base::context::Context;
use shop_base::csv;
use shop_base::csv::Rows;
use shop_base::error::Error;
use shop_base::money::Money;
use shop_domain::saved_views;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use super::queries::{SPEC, UserRow};
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::ROWS;
use crate::admin::list::view::ListView;
use crate::admin::{admin_meta, exports};

#[derive(Debug, Serialize, ToSchema)]
pub struct UsersPage {
    pub list: ListView,
    pub users: Vec<UserItem>,
}

impl PageProps for UsersPage {
    const NAME: &'static str = "admin/users";
}

/// Times are those of the shop's zone, amounts minor units.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserItem {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub role: String,
    pub orders: i64,
    pub spent: i64,
    pub since: String,
    pub signed_in: String,
    pub is_blocked: bool,
    pub is_deleted: bool,
}

impl UserItem {
    fn of(row: UserRow, zone: &TimeZone) -> Self {
        Self {
            id: row.id,
            name: row.name,
            email: row.email,
            role: row.role,
            orders: row.order_count,
            spent: row.spent,
            since: local_time(row.created_at, zone),
            signed_in: local_time(row.signed_in_at, zone),
            is_blocked: row.blocked_at.is_some(),
            is_deleted: row.deleted_at.is_some(),
        }
    }
}

/// `GET /admin/users`
pub async fn page(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = cx.zone();
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, zone).await?;
    let total = queries::count_users(&mut conn, &filter).await?;
    let rows = queries::list_users(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let (rows, paging) = query.paged(rows, |row| row.place(&query));
    let props = UsersPage {
        list: query.view(total, paging, views, &[]),
        users: rows.into_iter().map(|row| UserItem::of(row, zone)).collect(),
    };
    Page::new(query.url(), &props, admin_meta("Users"))
}

const HEADER: [&str; 9] =
    ["Id", "Name", "Email", "Role", "Orders", "Spent (USD)", "Since (UTC)", "Last sign-in (UTC)", "Status"];

/// `GET /api/admin/users.csv`
#[utoipa::path(get, path = "/api/admin/users.csv", responses(
    (status = 200, description = "The users of the list's query as CSV", content_type = "text/csv", body = String),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    exports::record(&cx, &actor, "user.export_list", Subject::new("user", "all", query.recorded())).await?;
    Ok(csv::download("users.csv", &HEADER, move |rows| write(cx, query, rows)))
}

async fn write(cx: Context, query: ListQuery, mut out: Rows) -> Result<Rows, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = queries::filter(&mut conn, &query, cx.zone()).await?;
    // All at once: somebody who signs in meanwhile moves to another place in the list.
    let ids = queries::list_all_ids(&mut conn, &query, &filter).await?;
    drop(reader);
    for ids in ids.chunks(ROWS) {
        let mut users = queries::find_users(&mut cx.db.read().await?.conn(), ids).await?;
        for row in ids.iter().filter_map(|id| users.remove(id)) {
            if out.write(cells(&row).iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
    }
    Ok(out)
}

fn cells(row: &UserRow) -> Vec<String> {
    let state = match (row.deleted_at, row.blocked_at) {
        (Some(_), _) => "deleted",
        (None, Some(_)) => "blocked",
        (None, None) => "active",
    };
    vec![
        row.id.to_string(),
        row.name.clone(),
        row.email.clone(),
        row.role.clone(),
        row.order_count.to_string(),
        Money::usd(row.spent).decimal(),
        timestamp(row.created_at).to_string(),
        timestamp(row.signed_in_at).to_string(),
        state.to_owned(),
    ]
}
