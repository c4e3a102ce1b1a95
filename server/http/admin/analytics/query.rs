//! The period of a report, as encoded in its address.

use jiff::civil::Date;
use shop_domain::analytics::days::after;
use shop_domain::analytics::figures::{Bucket, Period};
use shop_platform::web::extract::Asked;

pub const PATH: &str = "/admin/analytics";

const DEFAULT_DAYS: i64 = 30;
/// The longest period, in days: two years.
const MOST_DAYS: i64 = 731;
/// Maximum number of parts in a chart.
const MOST_PARTS: i64 = 186;

/// The query of a report. No parameter is an error: an invalid value is replaced by the nearest valid one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportQuery {
    pub period: Period,
    pub bucket: Bucket,
    pub compare: bool,
}

impl ReportQuery {
    /// `from` and `to` are days, `by` is day, week or month, `compare=no` leaves out the previous period.
    pub fn of(asked: &Asked, today: Date) -> Self {
        let day = |name| asked.parameter(name).and_then(|text| text.parse::<Date>().ok());
        let last = day("to").unwrap_or(today).min(today);
        let first = day("from").unwrap_or(after(last, 1 - DEFAULT_DAYS));
        let first = first.min(last).max(after(last, 1 - MOST_DAYS));
        let period = Period { first, last };
        let bucket = asked.parameter("by").and_then(|text| text.parse().ok()).unwrap_or(Bucket::Day);
        let bucket = if bucket == Bucket::Day && period.days() > MOST_PARTS { Bucket::Week } else { bucket };
        Self { period, bucket, compare: asked.parameter("compare").as_deref() != Some("no") }
    }

    /// The query string, without the question mark.
    pub fn text(&self) -> String {
        let Period { first, last } = self.period;
        let compare = if self.compare { "" } else { "&compare=no" };
        format!("from={first}&to={last}&by={}{compare}", self.bucket.text())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};

    use super::ReportQuery;
    use shop_platform::web::extract::Asked;

    const TODAY: Date = date(2026, 11, 21);

    fn text(query: &str) -> String {
        let asked = Asked { path: super::PATH.to_owned(), query: query.to_owned(), payload: false };
        ReportQuery::of(&asked, TODAY).text()
    }

    #[test]
    fn an_address_says_a_period_or_the_nearest() {
        assert_eq!(text(""), "from=2026-10-23&to=2026-11-21&by=day");
        assert_eq!(
            text("from=2026-11-01&to=2026-11-07&by=week&compare=no"),
            "from=2026-11-01&to=2026-11-07&by=week&compare=no"
        );
        assert_eq!(text("from=2026-11-09&to=2026-11-07"), "from=2026-11-07&to=2026-11-07&by=day", "backward");
        assert_eq!(text("from=2026-11-01&to=2027-01-01"), "from=2026-11-01&to=2026-11-21&by=day", "the future");
        assert_eq!(text("from=1990-01-01&by=day"), "from=2024-11-21&to=2026-11-21&by=week", "too long");
        assert_eq!(text("from=x&to=2026-02-30&by=hour"), text(""));
    }
}
