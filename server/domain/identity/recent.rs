//! Sessions that were just looked up, for pages that show no more of a visitor than their name and role. Everything else looks the session
//! up each time. And which tokens are those of staff.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use shop_base::db::Effect;
use shop_base::role::Role;

use super::model::{Session, hash_of_token};

/// The effect of a change of what sessions show of their users, or of a session's end.
pub const CHANGED: Effect = Effect("sessions changed");

/// How long a change by another node may go unnoticed. Those of this one are noticed at once.
const VALID_MS: i64 = 5_000;
/// Of some 500 bytes each.
const MAX_SESSIONS: u64 = 10_000;
const MAX_STAFF: u64 = 10_000;
/// As long as a session of staff.
const STAFF_LAST: Duration = Duration::from_secs(12 * 60 * 60);

/// Sessions by the hashes of their tokens.
#[derive(Debug)]
pub struct RecentSessions {
    found: Cache<[u8; 32], Found>,
    /// How often some session or user has changed.
    changes: AtomicU64,
    /// Hashes of tokens with which staff have been here.
    of_staff: Cache<[u8; 32], ()>,
}

#[derive(Clone, Debug)]
struct Found {
    session: Session,
    at: i64,
}

/// When a session was looked up: before the database was asked.
#[derive(Clone, Copy, Debug)]
pub struct Lookup {
    changes: u64,
    now: i64,
}

impl Default for RecentSessions {
    fn default() -> Self {
        let of_staff = Cache::builder().max_capacity(MAX_STAFF).time_to_live(STAFF_LAST).build();
        Self { found: Cache::new(MAX_SESSIONS), changes: AtomicU64::new(0), of_staff }
    }
}

impl RecentSessions {
    pub fn begin(&self, now: i64) -> Lookup {
        Lookup { changes: self.changes.load(Ordering::SeqCst), now }
    }

    /// Remembers a session, unless it may have changed since the lookup began.
    pub fn note(&self, token: &str, session: &Session, lookup: Lookup) {
        let hash = hash_of_token(token);
        self.found.insert(hash, Found { session: session.clone(), at: lookup.now });
        // Checked last: a change is counted before sessions are forgotten.
        if self.changes.load(Ordering::SeqCst) != lookup.changes {
            self.found.invalidate(&hash);
        }
    }

    pub fn find(&self, token: &str, now: i64) -> Option<Session> {
        let Found { session, at } = self.found.get(&hash_of_token(token))?;
        (at..at + VALID_MS).contains(&now).then_some(session)
    }

    /// To be called after each change of a session or a user.
    pub fn forget_all(&self) {
        self.changes.fetch_add(1, Ordering::SeqCst);
        self.found.invalidate_all();
    }

    /// Remembers the token of a session that was found, if it is one of staff.
    pub fn note_staff(&self, token: &str, session: &Session) {
        if session.role().is_some_and(Role::is_staff) {
            self.of_staff.insert(hash_of_token(token), ());
        }
    }

    /// Whether staff have been here with this token. That allows nothing: they may have lost their role, and the session may have ended.
    pub fn is_of_staff(&self, token: &str) -> bool {
        self.of_staff.contains_key(&hash_of_token(token))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::model::{Proof, Session};
    use super::{RecentSessions, VALID_MS};

    fn session() -> Session {
        Session {
            user_id: Uuid::from_u128(1),
            subject: "u1".to_owned(),
            name: "Ada".to_owned(),
            email: String::new(),
            roles: Vec::new(),
            proof: Proof::Cookie(Uuid::from_u128(2)),
            authenticated_at: 0,
            methods: Vec::new(),
        }
    }

    #[test]
    fn a_session_is_known_for_some_seconds() {
        let recent = RecentSessions::default();
        recent.note("token", &session(), recent.begin(1_000));
        assert!(recent.find("token", 999 + VALID_MS).is_some());
        for (token, now) in [("token", 1_000 + VALID_MS), ("token", 999), ("other", 1_000)] {
            assert!(recent.find(token, now).is_none(), "{token} at {now}");
        }
    }

    #[test]
    fn a_change_is_noticed_also_during_a_lookup() {
        let recent = RecentSessions::default();
        let lookup = recent.begin(0);
        recent.note("token", &session(), lookup);
        recent.forget_all();
        assert!(recent.find("token", 0).is_none());
        recent.note("token", &session(), lookup);
        assert!(recent.find("token", 0).is_none());
        recent.note("token", &session(), recent.begin(0));
        assert!(recent.find("token", 0).is_some());
    }
}
