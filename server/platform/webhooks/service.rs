//! Announces events to endpoints, and lets staff manage the endpoints.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shop_base::clock::{Clock, timestamp};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::error::Error;
use shop_base::fields::Faults;
use shop_base::ids::new_id;
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;

use super::egress::{Egress, NotPublic};
use super::jobs::SendDispatch;
use super::model::{DispatchStatus, EndpointInput, FORMER_SIGNS_FOR, NotificationKind, Payload};
use super::rows::{Dispatch, Endpoint, OlderSecret};
use super::sender::Sender;
use super::{queries, store};
use crate::audit::model::{Actor, Change, Subject};
use crate::{audit, jobs};

/// The endpoints subscribed to a kind of event at this moment.
#[derive(Debug)]
pub struct Listeners {
    kind: NotificationKind,
    endpoints: Vec<Uuid>,
}

/// Ask before composing the notification: mostly there are no listeners.
pub async fn listeners(conn: &mut Conn<'_>, kind: NotificationKind) -> Result<Listeners, DbError> {
    let mut endpoints = Vec::new();
    for (id, events) in store::list_enabled(conn).await? {
        let wanted: Vec<String> = decoded("events", serde_json::from_str(&events))?;
        if wanted.iter().any(|name| name == kind.text()) {
            endpoints.push(id);
        }
    }
    Ok(Listeners { kind, endpoints })
}

impl Listeners {
    pub fn is_empty(&self) -> bool {
        self.endpoints.is_empty()
    }

    /// Notifies them once the caller's transaction is committed. `data` identifies no buyer; `subject` is what staff call the thing.
    pub async fn announce(
        &self,
        conn: &mut Conn<'_>,
        clock: &dyn Clock,
        subject: &str,
        data: &Value,
    ) -> Result<(), DbError> {
        let id = new_id(clock);
        let payload = payload(clock, id, self.kind, data)?;
        for endpoint in &self.endpoints {
            let about = About { notification: id, kind: self.kind.text(), subject };
            add(conn, clock, *endpoint, &about, &payload, false).await?;
        }
        Ok(())
    }
}

fn payload(clock: &dyn Clock, id: Uuid, kind: NotificationKind, data: &Value) -> Result<String, DbError> {
    let occurred_at = timestamp(clock.now_ms()).to_string();
    decoded("payload", serde_json::to_string(&Payload { id, kind, occurred_at, data }))
}

/// The notification that a dispatch carries.
struct About<'a> {
    notification: Uuid,
    kind: &'a str,
    subject: &'a str,
}

/// Stores a dispatch with the job that sends it; returns its id.
async fn add(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    endpoint: Uuid,
    about: &About<'_>,
    payload: &str,
    by_hand: bool,
) -> Result<Uuid, DbError> {
    let dispatch = Dispatch {
        id: new_id(clock),
        notification_id: about.notification,
        endpoint_id: endpoint,
        kind: about.kind.to_owned(),
        subject: about.subject.to_owned(),
        payload: payload.to_owned(),
        status: DispatchStatus::Waiting,
        by_hand,
        attempts: 0,
        first_at: None,
    };
    store::insert_dispatch(conn, &dispatch, clock.now_ms()).await?;
    jobs::service::add(conn, clock, &SendDispatch { dispatch: dispatch.id, endpoint: Some(endpoint) }).await?;
    Ok(dispatch.id)
}

/// More would make every order slower.
const MOST_ENDPOINTS: usize = 20;
const LOOK_UP_LIMIT: Duration = Duration::from_secs(3);

/// The entered settings, normalized, or what is wrong with them. `known` is the address that is stored: it may have become one to which nothing
/// is sent, which keeps nobody from turning the endpoint off.
async fn checked(reach: Egress, input: &EndpointInput, known: Option<&str>) -> Result<EndpointInput, Error> {
    let mut faults = Faults::default();
    faults.line("name", &input.name, 1, 60);
    let is_unused = !input.is_enabled && known == Some(input.url.as_str());
    let url = if is_unused { Ok(input.url.clone()) } else { checked_url(reach, &input.url).await };
    if let Err(message) = url {
        faults.say("url", message);
    }
    let mut events: Vec<NotificationKind> = NotificationKind::choices().collect();
    events.retain(|kind| input.events.contains(kind));
    faults.unless(!events.is_empty(), "events", "Choose at least one event.");
    faults.finish()?;
    let (name, url) = (input.name.trim().to_owned(), url.unwrap_or_default());
    Ok(EndpointInput { name, url, events, is_enabled: input.is_enabled })
}

/// The entered address, normalized, or what is wrong with it.
async fn checked_url(reach: Egress, text: &str) -> Result<String, &'static str> {
    let url = reach.read(text)?;
    if let Some(name) = url.domain() {
        // A name that does not resolve is accepted: it may be registered later.
        let found = tokio::time::timeout(LOOK_UP_LIMIT, reach.look_up(name)).await;
        if let Ok(Err(error)) = found
            && error.get_ref().is_some_and(|cause| cause.is::<NotPublic>())
        {
            return Err("This name resolves to an address that isn’t public, so nothing would be sent there.");
        }
    }
    Ok(url.into())
}

/// An endpoint's secret, which is shown only this once.
#[derive(Debug, serde::Serialize, ToSchema)]
pub struct EndpointSecret {
    pub id: Uuid,
    /// `whsec_` and 32 bytes in base64.
    pub secret: String,
}

/// As the audit log has it. What follows the origin may be a secret, so only a hash tells whether it was changed.
fn recorded(input: &EndpointInput) -> EndpointInput {
    let origin = Url::parse(&input.url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    let hash: String = Sha256::digest(&input.url).iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    EndpointInput { url: format!("{origin}/… ({hash})"), ..input.clone() }
}

fn subject(id: Uuid, name: &str) -> Subject {
    Subject::new("setting", id, name)
}

/// Creates an endpoint, whose id follows from the `request`. Sent again because an answer was lost, the same one gets what it has created, with
/// the settings that it has by then: of a second one nobody would know the secret of the first. If somebody has changed that meanwhile, it is
/// left as it is.
pub async fn create(
    cx: &Context,
    sender: &Sender,
    actor: &Actor,
    input: &EndpointInput,
    request: Option<Uuid>,
) -> Result<EndpointSecret, Error> {
    let input = checked(sender.reach, input, None).await?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    store::lock_creation(&mut conn).await?;
    let endpoints = queries::list_endpoints(&mut conn).await?;
    // Everybody sees the id, and whoever knows the request gets the secret: the one does not lead back to the other.
    let made_id = request.map(|request| Uuid::new_v5(&Uuid::NAMESPACE_OID, request.as_bytes()));
    // A former release has given the endpoint another id.
    let is_of = |known: &Endpoint| Some(known.id) == made_id || known.secret_request_id == request;
    if let Some(known) = endpoints.iter().find(|known| request.is_some() && is_of(known)) {
        let (id, before) = (known.id, known.input()?);
        let is_untouched = known.secret_request_id == request && (known.version == 1 || before == input);
        let secret = sender.shown(id, &known.secret).filter(|_| is_untouched).ok_or_else(created_already)?;
        if before != input {
            store::update_endpoint(&mut conn, id, &input, clock.now_ms()).await?;
            let change = Change::of("webhook.update", subject(id, &input.name), &recorded(&before), &recorded(&input));
            audit::service::record(&mut conn, clock, actor, &change).await?;
            tx.commit().await?;
        }
        return Ok(EndpointSecret { id, secret });
    }
    if endpoints.len() >= MOST_ENDPOINTS {
        return Err(Error::conflict("too_many", "You already have 20 endpoints, the maximum. Delete one first."));
    }
    let id = made_id.unwrap_or_else(|| new_id(clock));
    let secret = sender.new_secret(id)?;
    store::insert_endpoint(&mut conn, id, &input, &secret.sealed, request, clock.now_ms()).await?;
    let after = serde_json::to_value(recorded(&input)).map_err(Error::internal)?;
    let change = Change::new("webhook.create", subject(id, &input.name), after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(EndpointSecret { id, secret: secret.shown })
}

fn created_already() -> Error {
    Error::conflict(
        "made_already",
        "This endpoint was already created, and has changed since. Reload the page to find it in the list.",
    )
}

async fn lock(conn: &mut Conn<'_>, id: Uuid) -> Result<Endpoint, Error> {
    store::lock_endpoint(conn, id).await?.ok_or(Error::NotFound)
}

/// The version that the caller saw must be the current one.
fn check_version(endpoint: &Endpoint, version: i64) -> Result<(), Error> {
    if endpoint.version == version { Ok(()) } else { Err(Error::changed_meanwhile("this endpoint")) }
}

/// Changes an endpoint; one that the shop disabled may be enabled again. The same change, sent again because an answer was lost, is what is
/// there.
pub async fn change(
    cx: &Context,
    sender: &Sender,
    actor: &Actor,
    id: Uuid,
    version: i64,
    input: &EndpointInput,
) -> Result<(), Error> {
    let known = queries::find_endpoint(&mut cx.db.read().await?.conn(), id).await?.ok_or(Error::NotFound)?;
    let input = checked(sender.reach, input, Some(&known.url)).await?;
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let endpoint = lock(&mut conn, id).await?;
    let before = endpoint.input()?;
    if endpoint.version != version && before == input {
        return Ok(());
    }
    check_version(&endpoint, version)?;
    store::update_endpoint(&mut conn, id, &input, clock.now_ms()).await?;
    let change = Change::of("webhook.update", subject(id, &input.name), &recorded(&before), &recorded(&input));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Replaced secrets that sign at a time. Each makes a header longer, which receivers limit.
const MOST_FORMER: usize = 10;

/// Keeps all secrets with which an endpoint signs, as it is about to get a newer one: the receiver may have any of them.
async fn keep_former(
    conn: &mut Conn<'_>,
    sender: &Sender,
    clock: &dyn Clock,
    endpoint: &Endpoint,
) -> Result<(), Error> {
    let now = clock.now_ms();
    let Some((former, _)) = endpoint.former(now) else { return Ok(()) };
    let older = store::list_older_secrets(conn, endpoint.id).await?;
    if older.iter().filter(|older| now < older.signs_until).count() + 1 >= MOST_FORMER {
        let message = "The 10 secrets before this one still sign events, the maximum. Try again in 24 hours.";
        return Err(Error::conflict("too_many", message));
    }
    let signs_until = now + FORMER_SIGNS_FOR;
    store::prolong_older_secrets(conn, endpoint.id, signs_until, now).await?;
    let id = new_id(clock);
    if let Some(secret) = sender.moved(endpoint.id, former, id)? {
        store::insert_older_secret(conn, endpoint.id, &OlderSecret { id, secret, signs_until }).await?;
    }
    Ok(())
}

/// Gives an endpoint a new secret; all replaced ones that still sign keep signing as well for a day. The same `request`, sent again because an answer was
/// lost, gets the same secret: nobody would know the first of two.
pub async fn rotate(
    cx: &Context,
    sender: &Sender,
    actor: &Actor,
    id: Uuid,
    version: i64,
    request: Option<Uuid>,
) -> Result<EndpointSecret, Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let endpoint = lock(&mut conn, id).await?;
    if request.is_some()
        && endpoint.secret_request_id == request
        && let Some(secret) = sender.shown(id, &endpoint.secret)
    {
        return Ok(EndpointSecret { id, secret });
    }
    check_version(&endpoint, version)?;
    keep_former(&mut conn, sender, clock, &endpoint).await?;
    let (secret, now) = (sender.new_secret(id)?, clock.now_ms());
    store::replace_secret(&mut conn, id, &secret.sealed, request, now + FORMER_SIGNS_FOR, now).await?;
    let change = Change::new("webhook.rotate_secret", subject(id, &endpoint.name), json!({}));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(EndpointSecret { id, secret: secret.shown })
}

/// Deletes an endpoint; the daily cleanup deletes its log. One that is gone was deleted before: it was sent again because an answer was lost.
pub async fn delete(cx: &Context, actor: &Actor, id: Uuid, version: i64) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let Some(endpoint) = store::lock_endpoint(&mut conn, id).await? else { return Ok(()) };
    check_version(&endpoint, version)?;
    store::delete_endpoint(&mut conn, id).await?;
    let input = serde_json::to_value(recorded(&endpoint.input()?)).map_err(Error::internal)?;
    let change = Change { before: input, ..Change::new("webhook.delete", subject(id, &endpoint.name), json!({})) };
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

fn off() -> Error {
    Error::conflict("off", "This endpoint is off. Turn it on first.")
}

/// A dispatch requested by staff.
#[derive(Debug, serde::Serialize, ToSchema)]
#[schema(as = DispatchSent)]
pub struct Sent {
    /// Id of the dispatch in the log.
    pub id: Uuid,
}

/// Sends an endpoint a test, which is attempted once.
pub async fn send_test(cx: &Context, actor: &Actor, id: Uuid) -> Result<Sent, Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let endpoint = queries::find_endpoint(&mut conn, id).await?.ok_or(Error::NotFound)?;
    if !endpoint.is_enabled {
        return Err(off());
    }
    let kind = NotificationKind::Test;
    let about = About { notification: new_id(clock), kind: kind.text(), subject: &endpoint.name };
    let data = json!({ "endpoint": { "id": id, "name": endpoint.name } });
    let payload = payload(clock, about.notification, kind, &data)?;
    let dispatch = add(&mut conn, clock, id, &about, &payload, true).await?;
    let change = Change::new("webhook.test", subject(id, &endpoint.name), json!({ "dispatch": dispatch }));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(Sent { id: dispatch })
}

/// Resends a notification to its endpoint, under the same id.
pub async fn send_again(cx: &Context, actor: &Actor, id: Uuid) -> Result<Sent, Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let found = store::find_dispatch(&mut conn, id).await?;
    let found = found.ok_or(Error::NotFound)?;
    let endpoint = queries::find_endpoint(&mut conn, found.endpoint_id).await?.ok_or(Error::NotFound)?;
    if !endpoint.is_enabled {
        return Err(off());
    }
    store::end_waiting(&mut conn, id, DispatchStatus::Replaced, None).await?;
    let about = About { notification: found.notification_id, kind: &found.kind, subject: &found.subject };
    let dispatch = add(&mut conn, clock, endpoint.id, &about, &found.payload, true).await?;
    let after = json!({ "kind": found.kind, "about": found.subject, "dispatch": dispatch });
    let change = Change::new("webhook.send_again", subject(endpoint.id, &endpoint.name), after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(Sent { id: dispatch })
}
