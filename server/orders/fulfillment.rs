//! Sending an order off.

use serde::Deserialize;
use serde_json::json;
use url::Url;
use utoipa::ToSchema;

use super::model::{FulfillmentStatus, OrderNews, OrderStatus, PaymentStatus};
use super::service::{self, Event};
use super::store::{self, Fulfillment};
use crate::app::App;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::error::{Error, FieldErrors};
use crate::ids::new_id;

/// How a parcel travels.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Shipment {
    /// Such as `UPS Ground`.
    pub carrier: String,
    pub tracking_number: String,
    /// The carrier's page, https.
    #[serde(default)]
    pub tracking_url: Option<String>,
    /// Confirms that the carrier was told to have an adult sign; needed where the order calls for it.
    #[serde(default)]
    pub adult_signature: bool,
}

const MAX_CHARS: usize = 80;

impl Shipment {
    fn check(&self) -> Result<(), Error> {
        let mut errors = FieldErrors::new();
        let mut say = |field: &str, message: &str| errors.entry(field.to_owned()).or_default().push(message.to_owned());
        for (field, text) in [("carrier", &self.carrier), ("tracking_number", &self.tracking_number)] {
            if text.trim().is_empty() || text.chars().count() > MAX_CHARS || text.chars().any(char::is_control) {
                say(field, "Enter 1 to 80 characters.");
            }
        }
        let is_https = |text: &String| Url::parse(text).is_ok_and(|url| url.scheme() == "https");
        if self.tracking_url.as_ref().is_some_and(|text| !is_https(text)) {
            say("tracking_url", "Enter an https address, or leave it out.");
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::Invalid { errors }) }
    }
}

/// Records that a paid order has left, and writes to its buyer.
pub async fn ship(app: &App, number: &str, actor: &Actor, shipment: &Shipment) -> Result<(), Error> {
    shipment.check()?;
    let clock = app.clock.as_ref();
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let Some(order) = store::lock_number(&mut conn, number).await? else {
        return Err(Error::NoRoute { path: format!("/api/admin/orders/{number}") });
    };
    if order.status != OrderStatus::Placed || order.picked_up {
        return Err(Error::conflict("not_to_ship", "This order is not one to be shipped."));
    }
    if order.payment_status != PaymentStatus::Paid {
        return Err(Error::conflict("not_paid", "This order is not paid: its parcel must not leave."));
    }
    if order.fulfillment_status != FulfillmentStatus::Unfulfilled {
        return Err(Error::conflict("shipped_before", "This order has left already."));
    }
    if order.adult_signature && !shipment.adult_signature {
        return Err(Error::invalid(
            "adult_signature",
            "An adult must sign for this parcel: book that with the carrier, and confirm it.",
        ));
    }
    let fulfillment = Fulfillment {
        id: new_id(clock),
        carrier: shipment.carrier.trim().to_owned(),
        tracking_number: shipment.tracking_number.trim().to_owned(),
        tracking_url: shipment.tracking_url.clone(),
        adult_signature: shipment.adult_signature,
        shipped_at: clock.now_ms(),
    };
    store::insert_fulfillment(&mut conn, order.id, &fulfillment).await?;
    store::set_fulfillment_status(&mut conn, order.id, FulfillmentStatus::Fulfilled, clock.now_ms()).await?;
    let data = json!({ "carrier": fulfillment.carrier, "tracking_number": fulfillment.tracking_number });
    service::record(&mut conn, clock, order.id, &Event::public("shipped", data.clone()).by(&actor.label())).await?;
    let change = Change::new("order.ship", Subject::new("order", order.id, &order.number), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    service::write(&mut conn, clock, order.id, OrderNews::Shipped).await?;
    tx.commit().await?;
    app.jobs.ring();
    Ok(())
}
