//! Events as reported by browsers, and as stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shop_base::fields::{Faults, FieldErrors};
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of events per report.
pub const MOST_EVENTS: usize = 50;

/// So many events of one account are stored at a time, more than a hundred a day: their number is up to the sender, and the export of the
/// account's data lists them all.
pub const MOST_OF_ACCOUNT: i64 = 10_000;

/// So many events of guests are stored in a day (UTC), of one network and of all. They need no account, and a program that sends what the
/// limit of a minute allows would fill the disk within weeks.
pub const MOST_OF_NETWORK: u32 = 20_000;
pub const MOST_OF_GUESTS: u32 = 1_000_000;

/// A day in milliseconds.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Shorter searches are not meaningful.
const SHORTEST_SEARCH: usize = 3;
const LONGEST_PAGE: usize = 200;
const LONGEST_FEATURE: usize = 60;
const LONGEST_ACTION: usize = 200;
/// Seconds.
const LONGEST_SESSION: i64 = 86_400;
const CART_ACTIONS: [&str; 3] = ["add", "remove", "quantity"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivityType {
    PageView,
    FeatureUsage,
    SessionActivity,
    CartAction,
    Search,
    ProfileView,
}

impl ActivityType {
    /// The stored name.
    pub fn name(self) -> &'static str {
        match self {
            Self::PageView => "page_view",
            Self::FeatureUsage => "feature_usage",
            Self::SessionActivity => "session_activity",
            Self::CartAction => "cart_action",
            Self::Search => "search",
            Self::ProfileView => "profile_view",
        }
    }
}

/// One event. Required fields depend on its type; unknown fields are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ActivityEvent {
    #[serde(rename = "type")]
    pub kind: ActivityType,
    /// Path of the page, without a query. Required for page_view.
    #[serde(default)]
    pub page: Option<String>,
    /// Required for feature_usage; a cart_action may contain the item's sku here.
    #[serde(default)]
    pub feature: Option<String>,
    /// `add`, `remove` or `quantity` for a cart_action; the text (at least 3 characters) for a search.
    #[serde(default)]
    pub action: Option<String>,
    /// Seconds. Required for session_activity.
    #[serde(default)]
    pub session_duration: Option<i64>,
    /// ISO 8601; now if it is missing, or later than now. An event of more than a day ago is not stored.
    #[serde(default)]
    pub timestamp: Option<String>,
    /// A random id with the lifetime of the browser tab.
    #[serde(default)]
    pub session_id: Option<Uuid>,
}

/// A report: one event or a batch.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ActivityReport {
    Batch {
        /// At most 50.
        events: Vec<ActivityEvent>,
    },
    One(ActivityEvent),
}

/// A validated event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedEvent {
    pub kind: ActivityType,
    pub page: Option<String>,
    pub feature: Option<String>,
    pub action: Option<String>,
    pub session_duration: Option<i64>,
    pub session_id: Option<Uuid>,
    /// UTC milliseconds by the browser's clock, but never later than ours.
    pub occurred_at: i64,
    /// The time that the browser sent, UTC milliseconds: the same if the event is reported twice, even by a clock that is ahead of ours.
    pub reported_at: Option<i64>,
}

impl CheckedEvent {
    /// Whether it happened in the admin area.
    pub fn is_of_staff(&self) -> bool {
        self.page.as_deref().is_some_and(|page| page == "/admin" || page.starts_with("/admin/"))
    }

    /// A deterministic id, the same if the event is reported twice; none if the event cannot be identified.
    pub fn lasting_id(&self) -> Option<Uuid> {
        let (session, reported_at) = self.session_id.zip(self.reported_at)?;
        let mut hash = Sha256::new();
        hash.update(session);
        hash.update(self.session_duration.unwrap_or_default().to_be_bytes());
        for text in [Some(self.kind.name()), self.page.as_deref(), self.feature.as_deref(), self.action.as_deref()] {
            let text = text.unwrap_or_default();
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        let mut rest = [0; 10];
        rest.iter_mut().zip(hash.finalize()).for_each(|(byte, hashed)| *byte = hashed);
        let ms = u64::try_from(reported_at).unwrap_or_default();
        Some(uuid::Builder::from_unix_timestamp_millis(ms, &rest).into_uuid())
    }
}

/// The visitor who reported it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reporter {
    /// Set if signed in. Determined by the server, never sent by the browser.
    pub user_id: Option<Uuid>,
    pub network: String,
}

/// An event as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    pub id: Uuid,
    pub event: CheckedEvent,
    pub reporter: Reporter,
    /// The number of products that a search found, determined by the server.
    pub results: Option<i64>,
    /// UTC milliseconds.
    pub received_at: i64,
}

impl ActivityReport {
    /// The number of events.
    pub fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Batch { events } => events.len(),
        }
    }

    /// Validates every field of every event. Errors are keyed by field, such as `page` or `events[2].page`. Events of more than a day ago are
    /// left out: those of a tab that was without a connection for days, or whose browser has a wrong clock, come together with others.
    pub fn check(self, now: i64, is_page: &dyn Fn(&str) -> bool) -> Result<Vec<CheckedEvent>, FieldErrors> {
        let mut faults = Faults::default();
        let checked = match self {
            Self::One(event) => event.check("", now, is_page, &mut faults).into_iter().collect(),
            Self::Batch { events } if events.len() > MOST_EVENTS => {
                faults.say("events", format!("Send at most {MOST_EVENTS} events at once."));
                Vec::new()
            }
            Self::Batch { events } => {
                let each = events.into_iter().enumerate();
                each.filter_map(|(at, event)| event.check(&format!("events[{at}]."), now, is_page, &mut faults))
                    .collect()
            }
        };
        if faults.is_empty() { Ok(checked) } else { Err(faults.into_errors()) }
    }
}

impl ActivityEvent {
    /// None if it happened more than a day ago.
    fn check(
        self,
        prefix: &str,
        now: i64,
        is_page: &dyn Fn(&str) -> bool,
        faults: &mut Faults,
    ) -> Option<CheckedEvent> {
        let mut refuse = |field: &str, message: &str| faults.say(format!("{prefix}{field}"), message);
        let page = text(self.page);
        let feature = text(self.feature);
        let action = text(self.action);
        for (field, value, most) in
            [("page", &page, LONGEST_PAGE), ("feature", &feature, LONGEST_FEATURE), ("action", &action, LONGEST_ACTION)]
        {
            if value.as_ref().is_some_and(|value| value.chars().count() > most) {
                refuse(field, &format!("Use at most {most} characters."));
            }
            // PostgreSQL cannot store NUL, and the other control characters are meaningless.
            if value.as_ref().is_some_and(|value| value.chars().any(char::is_control)) {
                refuse(field, "Don’t use control characters.");
            }
        }
        if page.as_deref().is_some_and(|page| !is_page(page)) {
            refuse("page", "Use the path of a page in this shop, without a query string.");
        }
        let needed = "Required for this type of event.";
        match self.kind {
            ActivityType::PageView if page.is_none() => refuse("page", needed),
            ActivityType::FeatureUsage if feature.is_none() => refuse("feature", needed),
            ActivityType::SessionActivity if self.session_duration.is_none() => refuse("session_duration", needed),
            ActivityType::CartAction if !action.as_deref().is_some_and(|action| CART_ACTIONS.contains(&action)) => {
                refuse("action", "Use add, remove, or quantity.");
            }
            ActivityType::Search if action.as_ref().is_none_or(|text| text.chars().count() < SHORTEST_SEARCH) => {
                refuse("action", "Search text needs more than 2 characters.");
            }
            _ => {}
        }
        if self.session_duration.is_some_and(|seconds| !(1..=LONGEST_SESSION).contains(&seconds)) {
            refuse("session_duration", "Use 1 to 86400 seconds.");
        }
        let reported_at = match self.timestamp.map(|text| text.parse::<Timestamp>()) {
            None => None,
            Some(Ok(time)) => Some(time.as_millisecond()),
            Some(Err(_)) => {
                refuse("timestamp", "Use a time such as 2026-11-21T17:00:00Z.");
                None
            }
        };
        let occurred_at = reported_at.map_or(now, |time| time.min(now));
        (occurred_at >= now - DAY_MS).then_some(CheckedEvent {
            kind: self.kind,
            page,
            feature,
            action,
            session_duration: self.session_duration,
            session_id: self.session_id,
            occurred_at,
            reported_at,
        })
    }
}

/// The trimmed text; none if empty.
fn text(value: Option<String>) -> Option<String> {
    value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Whether a path matches a pattern such as `/product/{id}`.
pub fn matches_pattern(path: &str, pattern: &str) -> bool {
    let is_word =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let mut parts = path.split('/');
    pattern.split('/').all(|expected| {
        parts.next().is_some_and(|part| if expected.starts_with('{') { is_word(part) } else { part == expected })
    }) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::{ActivityEvent, ActivityReport, ActivityType, CheckedEvent, matches_pattern};

    #[test]
    fn a_clock_that_is_ahead_makes_no_two_events_one_and_no_event_two() {
        let add = |time: &str| ActivityEvent {
            kind: ActivityType::CartAction,
            page: Some("/cart".to_owned()),
            feature: Some("TWT-SIN".to_owned()),
            action: Some("add".to_owned()),
            session_duration: None,
            timestamp: Some(time.to_owned()),
            session_id: Some(Uuid::from_u128(1)),
        };
        let checked = |now: i64| {
            let events = vec![add("2026-11-21T17:05:00Z"), add("2026-11-21T17:05:01Z")];
            ActivityReport::Batch { events }.check(now, &|_| true).expect("they are valid")
        };
        let ids = |now: i64| checked(now).iter().map(CheckedEvent::lasting_id).collect::<Vec<_>>();
        let now = "2026-11-21T17:00:00Z".parse::<Timestamp>().expect("a time").as_millisecond();
        assert!(checked(now).iter().all(|event| event.occurred_at == now), "nothing happens in the future");
        assert_ne!(ids(now)[0], ids(now)[1]);
        assert_eq!(ids(now + 2_000), ids(now), "reported again");
    }

    #[test]
    fn a_path_matches_its_pattern_and_nothing_else() {
        for (path, pattern, matches) in [
            ("/", "/", true),
            ("/cart", "/cart", true),
            ("/cart/", "/cart", false),
            ("/cart", "/", false),
            ("/product/double-blade-cutter", "/product/{id}", true),
            ("/product/", "/product/{id}", false),
            ("/product/a/b", "/product/{id}", false),
            ("/product/a?variant=B", "/product/{id}", false),
            ("/product/<b>", "/product/{id}", false),
            ("", "/", false),
        ] {
            assert_eq!(matches_pattern(path, pattern), matches, "{path} {pattern}");
        }
    }
}
