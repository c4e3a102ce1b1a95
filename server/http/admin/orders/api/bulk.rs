//! One action on many orders, with a preview of what it would change.

use std::collections::HashSet;

use axum::Json as JsonBody;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, list};
use shop_base::error::Error;
use shop_domain::sales::flows::{allowed, archive, deliver};
use shop_domain::sales::mail::resend;
use shop_domain::sales::records::fulfillment::model::FulfillmentKind;
use shop_domain::sales::records::orders::model::OrderNews;
use shop_domain::sales::records::orders::rows::Order;
use shop_domain::sales::records::orders::service as orders;
use shop_domain::sales::records::{fulfillment, returns};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Json;
use utoipa::ToSchema;

use crate::admin::list::query::ListQuery;
use crate::admin::orders::queries;
use crate::admin::orders::queries::SPEC;

/// Maximum number of orders changed at once.
const MOST: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BulkAct {
    Archive,
    /// All parcels have been delivered.
    Deliver,
    /// Send the confirmation again.
    Confirm,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct BulkOrders {
    pub act: BulkAct,
    /// Numbers of the orders; alternatively `query`.
    #[serde(default)]
    pub numbers: Vec<String>,
    /// All orders that this query of the list finds.
    #[serde(default)]
    pub query: Option<String>,
    /// Reports what would happen without doing it.
    pub preview: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BulkOutcome {
    /// Numbers of the orders that are changed, or would be.
    pub changed: Vec<String>,
    pub unchanged: Vec<UnchangedOrder>,
}

/// An order that is not changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnchangedOrder {
    pub number: String,
    pub why: String,
}

/// `POST /api/admin/orders/bulk`
#[utoipa::path(post, path = "/api/admin/orders/bulk", request_body = BulkOrders, responses(
    (status = 200, description = "What was changed, or would be, and what stays as it is", body = BulkOutcome),
    (status = 401, description = "Not signed in", body = shop_base::error::Problem),
    (status = 403, description = "Not allowed", body = shop_base::error::Problem),
    (status = 422, description = "Nothing is chosen, or too much", body = shop_base::error::Problem),
))]
pub async fn bulk(
    State(cx): State<Context>,
    actor: Actor,
    Json(wanted): Json<BulkOrders>,
) -> Result<JsonBody<BulkOutcome>, Error> {
    let numbers = numbers(&cx, &wanted).await?;
    let mut outcome = BulkOutcome { changed: Vec::new(), unchanged: Vec::new() };
    for number in numbers {
        let mut reader = cx.db.read().await?;
        let mut conn = reader.conn();
        let Some(order) = orders::find_by_number(&mut conn, &number).await? else {
            outcome.unchanged.push(UnchangedOrder { number, why: "This order doesn’t exist.".to_owned() });
            continue;
        };
        let why_not = why_not(&mut conn, wanted.act, &order).await?;
        drop(reader);
        let done = match why_not {
            Some(why) => Err(why.to_owned()),
            None if wanted.preview => Ok(()),
            None => carry_out(&cx, &actor, wanted.act, &order).await?,
        };
        match done {
            Ok(()) => outcome.changed.push(number),
            Err(why) => outcome.unchanged.push(UnchangedOrder { number, why }),
        }
    }
    Ok(JsonBody(outcome))
}

async fn numbers(cx: &Context, wanted: &BulkOrders) -> Result<Vec<String>, Error> {
    let numbers = match &wanted.query {
        Some(query) => {
            let query = ListQuery::parse(&SPEC, query);
            let mut reader = cx.db.read().await?;
            let mut conn = reader.conn();
            let filter = queries::filter(&mut conn, &query, &cx.config.company.time_zone).await?;
            let filter = list::first(&mut conn, "orders o", filter).await?;
            queries::list_numbers(&mut conn, &filter, MOST + 1).await?
        }
        None => wanted.numbers.clone(),
    };
    if numbers.is_empty() {
        return Err(Error::invalid("numbers", "Select some orders."));
    }
    if numbers.len() > MOST {
        return Err(Error::invalid("numbers", "Select at most 500 orders at a time."));
    }
    // The buyer of an order that is named twice gets one email.
    let mut named = HashSet::new();
    Ok(numbers.into_iter().filter(|number| named.insert(number.clone())).collect())
}

async fn why_not(conn: &mut Conn<'_>, act: BulkAct, order: &Order) -> Result<Option<&'static str>, DbError> {
    Ok(match act {
        BulkAct::Archive => {
            let returns = returns::service::list(conn, order.id).await?;
            let why = "It hasn’t shipped, isn’t paid, needs attention, or has an open return.";
            allowed::archive(order, &returns).is_err().then_some(why)
        }
        BulkAct::Confirm if order.email.is_empty() => Some("The customer’s account was deleted."),
        BulkAct::Confirm => order.placed_at.is_none().then_some("It was never placed."),
        BulkAct::Deliver => {
            let parcels = fulfillment::service::list(conn, order.id).await?;
            let on_its_way = parcels
                .iter()
                .any(|(parcel, _)| parcel.kind == FulfillmentKind::Parcel && parcel.delivered_at.is_none());
            (!on_its_way).then_some("No package is on its way.")
        }
    })
}

/// Changes one order, as its own page would. An order that somebody else has changed in the meantime stays as it is, with the reason.
async fn carry_out(cx: &Context, actor: &Actor, act: BulkAct, order: &Order) -> Result<Result<(), String>, Error> {
    let done = match act {
        BulkAct::Archive => archive::archive(cx, &order.number, actor, order.version).await,
        BulkAct::Confirm => resend::resend(cx, &order.number, actor, OrderNews::Placed).await,
        BulkAct::Deliver => deliver::deliver_all(cx, &order.number, actor, order.version).await,
    };
    match done {
        Ok(()) => Ok(Ok(())),
        Err(Error::Conflict { detail, .. }) => Ok(Err(detail)),
        Err(error) => Err(error),
    }
}
