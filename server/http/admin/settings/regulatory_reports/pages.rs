//! The page of the regulatory reports.

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::compliance::model::Class;
use shop_domain::compliance::{deliveries, editing};
use shop_platform::settings::parts::{Part, version};
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Link, Page, PageProps};
use utoipa::ToSchema;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ReportsPage {
    /// Version of the compliance settings.
    pub version: i64,
    pub year: i16,
    /// Years with records, the newest first.
    pub years: Vec<Link>,
    pub months: Vec<MonthView>,
    pub classes: Vec<Class>,
}

impl PageProps for ReportsPage {
    const NAME: &'static str = "admin/settings/reports";
}

/// Deliveries to a state in a month.
#[derive(Debug, Serialize, ToSchema)]
pub struct MonthView {
    /// `YYYY-MM`
    pub month: String,
    pub state: String,
    pub records: i64,
    pub quantity: i64,
    /// Minor units, without tax.
    pub value: i64,
}

const PATH: &str = "/admin/settings/reports";

/// `GET /admin/settings/reports`
pub async fn page(State(cx): State<Context>, asked: Asked) -> Result<Page, Error> {
    let this_year = cx.today().year();
    let given = asked.parameter("year").and_then(|year| year.parse().ok());
    let year = given.filter(|year| (2000..=this_year).contains(year)).unwrap_or(this_year);
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let version = version(&mut conn, Part::Compliance).await?;
    let months = deliveries::list_months(&mut conn, year).await?;
    let years = deliveries::years(&mut conn).await?;
    let classes = editing::list_classes(&mut conn).await?;
    drop(reader);
    let first = years.map_or(this_year, |(first, _)| first.min(this_year));
    let href = |year: i16| if year == this_year { PATH.to_owned() } else { format!("{PATH}?year={year}") };
    let view = |count: deliveries::MonthCount| MonthView {
        month: count.month,
        state: count.state,
        records: count.records,
        quantity: count.quantity,
        value: count.value,
    };
    let props = ReportsPage {
        version,
        year,
        years: (first..=this_year).rev().map(|year| Link::new(year.to_string(), href(year))).collect(),
        months: months.into_iter().map(view).collect(),
        classes,
    };
    Page::new(href(year), &props, admin_meta("Delivery reports"))
}
