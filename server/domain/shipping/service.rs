//! The options for a parcel, and the administration of their prices.

use shop_base::context::Context;
use shop_base::db::{Conn, DbError};
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::settings::parts;
use shop_platform::settings::parts::Part;

use super::model::{Parcel, ShippingOption, ShippingTable};
use super::store;
use super::store::MethodRow;

/// All methods, zones and prices.
pub async fn table(conn: &mut Conn<'_>) -> Result<ShippingTable, DbError> {
    store::load_table(conn).await
}

/// Replaces the table if it still has this version. The same table, sent again because an answer was lost, is the one that is there.
pub async fn replace_table(cx: &Context, actor: &Actor, version: i64, mut table: ShippingTable) -> Result<(), Error> {
    table.check()?;
    table.tidy();
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = parts::try_claim(&mut conn, clock, Part::Shipping, version).await?;
    let before = store::load_table(&mut conn).await?;
    let is_stored = before == table;
    if is_stored || !is_claimed {
        return parts::unclaimed(is_stored);
    }
    store::replace_table(&mut conn, &table).await?;
    let subject = Subject::new("setting", Part::Shipping.name(), "Shipping");
    let change = Change::of("shipping.update", subject, &before, &table);
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

/// The available options for a parcel, in order; without a destination only pickup.
pub async fn list_options(conn: &mut Conn<'_>, parcel: Option<Parcel<'_>>) -> Result<Vec<ShippingOption>, DbError> {
    let (state, grams) = parcel.map_or(("", 0), |parcel| (parcel.state, parcel.grams));
    let methods = store::list_methods(conn, state, grams).await?;
    Ok(methods.into_iter().filter_map(|method| option(method, parcel)).collect())
}

fn option(method: MethodRow, parcel: Option<Parcel<'_>>) -> Option<ShippingOption> {
    let MethodRow { code, name, estimate, kind, by_air, signature_fee, price } = method;
    if kind == "pickup" {
        return Some(ShippingOption { code, name, estimate, price: 0, pickup: true });
    }
    let parcel = parcel.filter(|parcel| !(by_air && parcel.ground_only))?;
    let fee = if parcel.adult_signature { signature_fee } else { 0 };
    Some(ShippingOption { code, name, estimate, price: price? + fee, pickup: false })
}
