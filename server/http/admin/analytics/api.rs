//! The sections of the report as CSV files.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use jiff::civil::Date;
use shop_base::context::Context;
use shop_base::csv;
use shop_base::error::Error;
use shop_domain::analytics::figures::{Bucket, Part, parts};
use shop_domain::analytics::read;
use shop_domain::analytics::service::{Freshness, refresh_for_reader};
use shop_domain::analytics::visits::model::{Count, CountKind};
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::{Asked, FileName};

use super::pages;
use super::pages::SoldRow;
use super::query::ReportQuery;
use crate::admin::exports;

/// Maximum rows of a file.
const MOST: usize = 100_000;
/// Rows to read: one more, which shows that there are more.
const LIMIT: i64 = 100_001;

/// `GET /api/admin/analytics/{section}`
#[utoipa::path(get, path = "/api/admin/analytics/{section}", params(
    ("section" = String, Path, description = "`visits.csv`, `sales.csv`, `carts.csv`, `pages.csv`, `features.csv`, `searches.csv`,
        `empty-searches.csv`, `products.csv` or `categories.csv`"),
    ("from" = Option<String>, Query, description = "The first day, `2026-11-01`: 30 days before the last unless said"),
    ("to" = Option<String>, Query, description = "The last day: today unless said"),
    ("by" = Option<String>, Query, description = "`day`, `week` or `month`"),
), responses(
    (status = 200, description = "The section as CSV; amounts in dollars, lengths in seconds; of more than 100000 rows the first, as the first cell says", content_type = "text/csv", body = String),
    (status = 404, description = "No such section", body = shop_base::error::Problem),
    (status = 422, description = "No such day or bucket; days out of range are replaced by the nearest", body = shop_base::error::Problem),
))]
pub async fn export(
    State(cx): State<Context>,
    State(last): State<Arc<Freshness>>,
    actor: Actor,
    FileName(name): FileName,
    asked: Asked,
) -> Result<Response, Error> {
    asked.value::<Date>("from")?;
    asked.value::<Date>("to")?;
    asked.value::<Bucket>("by")?;
    refresh_for_reader(&cx, &last).await?;
    let today = cx.today();
    let ReportQuery { period, bucket, .. } = ReportQuery::of(&asked, today);
    let days = read::list_days(&cx, period).await?;
    let parts = || parts(period, bucket, &days, today);
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let (columns, mut rows): (&[&str], Vec<Vec<String>>) = match name.as_str() {
        "visits.csv" => (VISITS, parts().iter().map(visits).collect()),
        "sales.csv" => (SALES, parts().iter().map(sales).collect()),
        "carts.csv" => (CARTS, parts().iter().map(carts).collect()),
        "pages.csv" => (PAGES, counts(read::list_counts(&mut conn, CountKind::Page, period, LIMIT).await?, false)),
        "features.csv" => {
            (FEATURES, counts(read::list_counts(&mut conn, CountKind::Feature, period, LIMIT).await?, false))
        }
        "searches.csv" => {
            (SEARCHES, counts(read::list_counts(&mut conn, CountKind::Search, period, LIMIT).await?, true))
        }
        "empty-searches.csv" => (SEARCHES, counts(read::list_empty_searches(&mut conn, period, LIMIT).await?, true)),
        "products.csv" => {
            let categories = pages::categories(&mut conn, period).await?;
            (PRODUCTS, goods(pages::products(&mut conn, period, LIMIT, &categories).await?))
        }
        "categories.csv" => (CATEGORIES, goods(pages::categories(&mut conn, period).await?)),
        _ => return Err(Error::NotFound),
    };
    drop(reader);
    let cut = format!("{} (only the first {MOST})", columns[0]);
    let mut header = columns.to_vec();
    if rows.len() > MOST {
        rows.truncate(MOST);
        header[0] = &cut;
    }
    let file = format!("{}-{}-{name}", period.first, period.last);
    exports::record(&cx, &actor, "analytics.export", Subject::new("analytics", "all", &file)).await?;
    Ok(csv::download(&file, &header, move |mut out| async move {
        for row in rows {
            if out.write(row.iter().map(String::as_str)).await.is_err() {
                break;
            }
        }
        Ok(out)
    }))
}

const VISITS: &[&str] = &[
    "From",
    "To",
    "Visits",
    "Page views",
    "Average seconds",
    "Median seconds",
    "Searches",
    "Searches with no results",
    "Viewed a product",
    "Added to cart",
    "Reached checkout",
    "Ordered",
    "Conversion %",
];
const SALES: &[&str] = &[
    "From",
    "To",
    "Revenue",
    "Payments",
    "Refunded",
    "Lost disputes",
    "Refunds",
    "Orders",
    "Units (before refunds)",
    "Merchandise (before refunds)",
    "Discounts (before refunds)",
    "Shipping (before refunds)",
    "Tax (before refunds)",
    "Average order (before refunds)",
];
const CARTS: &[&str] = &["From", "To", "Carts", "Abandoned", "Abandoned %"];
const PAGES: &[&str] = &["Page", "Views", "Visits"];
const FEATURES: &[&str] = &["Feature", "Uses", "Visits"];
const SEARCHES: &[&str] = &["Search", "Times", "Visits", "No results"];
const PRODUCTS: &[&str] = &["Product", "Units (before refunds)", "Amount (before refunds)", "Share %"];
const CATEGORIES: &[&str] = &["Category", "Units (before refunds)", "Amount (before refunds)", "Share %"];

/// As a decimal that spreadsheets can read: dollars from cents, percent from hundredths; empty if there is no value.
fn hundredths(value: impl Into<Option<i64>>) -> String {
    let Some(value) = value.into() else { return String::new() };
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
}

fn number(value: impl Into<Option<i64>>) -> String {
    value.into().map(|value| value.to_string()).unwrap_or_default()
}

fn visits(part: &Part) -> Vec<String> {
    let now = &part.now;
    let figures = [
        Some(now.visits),
        Some(now.page_views),
        now.mean_length,
        now.median_length,
        Some(now.searches),
        Some(now.empty_searches),
        Some(now.products),
        Some(now.baskets),
        Some(now.checkouts),
        Some(now.buyers),
    ];
    row(part, figures.into_iter().map(number).chain([hundredths(now.conversion)]))
}

fn sales(part: &Part) -> Vec<String> {
    let now = &part.now;
    let counted = [now.refunds, now.orders, now.units].map(number);
    let money = [now.goods, now.discounts, now.shipping, now.tax].map(hundredths);
    let taken = [now.revenue, now.taken, now.refunded, now.lost_disputes].map(hundredths);
    row(part, taken.into_iter().chain(counted).chain(money).chain([hundredths(now.average_order)]))
}

fn carts(part: &Part) -> Vec<String> {
    let now = &part.now;
    row(part, [number(now.carts), number(now.abandoned), hundredths(now.abandonment)].into_iter())
}

fn row(part: &Part, figures: impl Iterator<Item = String>) -> Vec<String> {
    [part.first.clone(), part.last.clone()].into_iter().chain(figures).collect()
}

fn counts(counts: Vec<Count>, are_searches: bool) -> Vec<Vec<String>> {
    let row = |count: Count| {
        let empty = are_searches.then(|| count.empty.to_string());
        [count.name, count.events.to_string(), count.visits.to_string()].into_iter().chain(empty).collect()
    };
    counts.into_iter().map(row).collect()
}

fn goods(rows: Vec<SoldRow>) -> Vec<Vec<String>> {
    rows.into_iter()
        .map(|row| vec![row.name, number(row.units), hundredths(row.amount), hundredths(row.share)])
        .collect()
}
