//! Users, roles and sessions.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shop_base::email::is_email;
use shop_base::fields::one_line;
use shop_base::role::Role;
use utoipa::ToSchema;
use uuid::Uuid;

/// The database and the memory know the token of a session only by its hash.
pub fn hash_of_token(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// The user's claims from the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub issuer: String,
    pub subject: String,
    pub email: String,
    pub email_verified: bool,
    pub name: String,
    pub roles: Vec<String>,
}

/// Letters of a user's name.
pub const MAX_NAME: usize = 80;

impl Profile {
    /// With a name and an email address that the shop can store and show: some providers let people enter anything.
    #[must_use]
    pub fn tidied(self) -> Self {
        let (name, email) = (tidy_name(&self.name), tidy_email(&self.email));
        Self { email_verified: self.email_verified && !email.is_empty(), name, email, ..self }
    }
}

/// A name on one line that is not too long. Empty if nothing of it could be seen or followed in lists.
pub fn tidy_name(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control() && !c.is_whitespace(), "");
    let name: String = one_line(&text).chars().take(MAX_NAME).collect();
    if name.chars().any(char::is_alphanumeric) { name.trim_end().to_owned() } else { String::new() }
}

/// Empty if it is no email address.
pub fn tidy_email(text: &str) -> String {
    if is_email(text) { text.to_owned() } else { String::new() }
}

/// How a request was authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// By the cookie of the session with this id.
    Cookie(Uuid),
    /// By an access token.
    Bearer,
    /// Not authenticated as this user: staff act on their behalf.
    OnBehalf,
}

/// A signed-in visitor, as of this request.
#[derive(Clone, Debug)]
pub struct Session {
    pub user_id: Uuid,
    pub subject: String,
    pub name: String,
    pub email: String,
    /// As listed by the provider, or the one assigned by a super admin.
    pub roles: Vec<String>,
    pub proof: Proof,
    /// When the user last authenticated at the provider, UTC milliseconds.
    pub authenticated_at: i64,
    /// How they did, as the provider says: its `acr`, and what `amr` lists.
    pub methods: Vec<String>,
}

const MINUTE_MS: i64 = 60 * 1000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// How long an access token is accepted, in milliseconds, whatever its own end: no provider needs more. The shop remembers for as long
/// whose account was erased.
pub const LONGEST_TOKEN_MS: i64 = 30 * DAY_MS;

/// Sessions per account. A further sign-in ends the one that was not used for the longest time.
pub const MOST_SESSIONS: i64 = 100;

/// The maximum age of an authentication for what the table of permissions protects most.
const FRESH_MS: i64 = 15 * MINUTE_MS;

/// How long sessions last, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Without use.
    pub idle: i64,
    /// In all.
    pub longest: i64,
    /// How often use is noted.
    pub noted_every: i64,
}

impl Lifetime {
    const CUSTOMER: Self = Self { idle: 14 * DAY_MS, longest: 30 * DAY_MS, noted_every: 5 * MINUTE_MS };
    const STAFF: Self = Self { idle: 30 * MINUTE_MS, longest: 12 * HOUR_MS, noted_every: MINUTE_MS };

    pub fn of(role: Option<Role>) -> Self {
        if role.is_some_and(Role::is_staff) { Self::STAFF } else { Self::CUSTOMER }
    }

    /// When a session ends that was used at `seen` and began at `began`.
    pub fn end(self, began: i64, seen: i64) -> i64 {
        (seen + self.idle).min(began + self.longest)
    }
}

impl Session {
    /// The effective role.
    pub fn role(&self) -> Option<Role> {
        Role::effective(&self.roles)
    }

    /// Whether the user authenticated within the last 15 minutes.
    pub fn is_fresh(&self, now: i64) -> bool {
        now - self.authenticated_at <= FRESH_MS
    }

    /// Whether the user authenticated by one of these methods; if none are listed, by any.
    pub fn is_by(&self, methods: &[String]) -> bool {
        methods.is_empty() || self.methods.iter().any(|method| methods.contains(method))
    }

    /// The id of the session, if the request was authenticated by a cookie.
    pub fn session_id(&self) -> Option<Uuid> {
        match self.proof {
            Proof::Cookie(id) => Some(id),
            Proof::Bearer | Proof::OnBehalf => None,
        }
    }
}

/// What the layout shows of a signed-in visitor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct UserView {
    pub name: String,
    pub email: String,
    pub sub: String,
    pub role: Option<Role>,
    /// One or two capital letters.
    pub initials: String,
}

impl From<&Session> for UserView {
    fn from(session: &Session) -> Self {
        Self {
            name: session.name.clone(),
            email: session.email.clone(),
            sub: session.subject.clone(),
            role: session.role(),
            initials: initials(&session.name, &session.email),
        }
    }
}

/// First letters of the first and the last name, or of the email address if there is no name.
fn initials(name: &str, email: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let letters = match words.as_slice() {
        [] => vec![email.chars().next()],
        [only] => vec![only.chars().next()],
        [first, .., last] => vec![first.chars().next(), last.chars().next()],
    };
    letters.into_iter().flatten().flat_map(char::to_uppercase).collect()
}

/// One of a user's sessions, as listed on the account page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SessionView {
    pub id: Uuid,
    /// Such as `Firefox on Windows`.
    pub device: String,
    /// The IP address without its last part.
    pub network: String,
    /// UTC milliseconds.
    pub created_at: i64,
    /// UTC milliseconds.
    pub seen_at: i64,
    /// `YYYY-MM-DD`, in the shop's time zone.
    pub seen_on: String,
    /// The session of this request.
    pub is_current: bool,
}

/// Browser and operating system according to the user agent.
pub fn device(user_agent: &str) -> String {
    let has = |mark: &str| user_agent.contains(mark);
    let pick = |table: &[(&str, &'static str)]| table.iter().find(|(mark, _)| has(mark)).map(|(_, name)| *name);
    // Order matters: a browser's user agent also contains the names of the browsers it imitates.
    let browser = pick(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = pick(&[
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown device".to_owned(),
    }
}

/// A sign-in confirmed by the provider.
#[derive(Debug)]
pub struct SignIn {
    pub profile: Profile,
    /// UTC milliseconds.
    pub authenticated_at: i64,
    /// The provider's `acr`, and what `amr` lists.
    pub methods: Vec<String>,
    /// The provider's session id (`sid`).
    pub provider_session: Option<String>,
    pub tokens: Option<Tokens>,
}

/// Tokens of one session, stored encrypted.
#[derive(Clone, Serialize, Deserialize)]
pub struct Tokens {
    pub refresh_token: Option<String>,
    /// Identifies the session to the provider on sign-out.
    pub id_token: String,
    /// When the access token expires, UTC milliseconds.
    pub refresh_at: Option<i64>,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[tokens]")
    }
}

#[cfg(test)]
mod tests {
    use super::{device, initials, tidy_name};
    use shop_base::role::Role;

    #[test]
    fn a_name_can_be_seen_and_is_not_too_long() {
        for (said, kept) in [
            ("  Ada\n Lovelace ", "Ada Lovelace"),
            ("\u{202e}A\0da\u{7f}", "Ada"),
            ("\u{200b} \u{3164}", ""),
            ("\u{1f600}", ""),
            ("Zoe\u{308}", "Zo\u{eb}"),
        ] {
            assert_eq!(tidy_name(said), kept, "{said:?}");
        }
        assert_eq!(tidy_name(&"\u{ac00}".repeat(100_000)), "\u{ac00}".repeat(80));
        assert_eq!(tidy_name(&format!("{} b", "a".repeat(79))), "a".repeat(79));
    }

    #[test]
    fn the_effective_role_is_the_first_in_priority() {
        let of = |names: &[&str]| Role::effective(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(of(&["customer", "staff", "super_admin", "admin"]), Some(Role::SuperAdmin));
        assert_eq!(of(&["customer", "admin"]), Some(Role::Admin));
        assert_eq!(of(&["staff", "customer"]), Some(Role::Staff));
        assert_eq!(of(&["customer"]), Some(Role::Customer));
        assert_eq!(of(&["owner", "Admin"]), None);
        assert_eq!(of(&[]), None);
        assert!(Role::SuperAdmin.is_admin() && Role::Admin.is_admin() && !Role::Staff.is_admin());
        assert!(Role::Staff.is_staff() && Role::Admin.is_staff() && !Role::Customer.is_staff());
    }

    #[test]
    fn initials_come_from_the_name_or_the_mail_address() {
        assert_eq!(initials("Ada Byron Lovelace", ""), "AL");
        assert_eq!(initials("ada", "x@y.example"), "A");
        assert_eq!(initials("  ", "émile@y.example"), "É");
        assert_eq!(initials("", ""), "");
    }

    #[test]
    fn a_device_is_named_by_browser_and_system() {
        let chrome =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36";
        assert_eq!(device(chrome), "Chrome on Linux");
        assert_eq!(
            device("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/604"),
            "Safari on iPhone"
        );
        assert_eq!(device("curl/8"), "Unknown device");
    }
}
