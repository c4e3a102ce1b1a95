//! Records of deliveries of regulated goods, kept for as long as the law requires.

use std::ops::RangeInclusive;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::{Clock, timestamp, today};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, decoded};
use shop_base::error::Error;
use shop_base::ids::new_id;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::settings::parts;
use shop_platform::settings::parts::Part;
use uuid::Uuid;

use super::store;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A parcel being shipped.
#[derive(Debug)]
pub struct RegulatedShipment<'a> {
    pub order_number: &'a str,
    pub address: &'a Address,
    pub carrier: &'a str,
    pub tracking_number: &'a str,
    pub adult_signature: bool,
    /// UTC milliseconds.
    pub shipped_at: i64,
    pub goods: Vec<Goods<'a>>,
}

#[derive(Debug)]
pub struct Goods<'a> {
    /// The current class, under which they are recorded.
    pub class: &'a str,
    /// Their class at the sale.
    pub sold_as: &'a str,
    pub sku: &'a str,
    pub title: &'a str,
    pub quantity: i64,
    /// Weight of one piece.
    pub weight_grams: i64,
    /// The amount paid for all of them, without tax.
    pub value: i64,
}

/// Recorded pieces and their value, without tax.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    pub quantity: i64,
    pub value: i64,
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    pub id: Uuid,
    pub order_number: String,
    pub shipped_at: i64,
    /// In the shop's time zone, `YYYY-MM`.
    pub month: String,
    pub state: String,
    pub consignee: String,
    pub street: String,
    pub city: String,
    pub postal_code: String,
    pub class: String,
    pub sku: String,
    pub title: String,
    pub quantity: i64,
    pub weight_grams: i64,
    pub value: i64,
    pub carrier: String,
    pub tracking_number: String,
    pub adult_signature: bool,
    pub keep_until: i64,
}

/// Records a parcel's goods that are of a regulated class or were sold as such, in the transaction that ships it.
pub async fn record(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    zone: &TimeZone,
    delivery: &RegulatedShipment<'_>,
) -> Result<(), DbError> {
    let reported = store::list_reported_classes(conn).await?;
    let day = timestamp(delivery.shipped_at).to_zoned(zone.clone()).date();
    let address = delivery.address;
    let joined = |parts: [&str; 3], by: &str| {
        let said: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        said.join(by)
    };
    let is_reported = |class: &str| reported.iter().any(|each| each == class);
    for goods in delivery.goods.iter().filter(|goods| is_reported(goods.class) || is_reported(goods.sold_as)) {
        let record = Record {
            id: new_id(clock),
            order_number: delivery.order_number.to_owned(),
            shipped_at: delivery.shipped_at,
            month: day.strftime("%Y-%m").to_string(),
            state: address.state.clone(),
            consignee: joined([&address.last_name, &address.first_name, ""], ", "),
            street: joined([&address.company, &address.line1, &address.line2], ", "),
            city: address.city.clone(),
            postal_code: address.postal_code.clone(),
            class: goods.class.to_owned(),
            sku: goods.sku.to_owned(),
            title: goods.title.to_owned(),
            quantity: goods.quantity,
            weight_grams: goods.weight_grams * goods.quantity,
            value: goods.value,
            carrier: delivery.carrier.to_owned(),
            tracking_number: delivery.tracking_number.to_owned(),
            adult_signature: delivery.adult_signature,
            keep_until: keep_until(day, zone),
        };
        store::insert_record(conn, &record).await?;
    }
    Ok(())
}

/// The time zone of the shop, and with it the month of a record, may have been another: a day more covers them all.
fn utc_month(at: i64) -> String {
    timestamp(at).to_zoned(TimeZone::UTC).strftime("%Y-%m").to_string()
}

/// Removes the records of a parcel that never left, unless their month is closed: its report may have been filed.
pub async fn take_back(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    zone: &TimeZone,
    order_number: &str,
    tracking_number: &str,
    shipped_at: i64,
) -> Result<(), Error> {
    if let Some(month) = find_closed_month(conn, clock, zone, order_number, tracking_number, shipped_at).await? {
        let message = format!(
            "This package is in the delivery report for {}, which closed on {}. It can no longer be undone.",
            month.strftime("%B %Y"),
            closed_on(month).strftime("%B %-d, %Y"),
        );
        return Err(Error::conflict("month_closed", &message));
    }
    store::delete_records(conn, order_number, tracking_number, shipped_at).await?;
    Ok(())
}

/// The first day of the month that has a parcel's records, if that month is closed.
pub async fn find_closed_month(
    conn: &mut Conn<'_>,
    clock: &dyn Clock,
    zone: &TimeZone,
    order_number: &str,
    tracking_number: &str,
    shipped_at: i64,
) -> Result<Option<Date>, DbError> {
    let month = store::find_month(conn, order_number, tracking_number, shipped_at).await?;
    let first = decoded("month", month.map(|month| format!("{month}-01").parse::<Date>()).transpose())?;
    Ok(first.filter(|first| closed_on(*first) <= today(clock, zone)))
}

/// From this day on a month, given by its first day, no longer changes: its reports are due.
fn closed_on(month: Date) -> Date {
    month.saturating_add(1.month()).saturating_add(9.days())
}

/// What is recorded of an order's pieces of this SKU in parcels since a time, UTC milliseconds.
pub async fn recorded(conn: &mut Conn<'_>, order_number: &str, sku: &str, since: i64) -> Result<Recorded, DbError> {
    store::sum_records(conn, &utc_month(since - DAY), order_number, sku).await
}

/// What is recorded of an order's parcels that left in this time, UTC milliseconds.
pub async fn list_of_order(
    conn: &mut Conn<'_>,
    order_number: &str,
    shipped: RangeInclusive<i64>,
) -> Result<Vec<Record>, DbError> {
    let months = [utc_month(shipped.start() - DAY), utc_month(shipped.end() + DAY)];
    store::list_records_of_order(conn, &months, order_number).await
}

/// The end of the fourth full calendar year after a day, UTC milliseconds.
fn keep_until(day: Date, zone: &TimeZone) -> i64 {
    let end = Date::new(day.year().saturating_add(5), 1, 1).ok().and_then(|end| end.to_zoned(zone.clone()).ok());
    end.map_or(i64::MAX, |end| end.timestamp().as_millisecond())
}

/// The deliveries to a state in a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthCount {
    pub month: String,
    pub state: String,
    pub records: i64,
    pub quantity: i64,
    pub value: i64,
}

/// The months of a year, the newest first.
pub async fn list_months(conn: &mut Conn<'_>, year: i16) -> Result<Vec<MonthCount>, DbError> {
    store::list_months(conn, &format!("{year:04}-01"), &format!("{year:04}-12")).await
}

/// The years of the first and the last record.
pub async fn years(conn: &mut Conn<'_>) -> Result<Option<(i16, i16)>, DbError> {
    let year = |month: String| month.get(..4).and_then(|year| year.parse().ok());
    let found = store::find_ends(conn).await?;
    Ok(found.and_then(|(first, last)| Some((year(first)?, year(last)?))))
}

/// A state's records of a month, ordered as reports require: by consignee, city, ZIP code.
pub async fn list_records(conn: &mut Conn<'_>, month: &str, state: &str) -> Result<Vec<Record>, DbError> {
    store::list_records(conn, month, state).await
}

/// Sets whether deliveries of a class are recorded from now on.
pub async fn set_reported(
    cx: &Context,
    actor: &Actor,
    class: &str,
    version: i64,
    is_reported: bool,
) -> Result<(), Error> {
    let clock = cx.clock.as_ref();
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    let is_claimed = parts::try_claim(&mut conn, clock, Part::Compliance, version).await?;
    let classes = store::list_classes(&mut conn).await?;
    let Some(class) = classes.into_iter().find(|each| each.code == class) else {
        return Err(Error::NotFound);
    };
    if !is_claimed {
        return parts::unclaimed(class.is_reported == is_reported);
    }
    store::set_reported(&mut conn, &class.code, is_reported).await?;
    let recorded = |is_reported: bool| serde_json::json!({ "is_reported": is_reported });
    let subject = Subject::new("setting", &class.code, &class.name);
    let change = Change::of("compliance.report_class", subject, &recorded(class.is_reported), &recorded(is_reported));
    audit::service::record(&mut conn, clock, actor, &change).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    use super::{closed_on, keep_until};
    use shop_base::clock::timestamp;

    #[test]
    fn a_month_is_closed_on_the_tenth_of_the_next() {
        assert_eq!(closed_on(date(2026, 11, 1)), date(2026, 12, 10));
        assert_eq!(closed_on(date(2026, 12, 1)), date(2027, 1, 10));
    }

    #[test]
    fn records_are_kept_for_four_full_calendar_years() {
        let until = |day| timestamp(keep_until(day, &TimeZone::UTC)).to_string();
        assert_eq!(until(date(2026, 1, 1)), "2031-01-01T00:00:00Z");
        assert_eq!(until(date(2026, 12, 31)), "2031-01-01T00:00:00Z");
    }
}
