//! All settings, in the order in which they are listed. The README contains the same table.

use std::collections::BTreeSet;

use strsim::osa_distance;

/// A variable of the environment.
#[derive(Debug)]
pub struct Setting {
    pub name: &'static str,
    /// As it is written in the table.
    pub default: &'static str,
    pub meaning: &'static str,
}

pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "SHOP_ORIGIN",
        default: "required",
        meaning: "the shop's public origin, such as `https://shop.example`",
    },
    Setting {
        name: "SHOP_SECRET",
        default: "required",
        meaning: "signs cookies and the links of emails, encrypts the identity provider's tokens and the secrets of webhooks; at least 32 characters",
    },
    Setting {
        name: "SHOP_SECRET_FALLBACK",
        default: "none",
        meaning: "while `SHOP_SECRET` is replaced: the other secret, which only reads what was signed and encrypted with it",
    },
    Setting { name: "SHOP_COMPANY_NAME", default: "required", meaning: "shown in pages and legal texts" },
    Setting {
        name: "SHOP_COMPANY_EMAIL",
        default: "required",
        meaning: "the address that customers write to; also shown in legal texts",
    },
    Setting { name: "SHOP_COMPANY_PHONE", default: "required", meaning: "shown in pages and legal texts" },
    Setting { name: "SHOP_COMPANY_ADDRESS", default: "required", meaning: "the postal address, in one line" },
    Setting { name: "SHOP_ADDRESS", default: "`0.0.0.0:8787`", meaning: "address and port to listen on" },
    Setting { name: "SHOP_DATABASE", default: "`sqlite:data/shop.db`", meaning: "`sqlite:PATH` or `postgres://…`" },
    Setting { name: "SHOP_DATA", default: "`data`", meaning: "folder for pictures and their cached renditions" },
    Setting {
        name: "SHOP_PICTURES",
        default: "the folder `pictures` in `SHOP_DATA`",
        meaning: "`s3://bucket` or `s3://bucket/prefix`: a store that speaks S3 and that all nodes share",
    },
    Setting {
        name: "SHOP_S3_ENDPOINT",
        default: "Amazon's",
        meaning: "the store's address: `https`, or `http` inside your own network",
    },
    Setting { name: "SHOP_S3_REGION", default: "`us-east-1`", meaning: "the store's region" },
    Setting {
        name: "SHOP_S3_ACCESS_KEY",
        default: "none",
        meaning: "id of the key for the store; required with `SHOP_PICTURES`, like the next",
    },
    Setting { name: "SHOP_S3_SECRET_KEY", default: "none", meaning: "the secret of that key" },
    Setting {
        name: "SHOP_COMPANY_COUNTY",
        default: "`Franklin`",
        meaning: "the store's county in Ohio, whose tax rate applies to sales there",
    },
    Setting {
        name: "SHOP_TIME_ZONE",
        default: "`America/New_York`",
        meaning: "the shop's time zone: of a visitor's age, of the days from which taxes, rules and texts hold, and of figures",
    },
    Setting {
        name: "SHOP_ISOLATES",
        default: "number of cores, at most 64",
        meaning: "V8 isolates, each with its own thread; from 1 to 64",
    },
    Setting {
        name: "SHOP_METRICS_ADDRESS",
        default: "none",
        meaning: "where Prometheus reads `/metrics`, which is off without it; not the address of the shop, and only for the monitoring",
    },
    Setting {
        name: "SHOP_DRAIN",
        default: "`5`",
        meaning: "seconds that a node goes on serving after SIGTERM, so that load balancers notice the stop; from 0 to 600",
    },
    Setting {
        name: "SHOP_SQUARE_APPLICATION_ID",
        default: "none",
        meaning: "card payment with Square, which is off, with a warning, unless this and the next three are set",
    },
    Setting { name: "SHOP_SQUARE_LOCATION_ID", default: "none", meaning: "the selling location" },
    Setting { name: "SHOP_SQUARE_ACCESS_TOKEN", default: "none", meaning: "access token of the same application" },
    Setting {
        name: "SHOP_SQUARE_WEBHOOK_KEY",
        default: "none",
        meaning: "signature key of the webhook subscription to `SHOP_ORIGIN/webhooks/square`",
    },
    Setting { name: "SHOP_SQUARE_ENVIRONMENT", default: "`production`", meaning: "`sandbox` or `production`" },
    Setting {
        name: "SHOP_SMTP_URL",
        default: "none",
        meaning: "mail server: `smtps://user:password@host` or `smtp://host`; without it no mail is sent",
    },
    Setting {
        name: "SHOP_MAIL_FROM",
        default: "none",
        meaning: "sender, such as `care@shop.example` or `Shop <care@shop.example>`; required with `SHOP_SMTP_URL`",
    },
    Setting {
        name: "SHOP_API_BASE",
        default: "none",
        meaning: "another origin where browsers call the JSON API, except for search suggestions, reports of errors, and what needs cookies of the host of `SHOP_ORIGIN`: cart, checkout, `/api/me` itself, age",
    },
    Setting {
        name: "SHOP_COOKIE_DOMAIN",
        default: "none",
        meaning: "with `SHOP_API_BASE` on another host: the common parent domain of both, for the session cookie",
    },
    Setting {
        name: "SHOP_RATE_LIMITS",
        default: "`on`",
        meaning: "`off` if something in front of the shop limits requests by visitor",
    },
    Setting {
        name: "SHOP_TRUSTED_PROXIES",
        default: "none",
        meaning: "networks of proxies whose `X-Forwarded-For` is trusted, such as `10.0.0.0/8, 2001:db8::/32`",
    },
    Setting {
        name: "SHOP_CDN_MAX_AGE",
        default: "none",
        meaning: "for how many seconds a shared cache may answer by itself, from 0 to 86400; without it none keeps pages",
    },
    Setting {
        name: "SHOP_CDN_STALE",
        default: "`30`",
        meaning: "for how many seconds afterward it may still do so while it asks the shop, from 0 to 86400",
    },
    Setting {
        name: "SHOP_CDN_PURGE_URL",
        default: "none",
        meaning: "where changed pages are purged: `https`, or `http` inside your own network",
    },
    Setting {
        name: "SHOP_CDN_PURGE_HEADER",
        default: "none",
        meaning: "a header with the secret for that, such as `Authorization: Bearer …`",
    },
    Setting {
        name: "SHOP_OIDC_ISSUER",
        default: "none",
        meaning: "the OpenID provider's issuer, exactly as in its discovery document; without it nobody can sign in",
    },
    Setting {
        name: "SHOP_OIDC_CLIENT_ID",
        default: "none",
        meaning: "the shop's client id there; without it nobody can sign in",
    },
    Setting { name: "SHOP_OIDC_CLIENT_SECRET", default: "none", meaning: "the client's secret" },
    Setting {
        name: "SHOP_OIDC_AUDIENCE",
        default: "none",
        meaning: "the required audience of access tokens for the API; without it none is accepted",
    },
    Setting {
        name: "SHOP_OIDC_TRUSTED_AUDIENCES",
        default: "none",
        meaning: "what ID tokens may be for besides the shop's client id, separated by blanks; without it one that is for others, too, is refused",
    },
    Setting { name: "SHOP_OIDC_ROLES_CLAIM", default: "`roles`", meaning: "the claim that lists a user's roles" },
    Setting {
        name: "SHOP_OIDC_STAFF_METHODS",
        default: "none",
        meaning: "`acr` or `amr` values, separated by blanks, one of which the admin area requires",
    },
    Setting {
        name: "SHOP_OIDC_CONFIRM_METHODS",
        default: "none",
        meaning: "the same for what requires a recent sign-in",
    },
    Setting {
        name: "SHOP_OIDC_ACCOUNT_URL",
        default: "none",
        meaning: "the provider's page where customers change their email address, password and connected accounts; the account page links to it",
    },
    Setting {
        name: "SHOP_BACKUP_KEY",
        default: "none",
        meaning: "the public key for which `shop backup` encrypts, as `shop backup-key` prints it; without it backups are not encrypted",
    },
    Setting {
        name: "SHOP_BEACON_TOKEN",
        default: "none",
        meaning: "public token of the traffic beacon; without it none is loaded",
    },
    Setting {
        name: "SHOP_OTLP_ENDPOINT",
        default: "none",
        meaning: "a collector of traces and logs that speaks OTLP over HTTP, such as `http://collector:4318`: `https`, or `http` inside your own network",
    },
    Setting {
        name: "SHOP_OTLP_HEADER",
        default: "none",
        meaning: "what authenticates the shop there, such as `Authorization: Bearer …`",
    },
    Setting {
        name: "SHOP_OTLP_RATIO",
        default: "`1`",
        meaning: "the share of requests and jobs that are traced, from 0 to 1",
    },
    Setting {
        name: "RUST_LOG",
        default: "`info,object_store=warn`",
        meaning: "what is logged, in the syntax of `tracing-subscriber`",
    },
];

/// Names that others than the shop use: `deploy/Caddyfile`, and Kubernetes for a Service that is called `shop`.
const OF_OTHERS: [&str; 3] = ["SHOP_HEALTH", "SHOP_HOST", "SHOP_NODES"];
const OF_SERVICES: [&str; 2] = ["SHOP_PORT", "SHOP_SERVICE_"];

/// What to say about names that begin like those of settings and are none.
pub fn unknown(names: impl Iterator<Item = String>) -> Vec<String> {
    let is_known = |name: &str| {
        SETTINGS.iter().any(|setting| setting.name == name)
            || OF_OTHERS.contains(&name)
            || OF_SERVICES.iter().any(|start| name.starts_with(start))
    };
    let unknown: BTreeSet<String> = names.filter(|name| name.starts_with("SHOP_") && !is_known(name)).collect();
    let said = unknown.iter().map(|name| {
        let advice = match similar(name) {
            Some(setting) => format!("is {setting} meant?"),
            None => "shop settings lists all".to_owned(),
        };
        format!("{name} is not a setting and does nothing: {advice}")
    });
    said.collect()
}

/// The setting whose name differs from this one by a slip or two.
fn similar(name: &str) -> Option<&'static str> {
    let distances = SETTINGS.iter().map(|setting| (osa_distance(setting.name, name), setting.name));
    distances.min().filter(|(distance, _)| *distance <= (name.len() / 6).max(2)).map(|(_, setting)| setting)
}

/// The table in the README.
pub fn handbook() -> String {
    let row = |setting: &Setting| format!("| `{}` | {} | {} |\n", setting.name, setting.default, setting.meaning);
    let rows: String = SETTINGS.iter().map(row).collect();
    format!("| Variable | Default | Meaning |\n|---|---|---|\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::{handbook, unknown};

    #[test]
    fn a_name_that_is_no_setting_is_told_with_the_one_that_is_meant() {
        let names = ["SHOP_TRUSTED_PROXY", "SHOP_ORGIN", "SHOP_HOST_OF_NOTHING", "PATH", "SHOP_SECRET", "RUST_LOG"];
        assert_eq!(
            unknown(names.into_iter().map(str::to_owned)),
            [
                "SHOP_HOST_OF_NOTHING is not a setting and does nothing: shop settings lists all",
                "SHOP_ORGIN is not a setting and does nothing: is SHOP_ORIGIN meant?",
                "SHOP_TRUSTED_PROXY is not a setting and does nothing: is SHOP_TRUSTED_PROXIES meant?",
            ]
        );
    }

    #[test]
    fn the_readme_lists_all_settings() {
        let readme = include_str!("../../../README.md");
        assert!(readme.contains(&handbook()), "the table of the README must be:\n{}", handbook());
    }
}
