//! What the shop can offer for a parcel.

use super::model::{Parcel, ShippingOption};
use super::store::{self, MethodRow};
use crate::db::{Conn, DbError};

/// The ways to send a parcel, in order; without a destination only the pickup.
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
