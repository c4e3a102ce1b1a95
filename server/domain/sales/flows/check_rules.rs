//! Checks goods that leave against the rules of that day: they may have changed since the order was placed.

use std::collections::HashSet;

use serde_json::{Value, json};
use shop_base::clock::timestamp;
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit::model::Actor;
use uuid::Uuid;

use crate::catalog::service::classes_of;
use crate::compliance::model::{Delivery, Refusal};
use crate::compliance::service::{decide_for, list_ground_classes};
use crate::sales::records::fulfillment::model::LineProgress;
use crate::sales::records::orders::history::{Event, EventKind};
use crate::sales::records::orders::rows::{Line, Order};
use crate::sales::records::orders::service as orders;

/// Said of a PO box or a package locker.
pub const NOBODY_SIGNS: &str = "An adult must sign for this package, so it can’t go to a PO box or a package locker.";

/// A line and the current class of its goods, which staff may have corrected since the sale.
#[derive(Debug)]
pub struct Classed<'a> {
    pub line: &'a Line,
    pub current: String,
}

impl Classed<'_> {
    /// The class at the sale, and the current one: the rules of both count.
    pub fn classes(&self) -> [&str; 2] {
        [&self.line.compliance_class, &self.current]
    }
}

/// Lines with their current classes. Goods that the shop no longer has keep the class of the sale.
pub async fn classed<'a>(conn: &mut Conn<'_>, lines: &[&'a Line]) -> Result<Vec<Classed<'a>>, DbError> {
    let variants: Vec<Uuid> = lines.iter().filter_map(|line| line.variant_id).collect();
    let current = classes_of(conn, &variants).await?;
    let of = |line: &'a Line| line.variant_id.and_then(|id| current.get(&id)).unwrap_or(&line.compliance_class);
    Ok(lines.iter().map(|&line| Classed { line, current: of(line).clone() }).collect())
}

/// What goods that leave today need. What the order needed when it was placed stays needed.
#[derive(Debug)]
pub struct Demands {
    /// The package needs an adult signature.
    pub signature: bool,
    /// The package travels by ground only and must be marked.
    pub label: bool,
    /// Why the goods must not leave: items and reason, one text for each class of goods.
    pub refusals: Vec<String>,
}

/// The lines of which something has not left.
pub fn open<'a>(lines: &'a [Line], progress: &[LineProgress]) -> Vec<&'a Line> {
    let is_open = |line: &&Line| progress.iter().any(|each| each.line_id == line.id && each.open() > 0);
    lines.iter().filter(is_open).collect()
}

/// What today's rules demand for these lines of an order. How it was paid is over, so rules about that do not count.
pub async fn check(cx: &Context, conn: &mut Conn<'_>, order: &Order, leaving: &[&Line]) -> Result<Demands, DbError> {
    if leaving.is_empty() {
        return Ok(Demands { signature: order.needs_signature(), label: order.needs_label()?, refusals: Vec::new() });
    }
    let company = &cx.config.company;
    let today = cx.today();
    let goods = classed(conn, leaving).await?;
    let classes: Vec<&str> = goods.iter().flat_map(Classed::classes).collect();
    let address = order.address()?;
    let (state, delivery) = match order.picked_up {
        true => (&company.state, Delivery::Pickup),
        false => (&address.state, Delivery::Ship),
    };
    let decision = decide_for(conn, &classes, state, delivery, today).await?;
    let is_parcel = !order.picked_up;
    let signature = order.needs_signature() || (is_parcel && decision.adult_signature);
    let mut refusals: Vec<String> = decision.refusals.iter().map(|refusal| told(refusal, &goods)).collect();
    // Both classes of a line may be refused for the same reason.
    refusals.dedup();
    if is_parcel && signature && address.is_po_box() {
        refusals.push(NOBODY_SIGNS.to_owned());
    }
    Ok(Demands { signature, label: order.needs_label()? || (is_parcel && decision.ground_only), refusals })
}

/// The lines whose goods are hazardous in transport: by the rules of today, or of the day of the sale, they may not travel by air.
pub async fn list_hazardous(
    cx: &Context,
    conn: &mut Conn<'_>,
    order: &Order,
    lines: &[Line],
) -> Result<HashSet<Uuid>, DbError> {
    let goods = classed(conn, &lines.iter().collect::<Vec<_>>()).await?;
    let classes: Vec<&str> = goods.iter().flat_map(Classed::classes).collect();
    let address = order.address()?;
    let state = if order.picked_up { &cx.config.company.state } else { &address.state };
    // A class that was recalled since may have no rule today.
    let sold_on = order.placed_at.map(|at| timestamp(at).to_zoned(cx.zone().clone()).date());
    let days: Vec<_> = [Some(cx.today()), sold_on].into_iter().flatten().collect();
    let ground = list_ground_classes(conn, &classes, state, &days).await?;
    let is_hazardous = |each: &&Classed<'_>| each.classes().iter().any(|class| ground.contains(*class));
    Ok(goods.iter().filter(is_hazardous).map(|each| each.line.id).collect())
}

/// `Ronson butane: No ground service reaches Alaska.`
fn told(refusal: &Refusal, goods: &[Classed<'_>]) -> String {
    let is_refused = |each: &&Classed<'_>| each.classes().contains(&refusal.class.as_str());
    let mut titles: Vec<&str> = goods.iter().filter(is_refused).map(|each| each.line.title.as_str()).collect();
    titles.dedup();
    format!("{}: {}", titles.join(", "), refusal.message)
}

impl Demands {
    /// Why the goods must not leave, and what to do.
    pub fn refusal(&self) -> Option<String> {
        let message = format!(
            "Today’s rules don’t let these items leave. {} Cancel and refund them. If they may leave all the same, someone who may edit the rules can confirm that.",
            self.refusals.join(" ")
        );
        Some(message).filter(|_| !self.refusals.is_empty())
    }

    /// Refuses goods that must not leave, unless staff who were told so, in these words, confirmed that they leave all the same.
    pub fn admit(&self, confirmed: Option<&str>) -> Result<(), Error> {
        match self.refusal() {
            Some(refusal) if confirmed != Some(refusal.as_str()) => Err(Error::conflict("rules_forbid", &refusal)),
            _ => Ok(()),
        }
    }

    /// Records in the history that staff let goods leave against the rules, and adds it to the entry for the audit log.
    pub async fn record_exception(
        &self,
        cx: &Context,
        conn: &mut Conn<'_>,
        order: &Order,
        actor: &Actor,
        audited: &mut Value,
    ) -> Result<(), DbError> {
        if self.refusals.is_empty() {
            return Ok(());
        }
        audited["confirmed_rules"] = json!(self.refusals);
        let event = Event::new(EventKind::RulesConfirmed, json!({ "rules": self.refusals })).by(&actor.label());
        orders::record(conn, cx.clock.as_ref(), order.id, &event).await
    }
}
