//! The analytics page.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_domain::analytics::days::after;
use shop_domain::analytics::figures::{Bucket, Figures, Part, Period, parts, rate, total};
use shop_domain::analytics::read;
use shop_domain::analytics::service::{Freshness, refresh_for_reader};
use shop_domain::analytics::visits::model::{Count, CountKind};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Link, Page, PageProps};
use utoipa::ToSchema;

use super::query::{PATH, ReportQuery};
use crate::admin::admin_meta;

/// Rows of each table.
const SHOWN: i64 = 20;

#[derive(Debug, Serialize, ToSchema)]
pub struct AnalyticsPage {
    /// Days, `2026-11-21`, both included.
    pub from: String,
    pub to: String,
    pub by: Bucket,
    pub compare: bool,
    /// The latest day that can be selected.
    pub today: String,
    /// The query string, for this page and its CSV files.
    pub query: String,
    /// Common periods to choose from.
    pub presets: Vec<Preset>,
    pub now: Figures,
    /// The same number of days before these.
    pub before: Figures,
    pub parts: Vec<Part>,
    pub pages: Vec<CountRow>,
    pub features: Vec<CountRow>,
    pub searches: Vec<CountRow>,
    pub empty_searches: Vec<CountRow>,
    pub carts: Vec<CountRow>,
    pub products: Vec<SoldRow>,
    pub categories: Vec<SoldRow>,
}

impl PageProps for AnalyticsPage {
    const NAME: &'static str = "admin/analytics";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct Preset {
    pub link: Link,
    pub is_current: bool,
}

/// How often something happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct CountRow {
    pub name: String,
    pub events: i64,
    /// In how many visits.
    pub visits: i64,
    /// For searches: how many found nothing.
    pub empty: i64,
}

/// What was sold of a product or category.
#[derive(Debug, Serialize, ToSchema)]
pub struct SoldRow {
    pub name: String,
    /// The address of its page, if it has one.
    pub href: Option<String>,
    pub units: i64,
    /// Minor units, after discounts, without tax, before refunds.
    pub amount: i64,
    /// Hundredths of a percent of all sales.
    pub share: Option<i64>,
}

/// `GET /admin/analytics`
pub async fn analytics(
    State(cx): State<Context>,
    State(last): State<Arc<Freshness>>,
    asked: Asked,
) -> Result<Page, Error> {
    refresh_for_reader(&cx, &last).await?;
    let today = cx.today();
    let query = ReportQuery::of(&asked, today);
    let ReportQuery { period, bucket, compare } = query;
    let days = read::list_days(&cx, period).await?;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let categories = categories(&mut conn, period).await?;
    let props = AnalyticsPage {
        from: period.first.to_string(),
        to: period.last.to_string(),
        by: bucket,
        compare,
        today: today.to_string(),
        query: query.text(),
        presets: presets(query, today),
        now: total(period, &days, today),
        before: total(period.before(), &days, today),
        parts: parts(period, bucket, &days, today),
        pages: counts(&mut conn, CountKind::Page, period).await?,
        features: counts(&mut conn, CountKind::Feature, period).await?,
        searches: counts(&mut conn, CountKind::Search, period).await?,
        empty_searches: rows(read::list_empty_searches(&mut conn, period, SHOWN).await?),
        carts: counts(&mut conn, CountKind::Cart, period).await?,
        products: products(&mut conn, period, SHOWN, &categories).await?,
        categories,
    };
    Page::new(format!("{PATH}?{}", props.query), &props, admin_meta("Analytics"))
}

fn presets(query: ReportQuery, today: jiff::civil::Date) -> Vec<Preset> {
    let ending = |days| Period::ending(today, days);
    let month = Period { first: today.first_of_month(), last: today };
    let last_month = after(month.first, -1);
    let presets = [
        ("7 days", ending(7), Bucket::Day),
        ("30 days", ending(30), Bucket::Day),
        ("90 days", ending(90), Bucket::Week),
        ("This month", month, Bucket::Day),
        ("Last month", Period { first: last_month.first_of_month(), last: last_month }, Bucket::Day),
        ("12 months", ending(365), Bucket::Month),
    ];
    // Only one: on its 30th day this month is the same period as 30 days.
    let current = presets.iter().position(|(_, period, _)| *period == query.period);
    let preset = |(at, (label, period, bucket))| {
        let preset = ReportQuery { period, bucket, ..query };
        Preset { link: Link::new(label, format!("{PATH}?{}", preset.text())), is_current: current == Some(at) }
    };
    presets.into_iter().enumerate().map(preset).collect()
}

async fn counts(conn: &mut Conn<'_>, kind: CountKind, period: Period) -> Result<Vec<CountRow>, DbError> {
    Ok(rows(read::list_counts(conn, kind, period, SHOWN).await?))
}

fn rows(counts: Vec<Count>) -> Vec<CountRow> {
    let row = |Count { name, events, visits, empty }| CountRow { name, events, visits, empty };
    counts.into_iter().map(row).collect()
}

/// The best-selling products, with their share of all sales in these categories.
pub async fn products(
    conn: &mut Conn<'_>,
    period: Period,
    limit: i64,
    categories: &[SoldRow],
) -> Result<Vec<SoldRow>, DbError> {
    let products = read::list_products(conn, period, limit).await?;
    let sold = categories.iter().map(|category| category.amount).sum();
    let row = |product: read::ProductTotal| SoldRow {
        // Of a deleted product only the title is known.
        href: (product.product != product.title).then(|| format!("/admin/products/{}", product.product)),
        name: product.title,
        units: product.units,
        amount: product.amount,
        share: rate(product.amount, sold),
    };
    Ok(products.into_iter().map(row).collect())
}

pub async fn categories(conn: &mut Conn<'_>, period: Period) -> Result<Vec<SoldRow>, DbError> {
    let categories = read::list_categories(conn, period).await?;
    let sold = categories.iter().map(|category| category.amount).sum();
    let row = |category: read::CategoryTotal| SoldRow {
        href: category.slug.map(|slug| format!("/category/{slug}")),
        name: category.name.unwrap_or_else(|| "Deleted".to_owned()),
        units: category.units,
        amount: category.amount,
        share: rate(category.amount, sold),
    };
    Ok(categories.into_iter().map(row).collect())
}
