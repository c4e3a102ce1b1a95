//! Sending goods off, handing them over, and knowing that they have arrived.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::{FulfillmentKind, LineProgress, LineQuantity, carrier_page, checked, fulfillment_status};
use super::rows::{Fulfillment, Packed};
use super::store;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};
use crate::clock::Clock;
use crate::compliance::deliveries::{self, Delivery, Goods};
use crate::context::Context;
use crate::customers::address::Address;
use crate::db::{Conn, DbError, decoded};
use crate::error::{Error, FieldErrors};
use crate::ids::new_id;
use crate::orders::claim::claim;
use crate::orders::model::{FulfillmentStatus, OrderNews, OrderStatus, PaymentStatus};
use crate::orders::rows::{Line, Order};
use crate::orders::service::{self as orders, Event};

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
    /// All that is wrong with it for this order, but for its lines.
    fn problems(&self, order: &Order) -> Result<FieldErrors, DbError> {
        let mut errors = FieldErrors::new();
        let mut say = |field: &str, message: &str| errors.entry(field.to_owned()).or_default().push(message.to_owned());
        for (field, text) in [("carrier", &self.carrier), ("tracking_number", &self.tracking_number)] {
            if text.trim().is_empty() || text.chars().count() > MAX_CHARS || text.chars().any(char::is_control) {
                say(field, "Enter 1 to 80 characters.");
            }
        }
        let is_https = |text: &String| Url::parse(text).is_ok_and(|url| url.scheme() == "https");
        if self.tracking_url.as_ref().is_some_and(|text| !is_https(text)) {
            say("tracking_url", "Enter an https address, or leave it blank.");
        }
        if order.needs_signature() && !self.adult_signature {
            say(
                "adult_signature",
                "This package needs an adult signature. Book it with the carrier, then confirm here.",
            );
        }
        if order.needs_label()? && !self.label {
            say("label", "These items ship by ground only. Mark the package as required, then confirm here.");
        }
        Ok(errors)
    }
}

impl Fulfillment {
    /// Where its way can be followed: the address that staff have given, or else the page of a carrier that the shop knows.
    pub fn tracking_link(&self) -> Option<String> {
        self.tracking_url.clone().or_else(|| carrier_page(&self.carrier, &self.tracking_number))
    }
}

/// Records that a parcel has left, and writes to the buyer.
pub async fn ship(cx: &Context, number: &str, actor: &Actor, shipment: &Shipment) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, shipment.version).await?;
    if order.status != OrderStatus::Placed || order.picked_up {
        return Err(Error::conflict("not_to_ship", "This is a pickup order."));
    }
    require_paid(&order)?;
    let problems = shipment.problems(&order)?;
    let fulfillment = Fulfillment {
        id: new_id(clock),
        order_id: order.id,
        kind: FulfillmentKind::Parcel,
        carrier: shipment.carrier.trim().to_owned(),
        tracking_number: shipment.tracking_number.trim().to_owned(),
        tracking_url: shipment.tracking_url.clone(),
        adult_signature: shipment.adult_signature,
        label: shipment.label,
        shipped_at: clock.now_ms(),
        delivered_at: None,
    };
    let goods = pack(&mut conn, &order, &fulfillment, &shipment.lines, problems).await?;
    report(&mut conn, cx, &order, &fulfillment, &shipment.lines).await?;
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
    Ok(())
}

/// For the reports that states want of regulated goods. A line's value is shared so that its parcels add up to it.
async fn report(
    conn: &mut Conn<'_>,
    cx: &Context,
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
    deliveries::record(conn, cx.clock.as_ref(), &cx.config.company.time_zone, &delivery).await
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
pub async fn hand_over(cx: &Context, number: &str, actor: &Actor, handover: &Handover) -> Result<(), Error> {
    require_id(handover.id_checked)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, handover.version).await?;
    if order.status != OrderStatus::Placed || !order.picked_up {
        return Err(Error::conflict("not_to_hand_over", "This is a shipping order."));
    }
    require_paid(&order)?;
    let fulfillment = Fulfillment {
        id: new_id(clock),
        order_id: order.id,
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
    let goods = pack(&mut conn, &order, &fulfillment, &open, FieldErrors::new()).await?;
    let data = json!({ "fulfillment": fulfillment.id, "id_checked": true, "goods": goods });
    orders::record(&mut conn, clock, order.id, &Event::public("handed_over", data.clone()).by(&actor.label())).await?;
    derive_status(&mut conn, clock, order.id).await?;
    let change = Change::new("order.hand_over", Subject::new("order", order.id, &order.number), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// What the history calls an order whose goods lie ready.
pub const READY: &str = "pickup_ready";

/// Records that all of an order lies ready in the store, and writes to the buyer.
pub async fn make_ready(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let is_open = progress(&mut conn, order.id).await?.iter().any(|line| line.open() > 0);
    if order.status != OrderStatus::Placed || !order.picked_up || !is_open {
        return Err(Error::conflict("not_to_hand_over", "This order is not one to be picked up."));
    }
    if is_ready(&mut conn, order.id).await? {
        return Err(Error::conflict("ready_already", "The buyer was told already that this order is ready."));
    }
    orders::record(&mut conn, clock, order.id, &Event::public(READY, json!({})).by(&actor.label())).await?;
    orders::write(&mut conn, clock, order.id, OrderNews::PickupReady).await?;
    let change = Change::new("order.make_ready", Subject::new("order", order.id, &order.number), json!({}));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Whether an order's goods lie ready in the store, or have.
pub async fn is_ready(conn: &mut Conn<'_>, order: Uuid) -> Result<bool, DbError> {
    Ok(orders::list_history(conn, order).await?.iter().any(|entry| entry.kind == READY))
}

/// Whoever hands goods over, or takes money for them, has looked at an ID.
pub fn require_id(checked: bool) -> Result<(), Error> {
    if checked {
        return Ok(());
    }
    Err(Error::invalid("id_checked", "Check a photo ID first. The person picking up must be 21 or older."))
}

fn require_paid(order: &Order) -> Result<(), Error> {
    match order.payment_status {
        PaymentStatus::Paid | PaymentStatus::PartiallyRefunded => Ok(()),
        _ => Err(Error::conflict("not_paid", "This order isn’t paid, so it can’t be handed over or shipped.")),
    }
}

/// Stores what leaves, as far as it is open; answers with what it is, for the history.
async fn pack(
    conn: &mut Conn<'_>,
    order: &Order,
    fulfillment: &Fulfillment,
    choice: &[LineQuantity],
    mut problems: FieldErrors,
) -> Result<Value, Error> {
    let open: BTreeMap<Uuid, i64> =
        progress(conn, order.id).await?.iter().map(|line| (line.line_id, line.open())).collect();
    if open.values().all(|open| *open == 0) {
        return Err(Error::conflict("nothing_open", "Everything in this order has already left."));
    }
    let chosen = match checked(choice, |id| open.get(&id).copied()) {
        Ok(chosen) if problems.is_empty() => chosen,
        Ok(_) => return Err(Error::Invalid { errors: problems }),
        Err(problem) => {
            problems.entry("lines".to_owned()).or_default().push(problem.to_string());
            return Err(Error::Invalid { errors: problems });
        }
    };
    store::insert_fulfillment(conn, fulfillment).await?;
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
pub async fn deliver(cx: &Context, number: &str, actor: &Actor, version: i64, fulfillment: Uuid) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    if !store::set_delivered(&mut conn, order.id, fulfillment, cx.clock.now_ms()).await? {
        return Err(Error::conflict("not_on_its_way", "This package has already been delivered, or it doesn’t exist."));
    }
    let change = arrived(cx, &mut conn, &order, actor, fulfillment).await?;
    audit::service::record(&mut conn, cx.clock.as_ref(), actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Records that all parcels of an order have arrived.
pub async fn deliver_all(cx: &Context, number: &str, actor: &Actor, version: i64) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, version).await?;
    let mut changes = Vec::new();
    for parcel in store::list_fulfillments(&mut conn, order.id).await? {
        if store::set_delivered(&mut conn, order.id, parcel.id, cx.clock.now_ms()).await? {
            changes.push(arrived(cx, &mut conn, &order, actor, parcel.id).await?);
        }
    }
    audit::service::record_all(&mut conn, cx.clock.as_ref(), actor, &changes).await?;
    tx.commit().await?;
    Ok(())
}

/// What has to be in the audit log of it.
async fn arrived(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    actor: &Actor,
    fulfillment: Uuid,
) -> Result<Change, DbError> {
    let clock = cx.clock.as_ref();
    let data = json!({ "fulfillment": fulfillment });
    orders::record(conn, clock, order.id, &Event::public("delivered", data.clone()).by(&actor.label())).await?;
    derive_status(conn, clock, order.id).await?;
    Ok(Change::new("order.deliver", Subject::new("order", order.id, &order.number), data))
}

/// Writes the fulfillment status as it follows from what has left. A canceled order keeps its own.
pub async fn derive_status(conn: &mut Conn<'_>, clock: &dyn Clock, order: Uuid) -> Result<(), DbError> {
    let order = orders::find(conn, order).await?.ok_or(DbError::Inconsistent("the order of a package is gone"))?;
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

/// The parcels and handovers of many orders, the first first.
pub async fn list_of_all(conn: &mut Conn<'_>, orders: &[Uuid]) -> Result<HashMap<Uuid, Vec<Fulfillment>>, DbError> {
    let mut by_order: HashMap<Uuid, Vec<Fulfillment>> = HashMap::new();
    for fulfillment in store::list_fulfillments_of_all(conn, orders).await? {
        by_order.entry(fulfillment.order_id).or_default().push(fulfillment);
    }
    Ok(by_order)
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
