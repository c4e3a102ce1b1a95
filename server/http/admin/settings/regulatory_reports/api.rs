//! Calls of the regulatory reports.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use serde::Deserialize;
use shop_base::address::{STATES, state};
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::csv::Rows;
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_base::money::Money;
use shop_base::{csv, weight};
use shop_domain::compliance::deliveries;
use shop_domain::compliance::deliveries::Record;
use shop_platform::audit::model::{Actor, Subject};
use shop_platform::web::extract::{Asked, Json, Key};
use utoipa::ToSchema;

use crate::admin::exports;

const HEADER: [&str; 16] = [
    "Date",
    "Order",
    "Consignee",
    "Street",
    "City",
    "State",
    "ZIP code",
    "Class",
    "SKU",
    "Product",
    "Quantity",
    "Weight (oz)",
    "Value (USD)",
    "Carrier",
    "Tracking number",
    "Adult signature",
];

/// `GET /api/admin/reports/deliveries.csv`
#[utoipa::path(get, path = "/api/admin/reports/deliveries.csv", params(
    ("month" = String, Query, description = "`YYYY-MM`"),
    ("state" = Option<String>, Query, description = "Two capital letters; all states when it is left out")), responses(
    (status = 200, description = "What was delivered, by state, consignee, city and ZIP code", content_type = "text/csv", body = String),
    (status = 422, description = "No such month or state", body = shop_base::error::Problem),
))]
pub async fn export(State(cx): State<Context>, actor: Actor, asked: Asked) -> Result<Response, Error> {
    let month = asked.parameter("month").unwrap_or_default();
    let wanted = asked.parameter("state").filter(|state| !state.is_empty());
    let mut faults = Faults::default();
    let is_month = month.len() == 7 && format!("{month}-01").parse::<Date>().is_ok();
    faults.unless(is_month, "month", "Enter a month as YYYY-MM.");
    faults.unless(
        wanted.as_deref().is_none_or(|code| state(code).is_some()),
        "state",
        "Enter a two-letter state code.",
    );
    faults.finish()?;
    let name = format!("deliveries-{month}-{}.csv", wanted.as_deref().unwrap_or("all"));
    exports::record(&cx, &actor, "delivery.export_list", Subject::new("delivery", "all", &name)).await?;
    Ok(csv::download(&name, &HEADER, move |rows| write(cx, month, wanted, rows)).into_response())
}

async fn write(cx: Context, month: String, wanted: Option<String>, mut out: Rows) -> Result<Rows, Error> {
    for state in STATES.iter().filter(|state| wanted.as_deref().is_none_or(|code| code == state.code)) {
        let mut reader = cx.db.read().await?;
        let records = deliveries::list_records(&mut reader.conn(), &month, state.code).await?;
        drop(reader);
        for record in records {
            if out.write(cells(&cx, record).iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
    }
    Ok(out)
}

fn cells(cx: &Context, record: Record) -> [String; 16] {
    let at = local_time(record.shipped_at, cx.zone());
    [
        at.get(..10).unwrap_or_default().to_owned(),
        record.order_number,
        record.consignee,
        record.street,
        record.city,
        record.state,
        record.postal_code,
        record.class,
        record.sku,
        record.title,
        record.quantity.to_string(),
        weight::ounces(record.weight_grams),
        Money::usd(record.value).decimal(),
        record.carrier,
        record.tracking_number,
        if record.adult_signature { "yes" } else { "no" }.to_owned(),
    ]
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ClassReporting {
    /// The version of the compliance settings that the caller saw.
    pub version: i64,
    pub is_reported: bool,
}

/// `PUT /api/admin/settings/compliance/classes/{class}`
#[utoipa::path(put, path = "/api/admin/settings/compliance/classes/{class}", request_body = ClassReporting,
    params(("class" = String, Path)), responses(
    (status = 204, description = "Whether its deliveries are recorded was saved"),
    (status = 404, description = "No such class", body = shop_base::error::Problem),
    (status = 409, description = "Changed by someone else in the meantime", body = shop_base::error::Problem),
))]
pub async fn set_reported(
    State(cx): State<Context>,
    actor: Actor,
    Key(class): Key,
    Json(input): Json<ClassReporting>,
) -> Result<StatusCode, Error> {
    deliveries::set_reported(&cx, &actor, &class, input.version, input.is_reported).await?;
    Ok(StatusCode::NO_CONTENT)
}
