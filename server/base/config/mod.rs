//! Settings from the environment, and an optional [`env_file`]. All problems are reported at once; secrets never appear in
//! any output.

mod cdn;
pub mod env_file;
mod identity;
mod networks;
mod otlp;
mod pictures;
mod reader;
mod secret;
pub mod settings;
pub mod smtp;
mod square;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use url::{Host, Url};

pub use self::cdn::{Cdn, Purging};
pub use self::identity::Identity;
pub use self::networks::Networks;
use self::networks::is_inside;
pub use self::otlp::Otlp;
pub use self::pictures::Bucket;
use self::reader::Reader;
pub use self::secret::Secret;
use self::smtp::SmtpSettings;
pub use self::square::SquareConfig;

use super::counties;
use super::db::Db;
use super::email::is_email;

/// The settings of this installation.
#[derive(Clone, Debug)]
pub struct Config {
    pub http: Http,
    pub data: Data,
    pub company: Company,
    pub rendering: Rendering,
    pub analytics: Option<Analytics>,
    /// Without it no shared cache keeps pages.
    pub cdn: Option<Cdn>,
    /// Without it nothing leaves the log.
    pub otlp: Option<Otlp>,
    /// Card payments; off when one of their settings is missing.
    pub square: Option<SquareConfig>,
    /// Without it nobody can sign in.
    pub identity: Option<Identity>,
    /// The outgoing mail server: `SHOP_SMTP_URL` and `SHOP_MAIL_FROM`. Without them the shop sends no mail.
    pub mail: Option<SmtpSettings>,
    /// Signs cookies and encrypts stored secrets.
    pub secret: Secret,
    /// Only verifies and decrypts, while `SHOP_SECRET` is replaced: `SHOP_SECRET_FALLBACK`.
    pub secret_fallback: Option<Secret>,
    /// The public key for which backups are encrypted: `SHOP_BACKUP_KEY`.
    pub backup_key: Option<String>,
    /// What the operator should know, such as parts that are off or settings that are not safe.
    pub warnings: Vec<String>,
    /// True under `shop demo`: every page says so.
    pub demo: bool,
    /// A folder with a watched development bundle instead of the one inside the binary.
    pub dev_bundle: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct Http {
    /// Where to listen: `SHOP_ADDRESS`.
    pub address: SocketAddr,
    /// Where Prometheus reads the metrics, nowhere by default: `SHOP_METRICS_ADDRESS`.
    pub metrics: Option<SocketAddr>,
    /// How the browser reaches the shop, without a trailing slash: `SHOP_ORIGIN`.
    pub origin: Url,
    /// The base address of the JSON API for browsers, if it is not this origin: `SHOP_API_BASE`.
    pub api_base: Option<Url>,
    /// The common parent domain of both hosts, used for the session cookie: `SHOP_COOKIE_DOMAIN`.
    pub cookie_domain: Option<String>,
    /// Proxies whose `X-Forwarded-For` is trusted: `SHOP_TRUSTED_PROXIES`.
    pub trusted_proxies: Networks,
    /// Whether requests of a network and of an account are limited; off if something in front of the shop does it: `SHOP_RATE_LIMITS`.
    pub has_limits: bool,
    /// How long a node keeps serving after it was told to stop, so that load balancers notice: `SHOP_DRAIN`.
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
    /// Where the pictures are instead: `SHOP_PICTURES`.
    pub bucket: Option<Bucket>,
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

/// `on` or `off`.
struct Switch(bool);

impl std::str::FromStr for Switch {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "on" => Ok(Self(true)),
            "off" => Ok(Self(false)),
            _ => Err(()),
        }
    }
}

/// The company is based in Ohio.
const STATE: &str = "OH";

/// Who runs the shop, as shown on pages and in legal texts.
#[derive(Clone, Debug)]
pub struct Company {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub address: String,
    /// The state of the store, by which sales there are taxed: two capital letters.
    pub state: String,
    /// `SHOP_COMPANY_COUNTY`
    pub county: String,
    /// Of ages, of the days from which taxes, rules and texts hold, and of figures: `SHOP_TIME_ZONE`.
    pub time_zone: TimeZone,
}

impl Company {
    /// The line shown below the age gate and at the foot of every page.
    pub fn legal_line(&self) -> String {
        format!("Products for legal tobacco use only. {}, OH, License # pending.", self.name)
    }
}

#[derive(Clone, Debug)]
pub struct Rendering {
    /// Isolates, each on its own thread: `SHOP_ISOLATES`.
    pub isolates: usize,
    /// Renders that may wait before the shop responds that it is overloaded.
    pub queue: usize,
    /// A render that takes longer is aborted.
    pub deadline: Duration,
    /// How often each isolate renders each sample page while it is idle.
    pub warm_up_rounds: usize,
}

/// The web analytics beacon, off unless `SHOP_BEACON_TOKEN` is set.
#[derive(Clone, Debug)]
pub struct Analytics {
    pub token: String,
    pub site: String,
}

/// All problems with the settings.
#[derive(Debug, thiserror::Error)]
#[error("the configuration has {} problem(s):\n  - {}", .0.len(), .0.join("\n  - "))]
pub struct ConfigError(pub Vec<String>);

impl Config {
    /// Reads production settings through `lookup` (the environment, or a table in tests).
    pub fn read(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());
        let mut reader = Reader { lookup, problems: &mut problems, warnings: &mut warnings };

        let address = reader.parse("SHOP_ADDRESS", Some("0.0.0.0:8787"), "an address such as 0.0.0.0:8787");
        let metrics = reader.optional("SHOP_METRICS_ADDRESS", "an address such as 127.0.0.1:9787");
        // Says so if it is missing.
        reader.text("SHOP_ORIGIN", None);
        let origin = reader.origin("SHOP_ORIGIN", "https://shop.example");
        let api_base = reader.origin("SHOP_API_BASE", "https://api.shop.example");
        let database = reader.text("SHOP_DATABASE", Some("sqlite:data/shop.db"));
        let folder = reader.text("SHOP_DATA", Some("data"));
        let bucket = Bucket::read(&mut reader);
        let secret = reader.text("SHOP_SECRET", None);
        let secret_fallback = reader.some("SHOP_SECRET_FALLBACK");
        let name = reader.text("SHOP_COMPANY_NAME", None);
        let email = reader.text("SHOP_COMPANY_EMAIL", None);
        if !email.is_empty() && !is_email(&email) {
            reader.problems.push(format!("SHOP_COMPANY_EMAIL: '{email}' is not an address such as care@shop.example"));
        }
        let phone = reader.text("SHOP_COMPANY_PHONE", None);
        let postal = reader.text("SHOP_COMPANY_ADDRESS", None);
        let county = reader.text("SHOP_COMPANY_COUNTY", Some("Franklin"));
        // As tax rates name it: another spelling would have none.
        let county = counties::in_ohio(&county).map(str::to_owned).unwrap_or_else(|| {
            reader.problems.push(format!("SHOP_COMPANY_COUNTY: '{county}' is not a county of Ohio such as Franklin"));
            county.clone()
        });
        let zone = reader.text("SHOP_TIME_ZONE", Some("America/New_York"));
        let drain: Option<u64> = reader.parse("SHOP_DRAIN", Some("5"), "a number of seconds such as 5");
        let isolates = reader.parse("SHOP_ISOLATES", Some(&default_isolates().to_string()), "a number from 1 to 64");
        let cookie_domain =
            reader.some("SHOP_COOKIE_DOMAIN").map(|domain| domain.trim_start_matches('.').to_lowercase());
        let trusted_proxies = reader.optional("SHOP_TRUSTED_PROXIES", "a list of networks such as 10.0.0.0/8");
        let limits: Option<Switch> = reader.parse("SHOP_RATE_LIMITS", Some("on"), "on or off");
        let identity = Identity::read(&mut reader);
        let beacon = reader.some("SHOP_BEACON_TOKEN");
        let backup_key = reader.some("SHOP_BACKUP_KEY");
        let square = SquareConfig::read(&mut reader, origin.as_ref());
        let mail = SmtpSettings::of(&mut reader);
        let cdn = Cdn::read(&mut reader);
        let otlp = Otlp::read(&mut reader);

        let time_zone = TimeZone::get(&zone).unwrap_or_else(|_| {
            problems.push(format!("SHOP_TIME_ZONE: '{zone}' is not a known time zone such as America/New_York"));
            TimeZone::UTC
        });
        let host = |url: &Option<Url>| url.as_ref().and_then(|url| url.host_str().map(str::to_owned));
        if api_base.is_some() && host(&api_base) != host(&origin) && cookie_domain.is_none() {
            problems
                .push("SHOP_COOKIE_DOMAIN is missing: with SHOP_API_BASE it names the parent of both hosts".to_owned());
        }
        // Browsers refuse a cookie of another domain, and nobody could sign in.
        if let Some(domain) = &cookie_domain {
            let is_below = |host: String| {
                host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            };
            if ![host(&origin), host(&api_base)].into_iter().flatten().all(is_below) {
                problems.push(format!(
                    "SHOP_COOKIE_DOMAIN: '{domain}' is not the domain of SHOP_ORIGIN and SHOP_API_BASE, or a parent of both"
                ));
            }
        }
        if !secret.is_empty() && secret.len() < 32 {
            problems.push("SHOP_SECRET must have at least 32 characters".to_owned());
        }
        if secret_fallback.as_ref().is_some_and(|fallback| fallback.len() < 32 || *fallback == secret) {
            problems.push(
                "SHOP_SECRET_FALLBACK must have at least 32 characters, and be another one than SHOP_SECRET".to_owned(),
            );
        }
        if secret_fallback.is_some() {
            warnings.push(
                "SHOP_SECRET_FALLBACK is set: once all nodes have the new SHOP_SECRET, run shop reencrypt, and a day later take it away"
                    .to_owned(),
            );
        }
        if !database.is_empty() && !Db::knows(&database) {
            problems.push("SHOP_DATABASE must begin with sqlite: or postgres:".to_owned());
        }
        let file = database.strip_prefix("sqlite:").and_then(|place| place.trim_start_matches("//").split('?').next());
        // Without a name SQLite keeps everything in memory only.
        if file.is_some_and(|file| file.trim().is_empty() || file == ":memory:") {
            problems.push("SHOP_DATABASE names no file: write its path after sqlite:".to_owned());
        }
        if isolates.is_some_and(|count: usize| !(1..=64).contains(&count)) {
            problems.push("SHOP_ISOLATES must be from 1 to 64".to_owned());
        }
        if drain.is_some_and(|seconds| seconds > 600) {
            problems.push("SHOP_DRAIN must be from 0 to 600 seconds".to_owned());
        }
        for Insecure { is_inside, what } in insecure(origin.as_ref(), identity.as_ref(), &database) {
            if is_inside { warnings.push(what) } else { problems.push(what) }
        }
        let (Some(address), Some(origin), Some(isolates), true) = (address, origin, isolates, problems.is_empty())
        else {
            return Err(ConfigError(problems));
        };
        let site = Url::host_str(&origin).unwrap_or_default().to_owned();
        Ok(Self {
            http: Http {
                address,
                metrics,
                origin,
                api_base,
                cookie_domain,
                trusted_proxies: trusted_proxies.unwrap_or_default(),
                has_limits: limits.is_none_or(|Switch(on)| on),
                drain: Duration::from_secs(drain.unwrap_or_default()),
                grace: Duration::from_secs(20),
            },
            data: Data { database: Secret::new(database), folder: folder.into(), bucket },
            company: Company { name, email, phone, address: postal, state: STATE.to_owned(), county, time_zone },
            rendering: Rendering { isolates, ..Rendering::default() },
            identity,
            analytics: beacon.map(|token| Analytics { token, site }),
            cdn,
            otlp,
            square,
            mail,
            backup_key,
            warnings,
            secret: Secret::new(secret),
            secret_fallback: secret_fallback.map(Secret::new),
            demo: false,
            dev_bundle: None,
        })
    }
}

/// A setting with which secrets travel in plain text.
struct Insecure {
    /// Within a private network, where the operator may accept it.
    is_inside: bool,
    what: String,
}

fn insecure(origin: Option<&Url>, identity: Option<&Identity>, database: &str) -> Vec<Insecure> {
    let plain = |url: &Url| {
        let host = url.host().filter(|host| url.scheme() == "http" && !is_this_machine(host))?;
        Some(is_inside(&host))
    };
    let mut found = Vec::new();
    if let Some((origin, is_inside)) = origin.and_then(|origin| plain(origin).map(|is_inside| (origin, is_inside))) {
        let what = format!(
            "SHOP_ORIGIN is {origin}: anybody on the way can read and take over sessions; put a TLS proxy in front and use https"
        );
        found.push(Insecure { is_inside, what });
    }
    let issuer = identity.and_then(|identity| Url::parse(&identity.issuer).ok());
    if let Some((issuer, is_inside)) = issuer.and_then(|issuer| plain(&issuer).map(|is_inside| (issuer, is_inside))) {
        let what = format!("SHOP_OIDC_ISSUER is {issuer}: anybody on the way can sign in as anybody; use https");
        found.push(Insecure { is_inside, what });
    }
    if let Some(host) = Db::plain_host(database) {
        let what = format!(
            "SHOP_DATABASE does not require TLS: anybody on the way to {host} can read and change all data; \
             append ?sslmode=verify-full, or sslmode=require where its certificate cannot be verified"
        );
        found.push(Insecure { is_inside: Host::parse(&host).is_ok_and(|host| is_inside(&host)), what });
    }
    found
}

fn is_this_machine(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => *name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

/// New pages that are made at the same time, for each core: while some of them wait for the database, others are made.
pub const NEW_PAGES_AT_ONCE: usize = 16;
/// The same of kept pages, most of which are only found to be still true.
pub const KEPT_PAGES_AT_ONCE: usize = 4;
/// Places in the isolates' queue for emails, and for pages that are made without a turn, such as the cart.
const OTHERS_WAITING: usize = 256;

impl Default for Rendering {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        // Those who have turns leave the others their places. None is reserved.
        let queue = cores * (NEW_PAGES_AT_ONCE + KEPT_PAGES_AT_ONCE) + OTHERS_WAITING;
        Self { isolates: default_isolates(), queue, deadline: Duration::from_secs(2), warm_up_rounds: 200 }
    }
}

fn default_isolates() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().min(64))
}
