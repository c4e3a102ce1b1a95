//! Texts that staff add to the shop's emails.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::error::Error;
use shop_base::fields::{Faults, visible};
use utoipa::ToSchema;

use super::parts::{Part, try_claim, unclaimed};
use super::store;
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};

/// What staff add to a kind of mail; an empty text adds nothing. `{{company}}`, `{{email}}` and the placeholders of the kind are filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct MailWords {
    /// Replaces the built-in subject.
    pub subject: String,
    /// Paragraphs before the mail's own text, and after it.
    pub opening: String,
    pub closing: String,
}

impl MailWords {
    /// The trimmed texts, without characters that show nothing, if the kind has every placeholder that they use.
    pub fn checked(&self, kind: &str) -> Result<Self, Error> {
        let mut faults = Faults::default();
        faults.line("subject", &self.subject, 0, 120);
        for (field, text) in [("subject", &self.subject), ("opening", &self.opening), ("closing", &self.closing)] {
            faults.unless(text.chars().count() <= 2_000, field, "Enter at most 2,000 characters.");
            faults.lines(field, text);
            for opened in text.split("{{").skip(1) {
                let name = opened.split_once("}}").map_or("", |(name, _)| name);
                if !placeholders(kind).contains(&name) {
                    faults.say(field, format!("Available placeholders: {}.", listed(placeholders(kind))));
                }
            }
        }
        faults.finish()?;
        let trimmed = |text: &String| visible(text).trim().to_owned();
        Ok(Self { subject: trimmed(&self.subject), opening: trimmed(&self.opening), closing: trimmed(&self.closing) })
    }
}

/// The placeholders allowed in the words of a kind of mail.
pub fn placeholders(kind: &str) -> &'static [&'static str] {
    if kind.starts_with("order_") { &["company", "email", "number"] } else { &["company", "email"] }
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("{{{{{name}}}}}")).collect::<Vec<_>>().join(", ")
}

/// Name and label of each kind.
pub const KINDS: [(&str, &str); 17] = [
    ("test", "Plain test"),
    ("order_confirmation", "Order confirmation"),
    ("order_shipped", "Order shipped"),
    ("order_refunded", "Refund"),
    ("order_canceled", "Order canceled"),
    ("order_goods_canceled", "Items canceled"),
    ("order_return_approved", "Return approved"),
    ("order_return_rejected", "Return rejected"),
    ("order_to_pay", "Payment link"),
    ("pickup_to_confirm", "Order to confirm (pickup, or no charge)"),
    ("order_pickup_ready", "Ready for pickup"),
    ("order_pickup_ready_undone", "Pickup correction"),
    ("order_pickup_reminder", "Pickup reminder"),
    ("order_shipment_undone", "Shipment correction"),
    ("welcome", "Welcome"),
    ("new_sign_in", "New device sign-in"),
    ("account_deleted", "Account deleted"),
];

/// The added texts by kind of mail, with their version.
pub async fn find_mail(conn: &mut Conn<'_>) -> Result<(BTreeMap<String, MailWords>, i64), DbError> {
    let (value, version) = store::find_value(conn, Part::Mail.name()).await?;
    Ok((decoded("value", serde_json::from_str(&value))?, version))
}

/// Changes the texts added to a kind of email; empty ones restore the built-in email.
pub async fn change_mail(
    cx: &Context,
    actor: &Actor,
    kind: &str,
    version: i64,
    words: &MailWords,
) -> Result<(), Error> {
    let Some((kind, label)) = KINDS.into_iter().find(|(name, _)| *name == kind) else {
        return Err(Error::NotFound);
    };
    let words = words.checked(kind)?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = try_claim(&mut conn, clock, Part::Mail, version).await?;
    let (mut all, _) = find_mail(&mut conn).await?;
    let before = all.remove(kind).unwrap_or_default();
    let is_stored = before == words;
    if is_stored || !is_claimed {
        return unclaimed(is_stored);
    }
    if words != MailWords::default() {
        all.insert(kind.to_owned(), words.clone());
    }
    let value = serde_json::to_string(&all).map_err(Error::internal)?;
    store::set_value(&mut conn, Part::Mail.name(), &value).await?;
    let change = Change::of("mail.update", Subject::new("setting", kind, label), &before, &words);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}
