//! `/admin/users/guests`: buyers without an account, by email address.

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::db::list::{Filter, Key, Place, Value};
use shop_base::error::Error;
use shop_domain::saved_views;
use shop_platform::audit::model::Actor;
use shop_platform::staff_search::model::{Kind, terms};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;
use crate::admin::list::query::ListQuery;
use crate::admin::list::spec::{Column, FilterKind, FilterSpec, ListSpec, RowId, Sort};
use crate::admin::list::view::ListView;
use crate::admin::orders::queries::and_placed;
use crate::admin::users::list::BUILT_IN;
use crate::admin::users::queries;
use crate::admin::users::queries::GuestRow;

pub static SPEC: ListSpec = ListSpec {
    path: "/admin/users/guests",
    id: RowId::Uuid("o.id"),
    columns: &[
        Column { name: "name", label: "Name", is_default: true, is_number: false, sort: None },
        Column { name: "email", label: "Email", is_default: true, is_number: false, sort: None },
        Column { name: "phone", label: "Phone", is_default: true, is_number: false, sort: None },
        Column { name: "orders", label: "Orders", is_default: true, is_number: true, sort: None },
        Column { name: "spent", label: "Spent", is_default: true, is_number: true, sort: None },
        Column {
            name: "last",
            label: "Last order",
            is_default: true,
            is_number: false,
            sort: Some(Sort::Number("o.created_at")),
        },
    ],
    filters: &[FilterSpec { name: "last", label: "Last order", kind: FilterKind::Days }],
    sort: "last",
    descending: true,
    built_in: BUILT_IN,
};

#[derive(Debug, Serialize, ToSchema)]
pub struct GuestsPage {
    pub list: ListView,
    pub guests: Vec<GuestItem>,
}

impl PageProps for GuestsPage {
    const NAME: &'static str = "admin/guests";
}

/// A guest with the data of their last order; guests are identified by email address only.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuestItem {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub orders: i64,
    /// What was paid less refunds and lost disputes, minor units.
    pub spent: i64,
    /// In the shop's time zone, `2026-11-21T12:00:05`.
    pub last: String,
    pub last_number: String,
}

impl GuestItem {
    fn of(row: GuestRow, figures: Option<(i64, i64)>, zone: &TimeZone) -> Result<Self, DbError> {
        let address = Address::stored(&row.address)?;
        let (orders, spent) = figures.unwrap_or_default();
        Ok(Self {
            name: address.full_name(),
            phone: if row.phone.is_empty() { address.phone } else { row.phone },
            email: row.email,
            orders,
            spent,
            last: local_time(row.placed_at, zone),
            last_number: row.number,
        })
    }
}

/// More words do not narrow the result further.
const MAX_TYPED: usize = 6;

/// Each guest is represented by their last order.
fn filter(query: &ListQuery, zone: &TimeZone) -> Filter {
    let mut filter = Filter::default();
    // Matches the partial index of all orders.
    filter.and("o.placed_at IS NOT NULL OR o.attention IS NOT NULL", []);
    filter.and("o.placed_at IS NOT NULL AND o.user_id IS NULL AND o.email <> ''", []);
    filter.and(
        "NOT EXISTS (SELECT 1 FROM orders n WHERE n.email = o.email AND n.id > o.id AND n.placed_at IS NOT NULL AND n.user_id IS NULL)",
        [],
    );
    and_placed(&mut filter, query.days("last"), zone);
    // The word may be of an earlier order: another phone number, or what was bought then.
    for word in terms([query.q.as_str()]).into_iter().take(MAX_TYPED) {
        let end = format!("{word}\u{10FFFF}");
        filter.and(
            "o.email IN (SELECT g.email FROM search_terms t JOIN orders g ON g.id = t.subject_id
             WHERE t.kind = ? AND t.term >= ? AND t.term < ? AND g.user_id IS NULL AND g.placed_at IS NOT NULL)",
            [Value::from(Kind::Order.text()), Value::from(word), Value::from(end)],
        );
    }
    filter
}

fn place(row: &GuestRow) -> Place {
    Place { key: Key::Integer(row.created_at), id: Value::Id(row.id) }
}

/// `GET /admin/users/guests`
pub async fn guests(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Page, Error> {
    let query = ListQuery::of(&SPEC, &asked);
    let zone = &cx.config.company.time_zone;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let filter = filter(&query, zone);
    let total = queries::count_guests(&mut conn, &filter).await?;
    let rows = queries::list_guests(&mut conn, &query, &filter.first_of(total), &query.window).await?;
    let (rows, paging) = query.paged(rows, place);
    let emails: Vec<&str> = rows.iter().map(|row| row.email.as_str()).collect();
    let figures = queries::list_guest_figures(&mut conn, &emails).await?;
    let views = saved_views::service::list(&mut conn, &actor, SPEC.path).await?;
    drop(reader);
    let guests = rows.into_iter().map(|row| {
        let known = figures.get(&row.email).copied();
        GuestItem::of(row, known, zone)
    });
    let props = GuestsPage { guests: guests.collect::<Result<_, _>>()?, list: query.view(total, paging, views, &[]) };
    Page::new(query.url(), &props, admin_meta("Guests"))
}
