//! Settings that hold from a day on, such as tax rates: how staff add, end and withdraw one. What was once in force is never rewritten.
//!
//! A row has the days on which its setting holds. A successor may end it earlier than it would end by itself: that day is in the value of
//! its part ([`own_ends`]), so that it holds as long as before when the successor is withdrawn.

use std::collections::BTreeMap;
use std::future::Future;

use jiff::civil::Date;
use serde_json::{Value, json};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_base::validity;
use shop_base::validity::{EndInput, OwnEnds, Span, WithdrawInput};
use uuid::Uuid;

use super::parts::Part;
use super::{own_ends, parts};
use crate::audit;
use crate::audit::model::{Actor, Change, Subject};

/// A setting with the days on which it holds. The module of its noun owns the rows.
pub trait Dated: Sized + Send + Sync {
    /// The part of the settings whose version counts its changes.
    const PART: Part;
    /// The audit log's action names for its changes.
    const ACTIONS: Actions;

    fn id(&self) -> Uuid;

    fn span(&self) -> Span;

    #[must_use]
    fn with_span(self, span: Span) -> Self;

    /// Whether both are for the same thing, so that only one of them may hold at a time.
    fn is_about_the_same(&self, other: &Self) -> bool;

    fn subject(&self) -> Subject;

    /// Its form in the audit log, without its days.
    fn recorded(&self) -> Value;

    fn list(conn: &mut Conn<'_>) -> impl Future<Output = Result<Vec<Self>, DbError>> + Send;

    fn insert(&self, conn: &mut Conn<'_>) -> impl Future<Output = Result<(), DbError>> + Send;

    fn set_end(conn: &mut Conn<'_>, id: Uuid, until: Option<Date>) -> impl Future<Output = Result<(), DbError>> + Send;

    fn delete(conn: &mut Conn<'_>, id: Uuid) -> impl Future<Output = Result<(), DbError>> + Send;
}

pub struct Actions {
    pub add: &'static str,
    pub end: &'static str,
    pub withdraw: &'static str,
}

/// When settings of a kind would end by themselves. One that is missing would end when it does.
pub async fn find_own_ends<T: Dated>(conn: &mut Conn<'_>) -> Result<OwnEnds, DbError> {
    own_ends::find(conn, T::PART).await
}

/// Adds a setting; the one in force on its first day ends there. `version` is that of its part, as the caller saw it. The same setting, sent
/// again because an answer was lost, is the one that is there, also when its first day has passed since.
pub async fn add<T: Dated>(cx: &Context, actor: &Actor, version: i64, new: T) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = cx.today();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = parts::try_claim(&mut conn, clock, T::PART, version).await?;
    let mut own_ends = own_ends::find(&mut conn, T::PART).await?;
    if !is_claimed {
        let is_new = |known: &T| {
            let span = known.span();
            let until = own_ends.get(&known.id()).copied().unwrap_or(span.until);
            known.is_about_the_same(&new)
                && !span.is_void()
                && Span { until, ..span } == new.span()
                && known.recorded() == new.recorded()
        };
        return parts::unclaimed(T::list(&mut conn).await?.iter().any(is_new));
    }
    validity::check_begin(new.span(), today)?;
    let Span { from, until } = new.span();
    let others = others(&mut conn, &new).await?;
    if validity::leaves_gap(&others, &own_ends, new.span()) {
        return Err(Error::invalid(
            "valid_until",
            "What holds before would not hold again on that day. Leave this blank, or first add what holds from that day on.",
        ));
    }
    let succession = validity::succeed(&others, new.span());
    let ended: Vec<_> = others.into_iter().filter(|(id, _)| succession.ended.contains(id)).collect();
    for (id, span) in &ended {
        own_ends.entry(*id).or_insert(span.until);
        T::set_end(&mut conn, *id, Some(from)).await?;
    }
    own_ends.insert(new.id(), until);
    own_ends::keep(&mut conn, T::PART, &own_ends).await?;
    let new = new.with_span(succession.span);
    new.insert(&mut conn).await?;
    let mut after = recorded(&new);
    after["ends"] = ends(ended.iter().map(|(id, span)| (*id, Span { until: Some(from), ..*span })));
    let before = json!({ "ends": ends(ended) });
    let change = Change::of(T::ACTIONS.add, new.subject(), &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends a setting on a day, for good: what it has replaced would not hold from then on either. The same, sent again because an answer was lost,
/// is what was done.
pub async fn end<T: Dated>(cx: &Context, actor: &Actor, id: Uuid, input: &EndInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = cx.today();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = parts::try_claim(&mut conn, clock, T::PART, input.version).await?;
    let found = find::<T>(&mut conn, id).await?.ok_or(Error::NotFound)?;
    let mut own_ends = own_ends::find(&mut conn, T::PART).await?;
    if !is_claimed {
        let day = input.valid_until.trim().parse::<Date>().ok();
        return parts::unclaimed(day.is_some() && own_ends.get(&id) == Some(&day));
    }
    let span = found.span();
    let until = validity::check_end(span, &input.valid_until, today)?;
    T::set_end(&mut conn, id, Some(until)).await?;
    own_ends.insert(id, Some(until));
    // One that is coming may still be withdrawn, and then its predecessor holds again.
    if span.from <= today {
        for (former, other) in others(&mut conn, &found).await? {
            if (other.from, former) < (span.from, id)
                && let Some(own_end) = own_ends.get_mut(&former)
                && own_end.is_none_or(|end| until < end)
            {
                *own_end = Some(until);
            }
        }
    }
    own_ends::keep(&mut conn, T::PART, &own_ends).await?;
    let (subject, before) = (found.subject(), recorded(&found));
    let after = recorded(&found.with_span(Span { until: Some(until), ..span }));
    let change = Change::of(T::ACTIONS.end, subject, &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// Withdraws a setting that has not begun; those that it ended hold as long as they would have without it. Refused if one before it ends by
/// itself, then or later, and nothing would take its place. One that is gone was withdrawn before: it was sent again because an answer was lost.
pub async fn withdraw<T: Dated>(cx: &Context, actor: &Actor, id: Uuid, input: &WithdrawInput) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let today = cx.today();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = parts::try_claim(&mut conn, clock, T::PART, input.version).await?;
    let found = find::<T>(&mut conn, id).await?;
    if !is_claimed {
        return parts::unclaimed(found.is_none());
    }
    let found = found.ok_or(Error::NotFound)?;
    let span = found.span();
    let others = others(&mut conn, &found).await?;
    let mut own_ends = own_ends::find(&mut conn, T::PART).await?;
    if own_ends.remove(&id).is_none() {
        // An earlier release added it and did not keep when the one before it would end; that one holds on in its place.
        for (before, _) in others.iter().filter(|(_, other)| other.until == Some(span.from) && !other.is_void()) {
            own_ends.entry(*before).or_insert(span.until);
        }
    }
    let ended = validity::withdraw(&others, &own_ends, span, today)?;
    T::delete(&mut conn, id).await?;
    for (ended, until) in &ended {
        T::set_end(&mut conn, *ended, *until).await?;
    }
    own_ends::keep(&mut conn, T::PART, &own_ends).await?;
    let spans: BTreeMap<_, _> = others.into_iter().collect();
    let mut before = recorded(&found);
    before["ends"] = ends(ended.iter().map(|(id, _)| (*id, spans[id])));
    let after = json!({ "ends": ends(ended.iter().map(|(id, until)| (*id, Span { until: *until, ..spans[id] }))) });
    let change = Change::of(T::ACTIONS.withdraw, found.subject(), &before, &after);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

async fn find<T: Dated>(conn: &mut Conn<'_>, id: Uuid) -> Result<Option<T>, DbError> {
    Ok(T::list(conn).await?.into_iter().find(|found| found.id() == id))
}

/// The other settings for the same thing.
async fn others<T: Dated>(conn: &mut Conn<'_>, one: &T) -> Result<Vec<(Uuid, Span)>, DbError> {
    let all = T::list(conn).await?.into_iter();
    let others = all.filter(|other| other.id() != one.id() && other.is_about_the_same(one));
    Ok(others.map(|other| (other.id(), other.span())).collect())
}

fn recorded<T: Dated>(one: &T) -> Value {
    let mut data = one.recorded();
    let [from, until] = days(one.span());
    data["valid_from"] = json!(from);
    data["valid_until"] = json!(until);
    data
}

fn days(span: Span) -> [Option<String>; 2] {
    [Some(span.from), span.until].map(|day| day.map(|day| day.to_string()))
}

/// Until when other settings hold, in the audit log.
fn ends(others: impl IntoIterator<Item = (Uuid, Span)>) -> Value {
    let form = |(id, span): (Uuid, Span)| {
        let [from, until] = days(span);
        json!({ "id": id, "valid_from": from, "valid_until": until })
    };
    others.into_iter().map(form).collect()
}
