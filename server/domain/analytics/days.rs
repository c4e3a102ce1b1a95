//! Calendar days in the shop's time zone.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};
use shop_base::clock::timestamp;

/// Day boundaries of all time zones are multiples of 15 minutes, in milliseconds.
pub const QUARTER_MS: i64 = 15 * 60 * 1000;

/// The day on which an instant (UTC milliseconds) falls.
pub fn day_of(ms: i64, zone: &TimeZone) -> Date {
    timestamp(ms).to_zoned(zone.clone()).date()
}

/// From the first millisecond of a day to the first of the next; 23 to 25 hours apart.
pub fn bounds(day: Date, zone: &TimeZone) -> (i64, i64) {
    let start = |day: Date| day.to_zoned(zone.clone()).map_or(0, |start| start.timestamp().as_millisecond());
    (start(day), start(after(day, 1)))
}

/// The date a number of days later (or earlier), limited by the end of the calendar.
pub fn after(day: Date, days: i64) -> Date {
    let span: Span = days.days();
    day.saturating_add(span)
}

/// The number of days between two dates, both included.
pub fn count(first: Date, last: Date) -> i64 {
    first.until(last).map_or(0, |span| i64::from(span.get_days())) + 1
}

/// All dates between two dates, both included.
pub fn all(first: Date, last: Date) -> impl Iterator<Item = Date> {
    (0..count(first, last)).map(move |offset| after(first, offset))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff::tz::TimeZone;

    use super::{after, all, bounds, count, day_of};

    const HOUR: i64 = 3_600_000;

    #[test]
    fn days_meet_without_gap_when_clocks_change() {
        let zone = TimeZone::get("America/New_York").expect("it is known");
        let mut last_end = bounds(date(2026, 2, 28), &zone).1;
        for day in all(date(2026, 3, 1), date(2027, 3, 31)) {
            let (start, end) = bounds(day, &zone);
            assert_eq!(start, last_end, "{day}");
            assert_eq!((day_of(start, &zone), day_of(end - 1, &zone)), (day, day));
            last_end = end;
        }
        let hours = |day| (bounds(day, &zone).1 - bounds(day, &zone).0) / HOUR;
        assert_eq!((hours(date(2026, 3, 8)), hours(date(2026, 11, 1)), hours(date(2026, 12, 31))), (23, 25, 24));
    }

    #[test]
    fn days_are_counted_over_the_ends_of_months() {
        assert_eq!(after(date(2028, 2, 28), 2), date(2028, 3, 1));
        assert_eq!(count(date(2026, 11, 1), date(2027, 1, 31)), 92);
        assert_eq!(count(date(2026, 11, 1), date(2026, 11, 1)), 1);
        assert_eq!(all(date(2026, 1, 30), date(2026, 2, 2)).count(), 4);
    }
}
