//! Figures of periods, and of their parts.

use std::collections::BTreeMap;

use jiff::civil::{Date, Weekday};
use serde::Serialize;
use shop_base::db::stored;
use utoipa::ToSchema;

use super::days::{after, all, count};
use super::sales::model::Sales;
use super::visits::model::Visits;

/// A range of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub first: Date,
    pub last: Date,
}

impl Period {
    /// The period of this many days that ends on this day.
    pub fn ending(last: Date, days: i64) -> Self {
        Self { first: after(last, 1 - days), last }
    }

    pub fn days(&self) -> i64 {
        count(self.first, self.last)
    }

    /// The period of the same length directly before.
    pub fn before(&self) -> Self {
        Self::ending(after(self.first, -1), self.days())
    }
}

stored! {
    /// The parts of a period. Weeks start on Monday.
    Bucket {
        Day = "day",
        Week = "week",
        Month = "month",
    }
}

impl Bucket {
    fn start(self, day: Date) -> Date {
        match self {
            Self::Day => day,
            Self::Week => after(day, -i64::from(day.weekday().since(Weekday::Monday))),
            Self::Month => day.first_of_month(),
        }
    }
}

/// The figures of a day. A day without a row had no activity, or was before counting began.
#[derive(Clone, Debug, Default)]
pub struct Day {
    pub sales: Option<Sales>,
    pub visits: Option<Visits>,
    /// What banks took back because the shop lost the dispute, minor units.
    pub lost_disputes: i64,
}

pub type Days = BTreeMap<Date, Day>;

/// The figures of a number of days. Money is in minor units, durations in seconds, rates in hundredths of a percent; null if not defined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Figures {
    pub revenue: i64,
    pub taken: i64,
    pub refunded: i64,
    pub refunds: i64,
    /// What banks took back because the shop lost the dispute.
    pub lost_disputes: i64,
    pub orders: i64,
    pub units: i64,
    pub goods: i64,
    pub discounts: i64,
    pub shipping: i64,
    pub tax: i64,
    pub average_order: Option<i64>,
    /// Paid orders per visit.
    pub conversion: Option<i64>,
    pub visits: i64,
    pub page_views: i64,
    pub mean_length: Option<i64>,
    pub median_length: Option<i64>,
    pub searches: i64,
    pub empty_searches: i64,
    pub products: i64,
    pub baskets: i64,
    pub checkouts: i64,
    pub buyers: i64,
    pub carts: i64,
    /// Among carts whose 24 hours are over.
    pub abandoned: i64,
    /// The share of abandoned carts among those whose 24 hours are over.
    pub abandonment: Option<i64>,
    /// Whether anything was counted on these days.
    pub is_known: bool,
}

/// A part of a period, and the corresponding days of the previous period.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Part {
    /// `2026-11-21`
    pub first: String,
    pub last: String,
    pub now: Figures,
    pub before: Figures,
}

/// The sum over a number of days.
#[derive(Clone, Debug, Default)]
struct Total {
    sales: Sales,
    visits: Visits,
    lost_disputes: i64,
    settled_carts: i64,
    abandoned: i64,
    is_known: bool,
}

impl Total {
    fn add(&mut self, date: Date, day: &Day, today: Date) {
        self.is_known |= day.sales.is_some() || day.visits.is_some() || day.lost_disputes > 0;
        self.sales += day.sales.unwrap_or_default();
        self.lost_disputes += day.lost_disputes;
        let Some(visits) = &day.visits else { return };
        self.visits += visits;
        // A cart from the end of a day may still be paid until the end of the next day.
        if after(date, 1) < today {
            self.settled_carts += visits.carts;
            self.abandoned += visits.carts - visits.carts_paid;
        }
    }

    fn figures(&self) -> Figures {
        let Self { sales, visits, lost_disputes, .. } = self;
        Figures {
            revenue: sales.taken - sales.refunded - lost_disputes,
            taken: sales.taken,
            refunded: sales.refunded,
            refunds: sales.refunds,
            lost_disputes: *lost_disputes,
            orders: sales.orders,
            units: sales.units,
            goods: sales.goods,
            discounts: sales.discounts,
            shipping: sales.shipping,
            tax: sales.tax,
            average_order: sales.average_order(),
            conversion: rate(sales.orders, visits.visits),
            visits: visits.visits,
            page_views: visits.page_views,
            mean_length: visits.mean_length(),
            median_length: visits.lengths.median(),
            searches: visits.searches,
            empty_searches: visits.empty_searches,
            products: visits.products,
            baskets: visits.baskets,
            checkouts: visits.checkouts,
            buyers: visits.buyers,
            carts: visits.carts,
            abandoned: self.abandoned,
            abandonment: rate(self.abandoned, self.settled_carts),
            is_known: self.is_known,
        }
    }
}

/// Hundredths of a percent; none if `whole` is zero.
pub fn rate(part: i64, whole: i64) -> Option<i64> {
    (whole > 0).then(|| (part * 10_000 + whole / 2) / whole)
}

/// The figures of a whole period.
pub fn total(period: Period, days: &Days, today: Date) -> Figures {
    sum(all(period.first, period.last), days, today).figures()
}

fn sum(dates: impl Iterator<Item = Date>, days: &Days, today: Date) -> Total {
    let mut total = Total::default();
    for date in dates {
        if let Some(day) = days.get(&date) {
            total.add(date, day, today);
        }
    }
    total
}

/// The parts of a period, each with the corresponding days of the previous period.
pub fn parts(period: Period, bucket: Bucket, days: &Days, today: Date) -> Vec<Part> {
    let length = period.days();
    let mut parts: Vec<(Date, Date)> = Vec::new();
    for date in all(period.first, period.last) {
        match parts.last_mut() {
            Some((_, last)) if bucket.start(date) == bucket.start(*last) => *last = date,
            _ => parts.push((date, date)),
        }
    }
    let part = |(first, last): (Date, Date)| Part {
        first: first.to_string(),
        last: last.to_string(),
        now: sum(all(first, last), days, today).figures(),
        before: sum(all(after(first, -length), after(last, -length)), days, today).figures(),
    };
    parts.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};

    use super::{Bucket, Day, Days, Period, parts, total};
    use crate::analytics::days::all;
    use crate::analytics::sales::model::Sales;
    use crate::analytics::visits::model::Visits;

    const TODAY: Date = date(2026, 11, 21);

    fn days(first: Date, last: Date) -> Days {
        let day = |_| Day {
            sales: Some(Sales { orders: 1, taken: 1_000, total: 1_000, ..Sales::default() }),
            visits: Some(Visits { visits: 10, carts: 4, carts_paid: 1, ..Visits::default() }),
            lost_disputes: 100,
        };
        all(first, last).map(|date| (date, day(date))).collect()
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let period = Period { first: date(2026, 9, 17), last: TODAY };
        let days = days(date(2026, 1, 1), TODAY);
        let whole = total(period, &days, TODAY);
        for bucket in Bucket::ALL {
            let parts = parts(period, *bucket, &days, TODAY);
            assert_eq!(parts.iter().map(|part| part.now.orders).sum::<i64>(), whole.orders, "{bucket:?}");
            assert_eq!(parts.iter().map(|part| part.before.orders).sum::<i64>(), period.days(), "{bucket:?}");
            assert_eq!(parts.iter().map(|part| part.now.revenue).sum::<i64>(), period.days() * 900, "{bucket:?}");
            assert_eq!(
                (parts[0].first.as_str(), parts.last().map(|part| part.last.as_str())),
                ("2026-09-17", Some("2026-11-21"))
            );
        }
        let weeks = parts(period, Bucket::Week, &days, TODAY);
        assert_eq!((weeks[0].last.as_str(), weeks[1].first.as_str()), ("2026-09-20", "2026-09-21"), "Sunday, Monday");
        assert_eq!(parts(period, Bucket::Month, &days, TODAY).len(), 3);
    }

    #[test]
    fn carts_of_today_and_yesterday_are_not_abandoned_yet() {
        let week = total(Period::ending(TODAY, 7), &days(date(2026, 1, 1), TODAY), TODAY);
        assert_eq!((week.carts, week.abandoned, week.abandonment), (28, 15, Some(7_500)));
        let today = total(Period::ending(TODAY, 1), &days(TODAY, TODAY), TODAY);
        assert_eq!((today.carts, today.abandoned, today.abandonment), (4, 0, None));
    }

    #[test]
    fn days_without_rows_are_not_known() {
        let period = Period::ending(TODAY, 7);
        let days = days(period.first, TODAY);
        assert!(total(period, &days, TODAY).is_known);
        let before = total(period.before(), &days, TODAY);
        assert_eq!((before.is_known, before.average_order, before.conversion), (false, None, None));
        assert_eq!(period.before().last, date(2026, 11, 14));
    }
}
