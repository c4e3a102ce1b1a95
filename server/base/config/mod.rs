//! Settings from the environment (and an optional file of the same `NAME=value` lines). Every problem is reported at
//! once; secrets never appear in any output.

mod networks;
mod secret;
pub mod smtp;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use url::Url;

pub use self::networks::Networks;
pub use self::secret::Secret;
use self::smtp::SmtpSettings;

use super::db::Db;

/// All that the shop needs to know to start.
#[derive(Clone, Debug)]
pub struct Config {
    pub http: Http,
    pub data: Data,
    pub company: Company,
    pub rendering: Rendering,
    pub analytics: Option<Analytics>,
    /// Card payments; off when a setting of theirs is missing.
    pub square: Option<SquareConfig>,
    /// Nobody can sign in without it.
    pub identity: Option<Identity>,
    /// Where mail goes out: `SHOP_SMTP_URL` and `SHOP_MAIL_FROM`. Without them the shop sends none.
    pub mail: Option<SmtpSettings>,
    /// Signs cookies and seals what is kept secret.
    pub secret: Secret,
    /// True under `shop demo`: every page says so.
    pub demo: bool,
    /// A folder with a watched development bundle instead of the one inside the binary.
    pub dev_bundle: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct Http {
    /// Where to listen: `SHOP_ADDRESS`.
    pub address: SocketAddr,
    /// How the browser reaches the shop, without a trailing slash: `SHOP_ORIGIN`.
    pub origin: Url,
    /// Where the browser finds the JSON API when it is not this origin: `SHOP_API_BASE`.
    pub api_base: Option<Url>,
    /// The common parent of both hosts, which the session's cookie then names: `SHOP_COOKIE_DOMAIN`.
    pub cookie_domain: Option<String>,
    /// Proxies whose `X-Forwarded-For` is believed: `SHOP_TRUSTED_PROXIES`.
    pub trusted_proxies: Networks,
    /// How long a node that is told to stop goes on serving, so that load balancers learn of it: `SHOP_DRAIN`.
    pub drain: Duration,
    /// How long running requests may take to finish at shutdown.
    pub grace: Duration,
}

#[derive(Clone, Debug)]
pub struct Data {
    /// `sqlite:PATH` or `postgres://…`: `SHOP_DATABASE`.
    pub database: Secret,
    /// Pictures and caches: `SHOP_DATA`.
    pub folder: PathBuf,
}

impl Http {
    /// The public address without a trailing slash.
    pub fn origin(&self) -> &str {
        self.origin.as_str().trim_end_matches('/')
    }

    /// The shop's origin as browsers send it.
    pub fn shop_origin(&self) -> String {
        self.origin.origin().ascii_serialization()
    }

    pub fn is_https(&self) -> bool {
        self.origin.scheme() == "https"
    }
}

/// The company is one of Ohio.
const STATE: &str = "OH";

/// Who runs the shop, as pages and legal texts say it.
#[derive(Clone, Debug)]
pub struct Company {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// Where the store is, by which sales there are taxed: two capital letters.
    pub state: String,
    /// `SHOP_COMPANY_COUNTY`
    pub county: String,
    /// Ages are counted by the date here: `SHOP_TIME_ZONE`.
    pub time_zone: TimeZone,
}

impl Company {
    /// The line that stands under the age gate and every page.
    pub fn legal_line(&self) -> String {
        format!("Products for legal tobacco use only. {}, OH, License # pending.", self.name)
    }
}

#[derive(Clone, Debug)]
pub struct Rendering {
    /// Isolates, each on its own thread: `SHOP_ISOLATES`.
    pub isolates: usize,
    /// Renders that may wait before the shop answers that it is overloaded.
    pub queue: usize,
    /// A render that takes longer is stopped.
    pub deadline: Duration,
    /// How often each isolate renders each sample page, once before it takes traffic and the rest while it has nothing to do.
    pub warm_up_rounds: usize,
}

/// The traffic-analytics beacon, off unless `SHOP_BEACON_TOKEN` is set.
#[derive(Clone, Debug)]
pub struct Analytics {
    pub token: String,
    pub site: String,
}

/// Card payments with Square.
#[derive(Clone, Debug)]
pub struct SquareConfig {
    /// Where its API is: follows from `SHOP_SQUARE_ENVIRONMENT`.
    pub api: Url,
    /// The script that draws the card form in the browser: follows from `SHOP_SQUARE_ENVIRONMENT`.
    pub script: Url,
    /// `SHOP_SQUARE_APPLICATION_ID`
    pub application_id: String,
    /// `SHOP_SQUARE_LOCATION_ID`
    pub location_id: String,
    /// `SHOP_SQUARE_ACCESS_TOKEN`
    pub access_token: Secret,
    /// Signs what Square sends: `SHOP_SQUARE_WEBHOOK_KEY`.
    pub webhook_key: Secret,
    /// Where Square sends it, letter by letter as it was registered there: it is part of what is signed.
    pub webhook_url: String,
}

impl SquareConfig {
    /// Whether no real money moves.
    pub fn is_sandbox(&self) -> bool {
        self.application_id.starts_with("sandbox-")
    }

    /// The path to which Square sends its events.
    pub const WEBHOOK_PATH: &str = "/webhooks/square";

    /// `None`, with one warning, when a setting is missing.
    fn read(reader: &mut Reader<'_>, origin: &Url) -> Option<Self> {
        let environment = reader.text("SHOP_SQUARE_ENVIRONMENT", Some("production"));
        let (api, script) = match environment.as_str() {
            "production" => ("https://connect.squareup.com", "https://web.squarecdn.com/v1/square.js"),
            "sandbox" => ("https://connect.squareupsandbox.com", "https://sandbox.web.squarecdn.com/v1/square.js"),
            _ => {
                let problem = format!("SHOP_SQUARE_ENVIRONMENT: '{environment}' is not sandbox or production");
                reader.problems.push(problem);
                return None;
            }
        };
        let names = [
            "SHOP_SQUARE_APPLICATION_ID",
            "SHOP_SQUARE_LOCATION_ID",
            "SHOP_SQUARE_ACCESS_TOKEN",
            "SHOP_SQUARE_WEBHOOK_KEY",
        ];
        let values = names.map(|name| reader.text(name, Some("")));
        let missing: Vec<&str> =
            names.iter().zip(&values).filter(|(_, value)| value.is_empty()).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            tracing::warn!("card payment is off, its set-up is skipped: {} missing", missing.join(", "));
            return None;
        }
        let [application_id, location_id, access_token, webhook_key] = values;
        // An id of the other environment would only fail in the shopper's browser.
        if application_id.starts_with("sandbox-") != (environment == "sandbox") {
            reader.problems.push(format!("SHOP_SQUARE_APPLICATION_ID is not one of the {environment} environment"));
        }
        Some(Self {
            api: Url::parse(api).ok()?,
            script: Url::parse(script).ok()?,
            application_id,
            location_id,
            access_token: Secret::new(access_token),
            webhook_key: Secret::new(webhook_key),
            webhook_url: format!("{}{}", origin.as_str().trim_end_matches('/'), Self::WEBHOOK_PATH),
        })
    }
}

/// The OpenID provider that customers sign in at. Off unless `SHOP_OIDC_ISSUER` and `SHOP_OIDC_CLIENT_ID` are set.
#[derive(Clone, Debug)]
pub struct Identity {
    /// As the provider writes it, to the last slash: `SHOP_OIDC_ISSUER`.
    pub issuer: String,
    /// `SHOP_OIDC_CLIENT_ID`
    pub client_id: String,
    /// `SHOP_OIDC_CLIENT_SECRET`
    pub client_secret: Option<Secret>,
    /// What access tokens for the shop's API are made out to; without it none is taken: `SHOP_OIDC_AUDIENCE`.
    pub audience: Option<String>,
    /// The claim that lists roles: `SHOP_OIDC_ROLES_CLAIM`.
    pub roles_claim: String,
    /// The provider's page where somebody changes address, password and connected accounts: `SHOP_OIDC_ACCOUNT_URL`.
    pub account_url: Option<Url>,
}

/// Everything that is wrong with the settings.
#[derive(Debug, thiserror::Error)]
#[error("the configuration has {} problem(s):\n  - {}", .0.len(), .0.join("\n  - "))]
pub struct ConfigError(pub Vec<String>);

impl Config {
    /// Reads production settings through `lookup` (the environment, or a test's table).
    pub fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let mut problems = Vec::new();
        let mut reader = Reader { lookup, problems: &mut problems };

        let address = reader.parse("SHOP_ADDRESS", Some("0.0.0.0:8787"), "an address such as 0.0.0.0:8787");
        let origin = reader.parse("SHOP_ORIGIN", None, "the shop's public address such as https://shop.example");
        let api_base = reader.optional("SHOP_API_BASE", "an address such as https://api.shop.example");
        let database = reader.text("SHOP_DATABASE", Some("sqlite:data/shop.db"));
        let folder = reader.text("SHOP_DATA", Some("data"));
        let secret = reader.text("SHOP_SECRET", None);
        let name = reader.text("SHOP_COMPANY_NAME", None);
        let email = reader.text("SHOP_COMPANY_EMAIL", None);
        let phone = reader.text("SHOP_COMPANY_PHONE", None);
        let postal = reader.text("SHOP_COMPANY_ADDRESS", None);
        let county = reader.text("SHOP_COMPANY_COUNTY", Some("Franklin"));
        let zone = reader.text("SHOP_TIME_ZONE", Some("America/New_York"));
        let drain: Option<u64> = reader.parse("SHOP_DRAIN", Some("5"), "a number of seconds such as 5");
        let isolates = reader.parse("SHOP_ISOLATES", Some(&default_isolates().to_string()), "a number from 1 to 64");
        let cookie_domain = reader.some("SHOP_COOKIE_DOMAIN");
        let trusted_proxies = reader.optional("SHOP_TRUSTED_PROXIES", "a list of networks such as 10.0.0.0/8");
        let identity = reader.identity();
        let beacon = (reader.lookup)("SHOP_BEACON_TOKEN").filter(|token| !token.is_empty());
        let square = origin.as_ref().and_then(|origin| SquareConfig::read(&mut reader, origin));

        let mail = reader.mail();

        let time_zone = TimeZone::get(&zone).unwrap_or_else(|_| {
            problems.push(format!("SHOP_TIME_ZONE: '{zone}' is not a known time zone such as America/New_York"));
            TimeZone::UTC
        });
        let host = |url: &Option<Url>| url.as_ref().and_then(|url| url.host_str().map(str::to_owned));
        if api_base.is_some() && host(&api_base) != host(&origin) && cookie_domain.is_none() {
            problems
                .push("SHOP_COOKIE_DOMAIN is missing: with SHOP_API_BASE it names the parent of both hosts".to_owned());
        }
        if !secret.is_empty() && secret.len() < 32 {
            problems.push("SHOP_SECRET must have at least 32 characters".to_owned());
        }
        if !database.is_empty() && !Db::knows(&database) {
            problems.push("SHOP_DATABASE must begin with sqlite: or postgres:".to_owned());
        }
        if isolates.is_some_and(|count: usize| !(1..=64).contains(&count)) {
            problems.push("SHOP_ISOLATES must be from 1 to 64".to_owned());
        }
        if drain.is_some_and(|seconds| seconds > 600) {
            problems.push("SHOP_DRAIN must be from 0 to 600 seconds".to_owned());
        }
        let (Some(address), Some(origin), Some(isolates), true) = (address, origin, isolates, problems.is_empty())
        else {
            return Err(ConfigError(problems));
        };
        let site = Url::host_str(&origin).unwrap_or_default().to_owned();
        Ok(Self {
            http: Http {
                address,
                origin,
                api_base,
                cookie_domain,
                trusted_proxies: trusted_proxies.unwrap_or_default(),
                drain: Duration::from_secs(drain.unwrap_or_default()),
                grace: Duration::from_secs(20),
            },
            data: Data { database: Secret::new(database), folder: folder.into() },
            company: Company { name, email, phone, address: postal, state: STATE.to_owned(), county, time_zone },
            rendering: Rendering { isolates, ..Rendering::default() },
            identity,
            analytics: beacon.map(|token| Analytics { token, site }),
            square,
            mail,
            secret: Secret::new(secret),
            demo: false,
            dev_bundle: None,
        })
    }
}

impl Default for Rendering {
    fn default() -> Self {
        Self { isolates: default_isolates(), queue: 256, deadline: Duration::from_secs(2), warm_up_rounds: 200 }
    }
}

fn default_isolates() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().min(64))
}

struct Reader<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    problems: &'a mut Vec<String>,
}

impl Reader<'_> {
    fn text(&mut self, name: &str, default: Option<&str>) -> String {
        match (self.lookup)(name).filter(|value| !value.trim().is_empty()) {
            Some(value) => value,
            None => default.map(str::to_owned).unwrap_or_else(|| {
                self.problems.push(format!("{name} is missing"));
                String::new()
            }),
        }
    }

    fn parse<T: std::str::FromStr>(&mut self, name: &str, default: Option<&str>, expected: &str) -> Option<T> {
        let missing = self.problems.len();
        let value = self.text(name, default);
        if self.problems.len() > missing {
            return None;
        }
        value.parse().map_err(|_| self.problems.push(format!("{name}: '{value}' is not {expected}"))).ok()
    }

    fn some(&self, name: &str) -> Option<String> {
        (self.lookup)(name).filter(|value| !value.trim().is_empty())
    }

    fn identity(&mut self) -> Option<Identity> {
        let (issuer, client_id) = (self.some("SHOP_OIDC_ISSUER"), self.some("SHOP_OIDC_CLIENT_ID"));
        let (Some(issuer), Some(client_id)) = (issuer, client_id) else {
            tracing::warn!("SHOP_OIDC_ISSUER or SHOP_OIDC_CLIENT_ID is missing: nobody can sign in");
            return None;
        };
        if Url::parse(&issuer).is_err() {
            self.problems.push(format!("SHOP_OIDC_ISSUER: '{issuer}' is not an address such as https://id.example"));
        }
        Some(Identity {
            issuer,
            client_id,
            client_secret: self.some("SHOP_OIDC_CLIENT_SECRET").map(Secret::new),
            audience: self.some("SHOP_OIDC_AUDIENCE"),
            roles_claim: self.text("SHOP_OIDC_ROLES_CLAIM", Some("roles")),
            account_url: self.account_url(),
        })
    }

    fn account_url(&mut self) -> Option<Url> {
        const EXPECTED: &str = "an address such as https://id.example/account";
        let url: Url = self.optional("SHOP_OIDC_ACCOUNT_URL", EXPECTED)?;
        if !matches!(url.scheme(), "http" | "https") {
            self.problems.push(format!("SHOP_OIDC_ACCOUNT_URL: '{url}' is not {EXPECTED}"));
        }
        Some(url)
    }

    fn optional<T: std::str::FromStr>(&mut self, name: &str, expected: &str) -> Option<T> {
        (self.lookup)(name).filter(|value| !value.is_empty())?;
        self.parse(name, None, expected)
    }

    /// Both settings or neither.
    fn mail(&mut self) -> Option<SmtpSettings> {
        let given = |name| (self.lookup)(name).filter(|value| !value.trim().is_empty());
        match (given("SHOP_SMTP_URL"), given("SHOP_MAIL_FROM")) {
            (None, None) => {
                tracing::warn!("mail is off: SHOP_SMTP_URL and SHOP_MAIL_FROM are not set");
                None
            }
            (Some(url), Some(from)) => {
                SmtpSettings::read(&url, &from).map_err(|problems| self.problems.extend(problems)).ok()
            }
            (Some(_), None) => {
                self.problems.push("SHOP_MAIL_FROM is missing, though SHOP_SMTP_URL is set".to_owned());
                None
            }
            (None, Some(_)) => {
                self.problems.push("SHOP_SMTP_URL is missing, though SHOP_MAIL_FROM is set".to_owned());
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Config;

    fn complete(name: &str) -> Option<String> {
        let value = match name {
            "SHOP_ORIGIN" => "https://shop.example",
            "SHOP_SECRET" => "0123456789abcdef0123456789abcdef",
            "SHOP_COMPANY_NAME" => "Cardinal & Briar",
            "SHOP_COMPANY_EMAIL" => "care@shop.example",
            "SHOP_COMPANY_PHONE" => "+1 614 555 0100",
            "SHOP_COMPANY_ADDRESS" => "1 Main Street, Columbus, OH 43215",
            _ => return None,
        };
        Some(value.to_owned())
    }

    #[test]
    fn complete_settings_are_accepted_and_secrets_stay_hidden() {
        let config = Config::read(&complete).expect("complete settings");
        assert_eq!(config.company.name, "Cardinal & Briar");
        let printed = format!("{config:?}");
        assert!(!printed.contains("0123456789abcdef"), "{printed}");
    }

    fn with_square(name: &str, square: &[(&str, &str)]) -> Option<String> {
        let value = square.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        value.or_else(|| complete(name))
    }

    const SQUARE: [(&str, &str); 5] = [
        ("SHOP_SQUARE_ENVIRONMENT", "sandbox"),
        ("SHOP_SQUARE_APPLICATION_ID", "sandbox-sq0idb-1"),
        ("SHOP_SQUARE_LOCATION_ID", "L1"),
        ("SHOP_SQUARE_ACCESS_TOKEN", "token-of-square"),
        ("SHOP_SQUARE_WEBHOOK_KEY", "key-of-webhooks"),
    ];

    #[test]
    fn the_environment_says_where_square_is() {
        let config = Config::read(&|name| with_square(name, &SQUARE)).expect("complete settings");
        let printed = format!("{config:?}");
        assert!(!printed.contains("token-of-square") && !printed.contains("key-of-webhooks"), "{printed}");
        let square = config.square.expect("card payment");
        assert_eq!(square.api.as_str(), "https://connect.squareupsandbox.com/");
        assert_eq!(square.script.as_str(), "https://sandbox.web.squarecdn.com/v1/square.js");
        assert_eq!(square.webhook_url, "https://shop.example/webhooks/square");
    }

    #[test]
    fn without_one_of_its_settings_card_payment_is_off_and_the_shop_starts() {
        assert!(Config::read(&complete).expect("the rest is complete").square.is_none());
        for missing in 1..SQUARE.len() {
            let mut settings = SQUARE;
            settings[missing].1 = "";
            let config = Config::read(&|name| with_square(name, &settings)).expect("the rest is complete");
            assert!(config.square.is_none(), "{}", SQUARE[missing].0);
        }
    }

    #[test]
    fn an_application_of_the_other_environment_is_refused() {
        for environment in ["production", "Sandbox"] {
            let mut settings = SQUARE;
            settings[0].1 = environment;
            let error = Config::read(&|name| with_square(name, &settings)).expect_err("a mixture");
            assert!(error.0[0].contains("SHOP_SQUARE_"), "{error}");
        }
    }

    #[test]
    fn a_database_without_a_driver_is_a_problem_like_others() {
        let lookup = |name: &str| if name == "SHOP_DATABASE" { Some("mysql://shop@db/shop".to_owned()) } else { None };
        let problems = Config::read(&lookup).unwrap_err().to_string();
        assert!(problems.contains("SHOP_DATABASE must begin with sqlite: or postgres:"), "{problems}");
        assert!(problems.contains("SHOP_ORIGIN is missing"), "{problems}");
    }

    #[test]
    fn mail_needs_both_of_its_settings() {
        let with = |url: &'static str, from: &'static str| {
            Config::read(&move |name| match name {
                "SHOP_SMTP_URL" => Some(url.to_owned()),
                "SHOP_MAIL_FROM" => Some(from.to_owned()),
                other => complete(other),
            })
        };
        assert!(with("", "").expect("mail is optional").mail.is_none());
        let config = with("smtps://care:hunter2@mail.example", "care@shop.example").expect("complete settings");
        assert_eq!(config.mail.as_ref().map(|mail| mail.host.as_str()), Some("mail.example"));
        assert!(!format!("{config:?}").contains("hunter2"));
        for (url, from) in
            [("smtp://localhost", ""), ("", "care@shop.example"), ("ftp://localhost", "care@shop.example")]
        {
            let error = with(url, from).expect_err("half of it is missing or wrong");
            assert_eq!(error.0.len(), 1, "{error}");
        }
    }

    #[test]
    fn sign_in_is_off_without_its_settings() {
        let with = |extra: &'static [(&'static str, &'static str)]| {
            Config::read(&move |name| {
                let extra = extra.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
                extra.or_else(|| complete(name))
            })
        };
        assert!(with(&[]).expect("complete").identity.is_none());
        assert!(with(&[("SHOP_OIDC_ISSUER", "https://id.example/")]).expect("complete").identity.is_none());
        let identity = with(&[("SHOP_OIDC_ISSUER", "https://id.example/"), ("SHOP_OIDC_CLIENT_ID", "shop")])
            .expect("complete")
            .identity
            .expect("on");
        assert_eq!((identity.issuer.as_str(), identity.roles_claim.as_str()), ("https://id.example/", "roles"));
        let wrong =
            with(&[("SHOP_OIDC_ISSUER", "id"), ("SHOP_OIDC_CLIENT_ID", "shop"), ("SHOP_TRUSTED_PROXIES", "all")]);
        let error = wrong.expect_err("two are wrong").to_string();
        assert!(error.contains("SHOP_OIDC_ISSUER") && error.contains("SHOP_TRUSTED_PROXIES"), "{error}");
        let error = with(&[
            ("SHOP_OIDC_ISSUER", "https://id.example/"),
            ("SHOP_OIDC_CLIENT_ID", "shop"),
            ("SHOP_OIDC_ACCOUNT_URL", "javascript:alert(1)"),
        ]);
        let error = error.expect_err("no page").to_string();
        assert!(error.contains("SHOP_OIDC_ACCOUNT_URL"), "{error}");
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let error = Config::read(&|name| match name {
            "SHOP_ADDRESS" => Some("nowhere".to_owned()),
            "SHOP_SECRET" => Some("short".to_owned()),
            "SHOP_TIME_ZONE" => Some("Ohio/Columbus".to_owned()),
            "SHOP_ISOLATES" => Some("0".to_owned()),
            _ => None,
        })
        .expect_err("nothing is right");
        for name in
            ["SHOP_ADDRESS", "SHOP_ORIGIN", "SHOP_SECRET", "SHOP_COMPANY_NAME", "SHOP_TIME_ZONE", "SHOP_ISOLATES"]
        {
            assert!(error.0.iter().any(|problem| problem.contains(name)), "{name} is not in {error}");
        }
    }
}
