//! Ships goods and records what the states require to be reported.

use serde::Deserialize;
use serde_json::json;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::fields::{Faults, one_line};
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use url::Url;
use utoipa::ToSchema;

use super::allowed;
use super::check_rules::{Classed, Demands, check, classed};
use super::pack::pack;
use super::progress::{derive_status, progress};
use super::refund::is_given_back;
use crate::compliance::deliveries;
use crate::compliance::deliveries::{Goods, RegulatedShipment};
use crate::sales::records::fulfillment::model::{FulfillmentKind, LineQuantity, tidy_tracking_number};
use crate::sales::records::fulfillment::rows::Fulfillment;
use crate::sales::records::fulfillment::store as fulfillments;
use crate::sales::records::orders::claim::claim;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::model::OrderNews;
use crate::sales::records::orders::rows::{Line, Order};
use crate::sales::records::orders::service as orders;

/// Contents and carrier of a parcel.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct Shipment {
    /// The order version that the caller saw.
    pub version: i64,
    pub lines: Vec<LineQuantity>,
    /// Such as `UPS Ground`.
    pub carrier: String,
    pub tracking_number: String,
    /// The carrier's page, https.
    #[serde(default)]
    pub tracking_url: Option<String>,
    /// Confirms that the carrier was told to require an adult signature; needed if the order requires one.
    #[serde(default)]
    pub adult_signature: bool,
    /// Confirms that the parcel bears the required marks; needed for goods that travel by ground only.
    #[serde(default)]
    pub label: bool,
    /// The refusal that is confirmed, word for word: the items leave although today's rules forbid it. Needs the permission to edit the rules.
    #[serde(default)]
    pub confirm_rules: Option<String>,
}

const MAX_CHARS: usize = 80;
const MAX_URL_CHARS: usize = 500;

impl Shipment {
    /// Without what comes along with a carrier and a number that were pasted.
    fn tidied(&self) -> Self {
        Self {
            carrier: one_line(&self.carrier),
            tracking_number: tidy_tracking_number(&self.tracking_number),
            ..self.clone()
        }
    }

    /// All validation errors, except those of its lines.
    fn problems(&self, demands: &Demands) -> Faults {
        let mut faults = Faults::default();
        for (field, text) in [("carrier", &self.carrier), ("tracking_number", &self.tracking_number)] {
            if text.is_empty() || text.chars().count() > MAX_CHARS || text.chars().any(char::is_control) {
                faults.say(field, "Enter 1 to 80 characters.");
            }
        }
        // The parser drops control characters, which would be stored.
        let is_https = |text: &String| {
            text.chars().count() <= MAX_URL_CHARS
                && !text.chars().any(char::is_control)
                && Url::parse(text).is_ok_and(|url| url.scheme() == "https")
        };
        if self.tracking_url.as_ref().is_some_and(|text| !is_https(text)) {
            faults.say("tracking_url", "Enter an https address of at most 500 characters, or leave it blank.");
        }
        if demands.signature && !self.adult_signature {
            faults.say(
                "adult_signature",
                "This package needs an adult signature. Book it with the carrier, then confirm here.",
            );
        }
        if demands.label && !self.label {
            faults.say("label", "These items ship by ground only. Mark the package as required, then confirm here.");
        }
        faults
    }
}

/// Records that a parcel was shipped, and emails the buyer.
pub async fn ship(cx: &Context, number: &str, actor: &Actor, shipment: &Shipment) -> Result<(), Error> {
    let (clock, shipment) = (cx.clock.as_ref(), shipment.tidied());
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let order = claim(&mut conn, number, shipment.version).await?;
    let before = progress(&mut conn, order.id).await?;
    allowed::ship(&order, &before, is_given_back(&mut conn, &order).await?)?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    let is_packed = |line: &&Line| shipment.lines.iter().any(|packed| packed.line_id == line.id && packed.quantity > 0);
    let leaving: Vec<&Line> = lines.iter().filter(is_packed).collect();
    let demands = check(cx, &mut conn, &order, &leaving).await?;
    demands.admit(shipment.confirm_rules.as_deref())?;
    let problems = shipment.problems(&demands);
    let fulfillment = Fulfillment {
        id: new_id(clock),
        order_id: order.id,
        kind: FulfillmentKind::Parcel,
        carrier: shipment.carrier,
        tracking_number: shipment.tracking_number,
        tracking_url: shipment.tracking_url.as_deref().map(|text| text.trim().to_owned()),
        adult_signature: shipment.adult_signature,
        label: shipment.label,
        shipped_at: clock.now_ms(),
        delivered_at: None,
    };
    let goods = pack(&mut conn, &before, &fulfillment, &shipment.lines, problems).await?;
    report(&mut conn, cx, &order, &fulfillment, &shipment.lines).await?;
    let mut data = json!({
        "fulfillment": fulfillment.id, "carrier": fulfillment.carrier,
        "tracking_number": fulfillment.tracking_number, "goods": goods,
    });
    orders::record(&mut conn, clock, order.id, &Event::new(EventKind::Shipped, data.clone()).by(&actor.label()))
        .await?;
    demands.record_exception(cx, &mut conn, &order, actor, &mut data).await?;
    derive_status(&mut conn, clock, order.id).await?;
    orders::write(&mut conn, clock, order.id, OrderNews::Parcel(fulfillment.id)).await?;
    let change = Change::new("order.ship", order.subject(), data);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// For the reports that states require on regulated goods. A line's value is split so that its parcels add up to it.
async fn report(
    conn: &mut Conn<'_>,
    cx: &Context,
    order: &Order,
    fulfillment: &Fulfillment,
    packed: &[LineQuantity],
) -> Result<(), DbError> {
    let address = order.address()?;
    let lines = orders::list_lines(conn, order.id).await?;
    let lines = classed(conn, &lines.iter().collect::<Vec<_>>()).await?;
    let progress = progress(conn, order.id).await?;
    let mut goods = Vec::new();
    for Classed { line, current } in &lines {
        let quantity: i64 = packed.iter().filter(|each| each.line_id == line.id).map(|each| each.quantity).sum();
        let Some(shipped) = progress.iter().find(|each| each.line_id == line.id).map(|each| each.shipped) else {
            continue;
        };
        if quantity == 0 {
            continue;
        }
        goods.push(Goods {
            class: current,
            sold_as: &line.compliance_class,
            sku: &line.sku,
            title: &line.title,
            quantity,
            weight_grams: line.weight_grams,
            value: value_of(line, shipped) - value_before(conn, order, line, shipped - quantity).await?,
        });
    }
    let delivery = RegulatedShipment {
        order_number: &order.number,
        address: &address,
        carrier: &fulfillment.carrier,
        tracking_number: &fulfillment.tracking_number,
        adult_signature: fulfillment.adult_signature,
        shipped_at: fulfillment.shipped_at,
        goods,
    };
    deliveries::record(conn, cx.clock.as_ref(), cx.zone(), &delivery).await
}

/// The value of the first pieces of a line, without tax.
fn value_of(line: &Line, pieces: i64) -> i64 {
    (line.total - line.tax) * pieces / line.quantity
}

/// The value of the pieces of a line in earlier parcels, as it was recorded: one of these parcels may have been undone. That of as many
/// pieces if their class was not reported then.
async fn value_before(conn: &mut Conn<'_>, order: &Order, line: &Line, pieces: i64) -> Result<i64, DbError> {
    let usual = value_of(line, pieces);
    if pieces == 0 {
        return Ok(usual);
    }
    let parcels = fulfillments::list_fulfillments(conn, order.id).await?;
    let Some(first) = parcels.first() else { return Ok(usual) };
    let recorded = deliveries::recorded(conn, &order.number, &line.sku, first.shipped_at).await?;
    Ok(if recorded.quantity == pieces { recorded.value } else { usual })
}
