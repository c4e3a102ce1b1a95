//! Tests of the settings as a whole.

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
fn the_county_is_the_one_of_the_tax_rates() {
    let read = |county| Config::read(&|name| with_square(name, &[("SHOP_COMPANY_COUNTY", county)]));
    for (written, county) in
        [("", "Franklin"), ("franklin", "Franklin"), ("Franklin County ", "Franklin"), ("VAN WERT", "Van Wert")]
    {
        assert_eq!(read(written).expect(written).company.county, county);
    }
    for wrong in ["Franklyn", "Franklin, OH", "Kings"] {
        let error = read(wrong).expect_err(wrong);
        assert!(error.0.len() == 1 && error.0[0].starts_with("SHOP_COMPANY_COUNTY: "), "{error}");
    }
}

#[test]
fn blanks_around_a_value_do_not_count_but_in_secrets_and_places() {
    let config = Config::read(&|name| {
        with_square(
            name,
            &[
                ("SHOP_ADDRESS", " 127.0.0.1:80 "),
                ("SHOP_COMPANY_NAME", "Cardinal & Briar\t"),
                ("SHOP_RATE_LIMITS", "off "),
                ("SHOP_SECRET", "0123456789abcdef0123456789abcdef "),
                ("SHOP_DATABASE", "sqlite:data/shop.db "),
                ("SHOP_DATA", " data"),
            ],
        )
    });
    let config = config.expect("complete settings");
    assert_eq!((config.http.address.port(), config.http.has_limits), (80, false));
    assert_eq!(config.company.name, "Cardinal & Briar");
    assert_eq!(config.secret.expose().len(), 33);
    assert_eq!(config.data.database.expose(), "sqlite:data/shop.db ");
    assert_eq!(config.data.folder.as_os_str(), " data");
}

#[test]
fn an_origin_is_a_scheme_and_a_host() {
    for name in ["SHOP_ORIGIN", "SHOP_API_BASE"] {
        let read =
            |value| Config::read(&|asked| with_square(asked, &[(name, value), ("SHOP_COOKIE_DOMAIN", "shop.example")]));
        for right in ["https://shop.example", "https://shop.example/", "https://shop.example:8443"] {
            read(right).expect(right);
        }
        for wrong in [
            "shop.example",
            "shop.example:443",
            "localhost:8787",
            "ftp://shop.example",
            "https://shop.example/shop",
            "https://shop.example?a=hunter2",
            "https://shop.example/#top",
            "https://care:hunter2@shop.example",
        ] {
            let error = read(wrong).expect_err(wrong);
            assert!(
                error.0.len() == 1 && error.0[0].starts_with(&format!("{name} is not an origin")),
                "{wrong}: {error}"
            );
            assert!(!error.0[0].contains("hunter2"), "{error}");
        }
    }
}

#[test]
fn problems_do_not_repeat_addresses_that_may_have_secrets() {
    const RIGHT: [(&str, &str); 8] = [
        ("SHOP_OIDC_CLIENT_ID", "shop"),
        ("SHOP_OIDC_ISSUER", "https://id.example"),
        ("SHOP_CDN_MAX_AGE", "60"),
        ("SHOP_PICTURES", "s3://pictures"),
        ("SHOP_S3_ACCESS_KEY", "id-of-the-key"),
        ("SHOP_S3_SECRET_KEY", "secret-of-the-key"),
        ("SHOP_SMTP_URL", "smtp://localhost"),
        ("SHOP_MAIL_FROM", "care@shop.example"),
    ];
    let names = [
        "SHOP_ORIGIN",
        "SHOP_API_BASE",
        "SHOP_DATABASE",
        "SHOP_PICTURES",
        "SHOP_S3_ENDPOINT",
        "SHOP_CDN_PURGE_URL",
        "SHOP_OIDC_ISSUER",
        "SHOP_OIDC_ACCOUNT_URL",
        "SHOP_OTLP_ENDPOINT",
        "SHOP_SMTP_URL",
    ];
    for name in names {
        // Of another kind, without a scheme, and without a host.
        for wrong in ["ftp://care:hunter2@shop.example", "care:hunter2@shop.example", "https://care:hunter2@"] {
            let error = Config::read(&|asked| with_square(asked, &[&[(name, wrong)][..], &RIGHT].concat()));
            let error = error.expect_err(name);
            assert!(error.0.iter().any(|problem| problem.starts_with(name)), "{name}: {error}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
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
fn customers_can_write_to_the_company() {
    for (email, is_right) in [("care@shop.example", true), ("Care <care@shop.example>", false), ("care", false)] {
        let told = Config::read(&|name| with_square(name, &[("SHOP_COMPANY_EMAIL", email)]));
        let problems = told.map(drop).map_err(|error| error.to_string());
        assert_eq!(problems.is_ok(), is_right, "{email}: {problems:?}");
        assert!(is_right || problems.is_err_and(|said| said.contains("SHOP_COMPANY_EMAIL: ")), "{email}");
    }
}

#[test]
fn a_database_in_memory_is_none() {
    let read = |database| Config::read(&|name| with_square(name, &[("SHOP_DATABASE", database)]));
    for wrong in ["sqlite:", "sqlite://", "sqlite: ", "sqlite:?mode=rwc", "sqlite::memory:"] {
        let error = read(wrong).expect_err(wrong);
        assert!(error.0.len() == 1 && error.0[0].starts_with("SHOP_DATABASE names no file"), "{wrong}: {error}");
    }
    for right in ["sqlite:shop.db", "sqlite:///var/lib/shop/shop.db", "sqlite:data/shop.db?mode=rwc"] {
        read(right).expect(right);
    }
}

#[test]
fn the_session_is_of_a_domain_that_browsers_accept() {
    let read = |origin, api, domain| {
        let settings = [("SHOP_ORIGIN", origin), ("SHOP_API_BASE", api), ("SHOP_COOKIE_DOMAIN", domain)];
        Config::read(&|name| with_square(name, &settings))
    };
    const WWW: &str = "https://www.shop.example";
    const API: &str = "https://api.shop.example";
    for (origin, api, domain) in
        [(WWW, API, "shop.example"), (WWW, API, ".Shop.example"), ("https://shop.example", API, "shop.example")]
    {
        let config = read(origin, api, domain).expect(domain);
        assert_eq!(config.http.cookie_domain.as_deref(), Some("shop.example"));
    }
    for (api, domain) in
        [(API, "www.shop.example"), (API, "other.example"), (API, "op.example"), ("", "api.shop.example")]
    {
        let error = read(WWW, api, domain).expect_err(domain);
        assert!(error.0.len() == 1 && error.0[0].starts_with("SHOP_COOKIE_DOMAIN: "), "{domain}: {error}");
    }
}

#[test]
fn a_fallback_of_the_secret_is_not_forgotten() {
    let read = |fallback| {
        Config::read(&|name| with_square(name, &[("SHOP_SECRET_FALLBACK", fallback)]))
            .map_err(|error| error.0.join("\n"))
    };
    let config = read("fedcba9876543210fedcba9876543210").expect("complete settings");
    assert!(config.secret_fallback.is_some());
    assert!(config.warnings.iter().any(|warning| warning.starts_with("SHOP_SECRET_FALLBACK is set")));
    let error = read("0123456789abcdef0123456789abcdef").expect_err("the same secret twice");
    assert!(error.starts_with("SHOP_SECRET_FALLBACK must have") && !error.contains("0123456789abcdef"), "{error}");
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
    for (url, from) in [("smtp://localhost", ""), ("", "care@shop.example"), ("ftp://localhost", "care@shop.example")] {
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
    const HALVES: [&[(&str, &str)]; 3] =
        [&[], &[("SHOP_OIDC_ISSUER", "https://id.example/")], &[("SHOP_OIDC_CLIENT_ID", "shop")]];
    let is_warned = |config: &Config| config.warnings.iter().any(|warning| warning.ends_with("nobody can sign in"));
    for half in HALVES {
        let config = with(half).expect("the shop starts");
        assert!(config.identity.is_none() && is_warned(&config), "{half:?}");
    }
    let config = with(&[
        ("SHOP_OIDC_ISSUER", "https://id.example/"),
        ("SHOP_OIDC_CLIENT_ID", "shop"),
        ("SHOP_OIDC_TRUSTED_AUDIENCES", "project  other-client"),
    ]);
    let config = config.expect("complete");
    assert!(!is_warned(&config));
    let identity = config.identity.expect("on");
    assert_eq!((identity.issuer.as_str(), identity.roles_claim.as_str()), ("https://id.example/", "roles"));
    assert_eq!(identity.trusted_audiences, ["project", "other-client"]);
    let wrong = with(&[("SHOP_OIDC_ISSUER", "id"), ("SHOP_OIDC_CLIENT_ID", "shop"), ("SHOP_TRUSTED_PROXIES", "all")]);
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
fn shared_caches_are_off_unless_configured() {
    let with = |extra: &'static [(&'static str, &'static str)]| {
        Config::read(&move |name| {
            let extra = extra.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            extra.or_else(|| complete(name))
        })
    };
    assert!(with(&[]).expect("complete").cdn.is_none());
    let cdn = with(&[("SHOP_CDN_MAX_AGE", "60")]).expect("complete").cdn.expect("on");
    assert_eq!((cdn.max_age.as_secs(), cdn.stale.as_secs(), cdn.purging.is_some()), (60, 30, false));
    let config = with(&[
        ("SHOP_CDN_MAX_AGE", "3600"),
        ("SHOP_CDN_STALE", "0"),
        ("SHOP_CDN_PURGE_URL", "https://shop:hunter2@cdn.example/purge"),
        ("SHOP_CDN_PURGE_HEADER", "Authorization: Bearer token-of-the-cdn"),
    ]);
    let config = config.expect("complete");
    let printed = format!("{config:?}");
    assert!(!printed.contains("token-of-the-cdn") && !printed.contains("hunter2"), "{printed}");
    let (name, value) = config.cdn.expect("on").purging.expect("on").header.expect("given");
    assert_eq!((name.as_str(), value.to_str().expect("text")), ("authorization", "Bearer token-of-the-cdn"));
    for inside in ["http://localhost:6081/", "http://varnish/purge", "http://10.0.0.7/", "http://[fd00::7]/"] {
        let lookup = |name: &str| match name {
            "SHOP_CDN_MAX_AGE" => Some("60".to_owned()),
            "SHOP_CDN_PURGE_URL" => Some(inside.to_owned()),
            other => complete(other),
        };
        Config::read(&lookup).expect(inside);
    }
    let wrong: [&[_]; 8] = [
        &[("SHOP_CDN_MAX_AGE", "a minute")],
        &[("SHOP_CDN_STALE", "60")],
        &[("SHOP_CDN_MAX_AGE", "60"), ("SHOP_CDN_PURGE_HEADER", "Authorization: Bearer token-of-the-cdn")],
        &[("SHOP_CDN_MAX_AGE", "86401")],
        &[("SHOP_CDN_MAX_AGE", "60"), ("SHOP_CDN_STALE", "86401")],
        &[("SHOP_CDN_PURGE_URL", "https://cdn.example/purge")],
        &[("SHOP_CDN_MAX_AGE", "60"), ("SHOP_CDN_PURGE_URL", "http://cdn.example/purge")],
        &[
            ("SHOP_CDN_MAX_AGE", "60"),
            ("SHOP_CDN_PURGE_URL", "https://cdn.example/purge"),
            ("SHOP_CDN_PURGE_HEADER", "token-of-the-cdn"),
        ],
    ];
    for settings in wrong {
        let error = with(settings).expect_err("something is wrong");
        assert_eq!(error.0.len(), 1, "{error}");
        assert!(error.0[0].contains("SHOP_CDN_") && !error.0[0].contains("token-of-the-cdn"), "{error}");
    }
}

#[test]
fn pictures_may_be_in_a_bucket() {
    const KEYS: [(&str, &str); 2] = [("SHOP_S3_ACCESS_KEY", "id-of-the-key"), ("SHOP_S3_SECRET_KEY", "hunter2")];
    let with = |extra: &[(&str, &str)]| Config::read(&|name| with_square(name, &[extra, &KEYS].concat()));
    assert!(Config::read(&complete).expect("complete").data.bucket.is_none());
    for (place, name, prefix) in [
        ("s3://pictures", "pictures", ""),
        ("s3://pictures/", "pictures", ""),
        ("s3://shop.example/of/the.shop/", "shop.example", "of/the.shop"),
    ] {
        let config = with(&[("SHOP_PICTURES", place), ("SHOP_S3_ENDPOINT", "http://store:3900")]).expect(place);
        assert!(!format!("{config:?}").contains("hunter2"));
        let bucket = config.data.bucket.expect("it is set");
        assert_eq!((bucket.name.as_str(), bucket.prefix.as_str(), bucket.region.as_str()), (name, prefix, "us-east-1"));
        assert_eq!(bucket.secret_key.expose(), "hunter2");
    }
    for place in ["pictures", "s3:pictures", "s3://", "s3:///a", "s3://a/../b", "s3://a//b", "s3://key:hunter2@a"] {
        let error = with(&[("SHOP_PICTURES", place)]).expect_err(place);
        assert!(error.0.len() == 1 && error.0[0].starts_with("SHOP_PICTURES"), "{error}");
    }
    for endpoint in ["http://store.example", "https://key:hunter2@store.example", "ftp://store", "https://store/?key=a"]
    {
        let error = with(&[("SHOP_PICTURES", "s3://a"), ("SHOP_S3_ENDPOINT", endpoint)]).expect_err(endpoint);
        assert!(error.0.len() == 1 && error.0[0].starts_with("SHOP_S3_ENDPOINT"), "{error}");
        assert!(!error.0[0].contains("hunter2"), "{error}");
    }
    assert_eq!(with(&[]).expect_err("keys for nothing").0.len(), 2);
    let keyless = Config::read(&|name| with_square(name, &[("SHOP_PICTURES", "s3://a")])).expect_err("no keys");
    assert_eq!(keyless.0.len(), 2, "{keyless}");
}

#[test]
fn a_collector_of_traces_may_be_configured() {
    let with = |extra: &[(&str, &str)]| Config::read(&|name| with_square(name, extra));
    assert!(Config::read(&complete).expect("complete").otlp.is_none());
    let config = with(&[
        ("SHOP_OTLP_ENDPOINT", "http://collector:4318/"),
        ("SHOP_OTLP_HEADER", "Authorization: Bearer hunter2"),
        ("SHOP_OTLP_RATIO", "0.25"),
    ]);
    let config = config.expect("complete");
    assert!(!format!("{config:?}").contains("hunter2"));
    let otlp = config.otlp.expect("it is set");
    assert_eq!((otlp.address("traces").as_str(), otlp.ratio), ("http://collector:4318/v1/traces", 0.25));
    for endpoint in ["http://collector.example", "https://key:hunter2@collector.example", "grpc://collector"] {
        let error = with(&[("SHOP_OTLP_ENDPOINT", endpoint)]).expect_err(endpoint);
        assert!(error.0.len() == 1 && error.0[0].starts_with("SHOP_OTLP_ENDPOINT"), "{error}");
        assert!(!error.0[0].contains("hunter2"), "{error}");
    }
    for (name, value) in [("SHOP_OTLP_RATIO", "1.5"), ("SHOP_OTLP_RATIO", "most"), ("SHOP_OTLP_HEADER", "hunter2")] {
        let error = with(&[("SHOP_OTLP_ENDPOINT", "https://collector.example"), (name, value)]).expect_err(value);
        assert!(error.0.len() == 1 && error.0[0].starts_with(name), "{error}");
    }
    assert_eq!(with(&[("SHOP_OTLP_RATIO", "1")]).expect_err("a ratio of nothing").0.len(), 1);
}

#[test]
fn every_problem_is_reported_at_once() {
    let error = Config::read(&|name| match name {
        "SHOP_ADDRESS" => Some("nowhere".to_owned()),
        "SHOP_METRICS_ADDRESS" => Some("9787".to_owned()),
        "SHOP_SECRET" => Some("short".to_owned()),
        "SHOP_SECRET_FALLBACK" => Some("short".to_owned()),
        "SHOP_TIME_ZONE" => Some("Ohio/Columbus".to_owned()),
        "SHOP_ISOLATES" => Some("0".to_owned()),
        _ => None,
    })
    .expect_err("nothing is right");
    for name in [
        "SHOP_ADDRESS",
        "SHOP_METRICS_ADDRESS",
        "SHOP_ORIGIN",
        "SHOP_SECRET",
        "SHOP_SECRET_FALLBACK",
        "SHOP_COMPANY_NAME",
        "SHOP_TIME_ZONE",
        "SHOP_ISOLATES",
    ] {
        assert!(error.0.iter().any(|problem| problem.contains(name)), "{name} is not in {error}");
    }
}

#[test]
fn no_wrong_setting_hides_another() {
    for both in [
        [("SHOP_ORIGIN", "shop.example"), ("SHOP_SQUARE_ENVIRONMENT", "prod")],
        // A sandbox application, without an environment.
        [("SHOP_ORIGIN", "shop.example"), ("SHOP_SQUARE_APPLICATION_ID", "sandbox-sq0idb-1")],
        [("SHOP_OIDC_ISSUER", "id.example"), ("SHOP_OIDC_ACCOUNT_URL", "id.example/account")],
        [("SHOP_CDN_PURGE_URL", "cdn.example/purge"), ("SHOP_CDN_PURGE_HEADER", "token-of-the-cdn")],
    ] {
        let rest = [("SHOP_OIDC_CLIENT_ID", "shop"), ("SHOP_CDN_MAX_AGE", "60")];
        let all = [&both[..], &rest, &SQUARE[2..]].concat();
        let error = Config::read(&|name| with_square(name, &all)).expect_err("two are wrong");
        assert_eq!(error.0.len(), 2, "{error}");
        for (name, _) in both {
            assert!(error.0.iter().any(|problem| problem.starts_with(name)), "{name} is not in {error}");
        }
    }
}

#[test]
fn secrets_travel_in_plain_text_only_inside_of_a_network_and_with_a_warning() {
    #[derive(Debug, PartialEq)]
    enum Said {
        Nothing,
        Warning,
        Refusal,
    }
    let said = |changed: &[(&str, &str)], about: &str| {
        let read = Config::read(&|name| with_square(name, changed));
        let all = read.as_ref().map_or_else(|error| error.0.join("\n"), |config| config.warnings.join("\n"));
        assert!(!all.contains("hunter2"), "{all}");
        match read {
            _ if !all.contains(about) => Said::Nothing,
            Ok(_) => Said::Warning,
            Err(_) => Said::Refusal,
        }
    };
    let origin = |origin| said(&[("SHOP_ORIGIN", origin)], "SHOP_ORIGIN is");
    assert_eq!(origin("http://shop.example"), Said::Refusal);
    assert_eq!(origin("http://192.168.1.7:8787"), Said::Warning);
    assert_eq!(origin("http://localhost:8787"), Said::Nothing);
    let issuer = |issuer| said(&[("SHOP_OIDC_ISSUER", issuer), ("SHOP_OIDC_CLIENT_ID", "shop")], "SHOP_OIDC_ISSUER is");
    assert_eq!(issuer("http://id.example"), Said::Refusal);
    assert_eq!(issuer("http://keycloak:8080"), Said::Warning);
    assert_eq!(issuer("https://id.example"), Said::Nothing);
    let database = |address| said(&[("SHOP_DATABASE", address)], "SHOP_DATABASE does");
    assert_eq!(database("postgres://shop:hunter2@db.example/shop"), Said::Refusal);
    assert_eq!(database("postgres://shop:hunter2@10.0.0.7/shop?sslmode=prefer"), Said::Warning);
    assert_eq!(database("postgres://shop:hunter2@db.shop.svc/shop"), Said::Warning);
    assert_eq!(database("postgres://shop:hunter2@db.example/shop?sslmode=require"), Said::Nothing);
    assert_eq!(database("postgres://shop:hunter2@db.example/shop?sslmode=verify-full"), Said::Nothing);
    assert_eq!(database("postgres://shop:hunter2@127.0.0.1/shop"), Said::Nothing);
    assert_eq!(database("postgres:///shop?host=/run/postgresql"), Said::Nothing);
    assert_eq!(database("sqlite:data/shop.db"), Said::Nothing);
}
