//! Sending goods off, handing them over, and knowing that they have arrived.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::{FulfillmentKind, LineProgress, LineQuantity, checked, fulfillment_status};
use super::store::{self};
pub use super::store::{Fulfillment, Packed};
use crate::app::App;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::clock::Clock;
use crate::compliance::deliveries::{self, Delivery, Goods};
use crate::customers::address::Address;
use crate::db::{Conn, DbError, decoded};
use crate::error::{Error, FieldErrors};
use crate::ids::new_id;
use crate::orders::desk::claim;
use crate::orders::model::{FulfillmentStatus, OrderNews, OrderStatus, PaymentStatus};
use crate::orders::service::{self as orders, Event, Line, Order};

/// What is in a parcel, and how it travels.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Shipment {
    /// Of the order, as the caller saw it.
    pub version: i64,
    pub lines: Vec<LineQuantity>,
    /// Such as `UPS Ground`.
    pub carrier: String,
    pub tracking_number: String,
    /// The carrier's page, https.
    #[serde(default)]
    pub tracking_url: Option<String>,
    /// Confirms that the carrier was told to have an adult sign; needed where the order calls for it.
    #[serde(default)]
    pub adult_signature: bool,
    /// Confirms that the parcel bears the marks that its goods call for; needed where they travel by ground only.
    #[serde(default)]
    pub label: bool,
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

/// Records that a parcel has left, and writes to the buyer.
pub async fn ship(app: &App, number: &str, actor: &Actor, shipment: &Shipment) -> Result<(), Error> {
    shipment.check()?;
    let clock = app.clock.as_ref();
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, shipment.version).await?;
    if order.status != OrderStatus::Placed || order.picked_up {
        return Err(Error::conflict("not_to_ship", "This order is not one to be shipped."));
    }
    require_paid(&order)?;
    if order.adult_signature && !shipment.adult_signature {
        return Err(Error::invalid(
            "adult_signature",
            "An adult must sign for this parcel: book that with the carrier, and confirm it.",
        ));
    }
    if order.needs_label()? && !shipment.label {
        return Err(Error::invalid(
            "label",
            "These goods travel by ground only: mark the parcel as its goods call for, and confirm it.",
        ));
    }
    let fulfillment = Fulfillment {
        id: new_id(clock),
        kind: FulfillmentKind::Parcel,
        carrier: shipment.carrier.trim().to_owned(),
        tracking_number: shipment.tracking_number.trim().to_owned(),
        tracking_url: shipment.tracking_url.clone(),
        adult_signature: shipment.adult_signature,
        label: shipment.label,
        shipped_at: clock.now_ms(),
        delivered_at: None,
    };
    let goods = pack(&mut conn, &order, &fulfillment, &shipment.lines).await?;
    report(&mut conn, app, &order, &fulfillment, &shipment.lines).await?;
    let data = json!({
        "fulfillment": fulfillment.id, "carrier": fulfillment.carrier,
        "tracking_number": fulfillment.tracking_number, "goods": goods,
    });
    orders::record(&mut conn, clock, order.id, &Event::public("shipped", data.clone()).by(&actor.label())).await?;
    derive_status(&mut conn, clock, order.id).await?;
    orders::write(&mut conn, clock, order.id, OrderNews::Parcel(fulfillment.id)).await?;
    let change = Change::new("order.ship", Subject::new("order", order.id, &order.number), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    app.jobs.ring();
    Ok(())
}

/// For the reports that states want of regulated goods. A line's value is shared so that its parcels add up to it.
async fn report(
    conn: &mut Conn<'_>,
    app: &App,
    order: &Order,
    fulfillment: &Fulfillment,
    packed: &[LineQuantity],
) -> Result<(), DbError> {
    let address: Address = decoded("address", serde_json::from_str(&order.address))?;
    let lines = orders::list_lines(conn, order.id).await?;
    let progress = progress(conn, order.id).await?;
    let goods = lines.iter().filter_map(|line| {
        let quantity: i64 = packed.iter().filter(|each| each.line_id == line.id).map(|each| each.quantity).sum();
        let left = progress.iter().find(|each| each.line_id == line.id)?.left;
        let value_of = |pieces: i64| (line.total - line.tax) * pieces / line.quantity;
        (quantity > 0).then(|| Goods {
            class: &line.compliance_class,
            sku: &line.sku,
            title: &line.title,
            quantity,
            weight_grams: line.weight_grams,
            value: value_of(left) - value_of(left - quantity),
        })
    });
    let delivery = Delivery {
        order_number: &order.number,
        address: &address,
        carrier: &fulfillment.carrier,
        tracking_number: &fulfillment.tracking_number,
        adult_signature: fulfillment.adult_signature,
        shipped_at: fulfillment.shipped_at,
        goods: goods.collect(),
    };
    deliveries::record(conn, app.clock.as_ref(), &app.config.company.time_zone, &delivery).await
}

/// Giving an order to its buyer in the store.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Handover {
    pub version: i64,
    /// Confirms that a photo ID was checked, and that who takes the goods is 21 or older.
    #[serde(default)]
    pub id_checked: bool,
}

/// Records that all that is open of an order was handed over.
pub async fn hand_over(app: &App, number: &str, actor: &Actor, handover: &Handover) -> Result<(), Error> {
    require_id(handover.id_checked)?;
    let clock = app.clock.as_ref();
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, handover.version).await?;
    if order.status != OrderStatus::Placed || !order.picked_up {
        return Err(Error::conflict("not_to_hand_over", "This order is not one to be picked up."));
    }
    require_paid(&order)?;
    let fulfillment = Fulfillment {
        id: new_id(clock),
        kind: FulfillmentKind::Handover,
        carrier: String::new(),
        tracking_number: String::new(),
        tracking_url: None,
        adult_signature: false,
        label: false,
        shipped_at: clock.now_ms(),
        delivered_at: None,
    };
    let open: Vec<LineQuantity> = progress(&mut conn, order.id)
        .await?
        .iter()
        .map(|line| LineQuantity { line_id: line.line_id, quantity: line.open() })
        .collect();
    let goods = pack(&mut conn, &order, &fulfillment, &open).await?;
    let data = json!({ "fulfillment": fulfillment.id, "id_checked": true, "goods": goods });
    orders::record(&mut conn, clock, order.id, &Event::public("handed_over", data.clone()).by(&actor.label())).await?;
    derive_status(&mut conn, clock, order.id).await?;
    let change = Change::new("order.hand_over", Subject::new("order", order.id, &order.number), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Whoever hands goods over, or takes money for them, has looked at an ID.
pub fn require_id(checked: bool) -> Result<(), Error> {
    if checked {
        return Ok(());
    }
    Err(Error::invalid("id_checked", "Check a photo ID first: who takes these goods must be 21 or older."))
}

fn require_paid(order: &Order) -> Result<(), Error> {
    match order.payment_status {
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded => Ok(()),
        _ => Err(Error::conflict("not_paid", "This order is not paid: its goods must not leave.")),
    }
}

/// Stores what leaves, as far as it is open; answers with what it is, for the history.
async fn pack(
    conn: &mut Conn<'_>,
    order: &Order,
    fulfillment: &Fulfillment,
    choice: &[LineQuantity],
) -> Result<Value, Error> {
    let open: BTreeMap<Uuid, i64> =
        progress(conn, order.id).await?.iter().map(|line| (line.line_id, line.open())).collect();
    if open.values().all(|open| *open == 0) {
        return Err(Error::conflict("nothing_open", "Everything of this order has left already."));
    }
    let chosen = checked(choice, |id| open.get(&id).copied())
        .map_err(|problem| Error::invalid("lines", &problem.to_string()))?;
    store::insert_fulfillment(conn, order.id, fulfillment).await?;
    for (line_id, quantity) in &chosen {
        let packed = Packed { fulfillment_id: fulfillment.id, line_id: *line_id, quantity: *quantity };
        store::insert_line(conn, &packed).await?;
    }
    Ok(told(&orders::list_lines(conn, order.id).await?, &chosen))
}

/// Lines and quantities as histories and the audit log keep them.
pub fn told(lines: &[Line], chosen: &BTreeMap<Uuid, i64>) -> Value {
    lines
        .iter()
        .filter_map(|line| Some(json!({ "sku": line.sku, "title": line.title, "quantity": chosen.get(&line.id)? })))
        .collect()
}

/// Records that a parcel has arrived.
pub async fn deliver(app: &App, number: &str, actor: &Actor, version: i64, fulfillment: Uuid) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    if !store::set_delivered(&mut conn, order.id, fulfillment, app.clock.now_ms()).await? {
        return Err(Error::conflict("not_on_its_way", "This parcel has arrived already, or there is none."));
    }
    let change = arrived(app, &mut conn, &order, actor, fulfillment).await?;
    audit::service::record(&mut conn, app.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Records that all parcels of an order have arrived.
pub async fn deliver_all(app: &App, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let mut changes = Vec::new();
    for parcel in store::list_fulfillments(&mut conn, order.id).await? {
        if store::set_delivered(&mut conn, order.id, parcel.id, app.clock.now_ms()).await? {
            changes.push(arrived(app, &mut conn, &order, actor, parcel.id).await?);
        }
    }
    audit::service::record_all(&mut conn, app.clock.as_ref(), actor, &changes).await?;
    tx.commit().await?;
    Ok(())
}

/// What has to be in the audit log of it.
async fn arrived(
    app: &App,
    conn: &mut Conn<'_>,
    order: &Order,
    actor: &Actor,
    fulfillment: Uuid,
) -> Result<Change, DbError> {
    let clock = app.clock.as_ref();
    let data = json!({ "fulfillment": fulfillment });
    orders::record(conn, clock, order.id, &Event::public("delivered", data.clone()).by(&actor.label())).await?;
    derive_status(conn, clock, order.id).await?;
    Ok(Change::new("order.deliver", Subject::new("order", order.id, &order.number), data))
}

/// Writes the fulfillment status as it follows from what has left. A canceled order keeps its own.
pub async fn derive_status(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<(), DbError> {
    let order = orders::find(conn, order).await?.ok_or(DbError::Inconsistent("a parcel's order is gone"))?;
    if order.status == OrderStatus::Canceled {
        return Ok(());
    }
    let parcels = store::list_fulfillments(conn, order.id).await?;
    let all_delivered = parcels.iter().all(|parcel| parcel.delivered_at.is_some());
    let status: FulfillmentStatus = fulfillment_status(&progress(conn, order.id).await?, all_delivered);
    if status == order.fulfillment_status {
        return Ok(());
    }
    orders::set_fulfillment_status(conn, clock, order.id, status).await
}

/// An order's parcels and handovers, the first first.
pub async fn list(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<(Fulfillment, Vec<Packed>)>, DbError> {
    let mut packed = store::list_lines(conn, order).await?;
    let parcels = store::list_fulfillments(conn, order).await?;
    Ok(parcels
        .into_iter()
        .map(|parcel| {
            let (own, others) = packed.drain(..).partition(|line| line.fulfillment_id == parcel.id);
            packed = others;
            (parcel, own)
        })
        .collect())
}

/// How far each line of an order is, in their order.
pub async fn progress(conn: &mut Conn<'_>, order: Uuid) -> Result<Vec<LineProgress>, DbError> {
    let mut left: BTreeMap<Uuid, i64> = BTreeMap::new();
    for packed in store::list_lines(conn, order).await? {
        *left.entry(packed.line_id).or_default() += packed.quantity;
    }
    let lines = orders::list_lines(conn, order).await?;
    Ok(lines
        .iter()
        .map(|line| LineProgress {
            line_id: line.id,
            ordered: line.quantity,
            canceled: line.canceled,
            left: left.get(&line.id).copied().unwrap_or(0),
        })
        .collect())
}
