//! The forms of the account page, as browsers without scripts post them. Each does the same as the page's call.

use std::collections::BTreeMap;

use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::fields::FieldErrors;
use shop_domain::cart::model::Edit;
use shop_domain::catalog::service::list_sellable;
use shop_domain::customers::model::{NewAddress, PreferencesChange, ProfileChange};
use shop_domain::customers::service;
use shop_domain::identity::model::Session;
use shop_domain::sales::records::orders;
use shop_domain::{cart, identity, privacy};
use shop_platform::web::cookies::SignedCookies;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::storefront::cart::unfinished;

/// The action of a button on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AccountAct)]
pub enum Act {
    OrderAgain,
    SaveProfile,
    AddAddress,
    RemoveAddress,
    SavePreferences,
    EndSession,
    EndOtherSessions,
    DeleteAccount,
}

impl Act {
    /// The action in `?open=`: those whose forms are closed at first.
    pub fn to_open(name: &str) -> Option<Self> {
        match name {
            "add_address" => Some(Self::AddAddress),
            "delete_account" => Some(Self::DeleteAccount),
            _ => None,
        }
    }

    /// Where the browser is redirected afterward.
    pub fn leads_to(self) -> &'static str {
        match self {
            Self::OrderAgain => "/cart",
            Self::SaveProfile => "/account#profile",
            Self::AddAddress | Self::RemoveAddress => "/account#addresses",
            Self::SavePreferences => "/account#preferences",
            Self::EndSession | Self::EndOtherSessions => "/account#sessions",
            Self::DeleteAccount => "/",
        }
    }
}

/// A posted form.
#[derive(Debug, Deserialize)]
pub struct Posted {
    /// The button that was pressed.
    #[serde(rename = "do")]
    pub act: Act,
    /// The fields' values by name.
    #[serde(flatten)]
    pub typed: BTreeMap<String, String>,
}

impl Posted {
    fn text(&self, field: &str) -> String {
        self.typed.get(field).cloned().unwrap_or_default()
    }

    /// The text of a field, unless it is what the page showed: another page may have changed it since.
    fn changed(&self, field: &str) -> Option<String> {
        let former = self.typed.get(&format!("former_{field}"));
        Some(self.text(field)).filter(|text| former != Some(text))
    }

    fn id(&self) -> Result<Uuid, Error> {
        self.text("id").parse().map_err(|_| malformed())
    }

    fn address(&self) -> NewAddress {
        NewAddress {
            first_name: self.text("first_name"),
            last_name: self.text("last_name"),
            company: self.text("company"),
            line1: self.text("line1"),
            line2: self.text("line2"),
            city: self.text("city"),
            state: self.text("state"),
            postal_code: self.text("postal_code"),
            phone: self.text("phone"),
            is_default: self.typed.contains_key("is_default"),
            user_id: None,
        }
    }
}

fn malformed() -> Error {
    Error::BadRequest { detail: "This form was not made by the shop.".to_owned() }
}

/// Carries out the form's action, or returns what is wrong with it, by field.
pub async fn carry_out(
    cookies: &SignedCookies,
    session: &Session,
    headers: &HeaderMap,
    posted: &Posted,
) -> Result<(), Error> {
    let cx: &Context = cookies;
    identity::service::check_shown(session, posted.typed.get("user_id").map(String::as_str))?;
    let user = session.user_id;
    match posted.act {
        Act::OrderAgain => order_again(cookies, user, headers, &posted.text("number")).await,
        Act::SaveProfile => {
            let change = ProfileChange { name: posted.changed("name"), phone: posted.changed("phone"), user_id: None };
            service::change_profile(cx, session, change).await.map(drop)
        }
        Act::AddAddress => service::add_address(cx, session, &posted.address()).await.map(drop),
        Act::RemoveAddress => match service::remove_address(cx, user, posted.id()?).await? {
            true => Ok(()),
            false => Err(Error::invalid("id", "This address isn’t in your account anymore.")),
        },
        Act::SavePreferences => {
            let change = PreferencesChange { preferred_state: Some(posted.text("preferred_state")), user_id: None };
            service::change_preferences(cx, session, change).await.map(drop)
        }
        Act::EndSession => match identity::service::end_session(cx, user, posted.id()?).await? {
            true => Ok(()),
            false => Err(Error::invalid("id", "This device isn’t signed in anymore.")),
        },
        Act::EndOtherSessions => identity::service::end_other_sessions(cx, session).await,
        Act::DeleteAccount => privacy::erase_confirmed(cx, session, &posted.text("confirm")).await,
    }
}

/// Puts those products of an order into the cart that are still sold, and reports the others.
async fn order_again(cookies: &SignedCookies, user: Uuid, headers: &HeaderMap, number: &str) -> Result<(), Error> {
    let mut reader = cookies.db.read().await?;
    let mut conn = reader.conn();
    let order = orders::service::find_by_number(&mut conn, number).await?;
    let order = order.filter(|order| order.user_id == Some(user) && order.placed_at.is_some()).ok_or_else(malformed)?;
    let lines = orders::service::list_lines(&mut conn, order.id).await?;
    let ids: Vec<Uuid> = lines.iter().filter_map(|line| line.variant_id).collect();
    let sold = list_sellable(&mut conn, &ids, &[]).await?;
    let held = unfinished::list_held(cookies, &mut conn, Some(user), headers).await?;
    drop(reader);
    let add = |line: &orders::rows::Line| {
        let id = line.variant_id.filter(|id| sold.iter().any(|variant| variant.id == *id))?;
        Some(Edit::Add { id, qty: line.quantity })
    };
    let edits: Vec<Edit> = lines.iter().filter_map(add).collect();
    let changes = cart::service::edit(cookies, user, &edits, &held).await?;
    let mut messages: Vec<String> = changes.into_iter().map(|change| change.message).collect();
    if edits.len() < lines.len() {
        messages.push("Some items are no longer available.".to_owned());
    }
    if messages.is_empty() {
        Ok(())
    } else {
        Err(Error::Invalid { errors: FieldErrors::from([("number".to_owned(), messages)]) })
    }
}
