//! When settings with days would end by themselves, whether a successor ends them earlier or not. See [`super::dated`].
//!
//! It is the value of their part, because the rows themselves have only the days on which they hold. What is missing here was added by an
//! earlier release or came with the shop.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use shop_base::db::{Conn, DbError, decoded};
use shop_base::validity::OwnEnds;
use uuid::Uuid;

use super::parts::Part;
use super::store;

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Value {
    /// `YYYY-MM-DD`; null if it would not end.
    own_ends: BTreeMap<Uuid, Option<String>>,
}

pub async fn find(conn: &mut Conn<'_>, part: Part) -> Result<OwnEnds, DbError> {
    let (value, _) = store::find_value(conn, part.name()).await?;
    let value: Value = decoded("value", serde_json::from_str(&value))?;
    let day = |day: Option<String>| decoded("value", day.map(|day| day.parse::<Date>()).transpose());
    value.own_ends.into_iter().map(|(id, until)| Ok((id, day(until)?))).collect()
}

pub async fn keep(conn: &mut Conn<'_>, part: Part, own_ends: &OwnEnds) -> Result<(), DbError> {
    let own_ends = own_ends.iter().map(|(id, until)| (*id, until.map(|day| day.to_string()))).collect();
    let value = decoded("value", serde_json::to_string(&Value { own_ends }))?;
    store::set_value(conn, part.name(), &value).await
}
