//! Two nodes behind nginx with the configuration in `deploy/nginx.conf`, over TLS.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use axum::routing::get;
use reqwest::Client;
use reqwest::header::{
    CACHE_CONTROL, CONNECTION, COOKIE, LOCATION, ORIGIN, REFERER, SET_COOKIE, STRICT_TRANSPORT_SECURITY,
};
use serde_json::json;
use shop_base::clock::SystemClock;
use shop_base::db::Db;
use shop_base::sql;
use shop_demo::identity::{CLIENT_ID, Provider};
use shop_domain::cart::model::MAX_LINES;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::support::nginx::Nginx;
use crate::support::ports::free_port;
use crate::support::program::{LIMIT, Program};
use crate::support::{OnPostgres, Test, TestShop, new_postgres_database, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    nodes_behind_nginx_restart_without_a_lost_request,
    behind_a_cdn_nginx_tells_visitors_apart,
    a_full_cart_passes_nginx,
    in_a_cache_of_nginx_nobody_waits_for_others,
    the_log_of_requests_leads_to_no_order,
    a_unit_that_fails_is_started_again_forever,
    a_unit_has_so_much_memory,
    a_unit_loses_no_lines_of_its_log,
    a_container_has_so_much_memory_and_so_many_cores,
    nodes_in_containers_have_one_image,
    logs_of_containers_are_bounded,
    settings_are_checked_beside_running_containers,
    containers_have_a_way_back,
    an_ingress_has_a_class,
    visitors_over_ipv6_keep_their_addresses,
    the_only_node_is_not_taken_away_when_it_is_not_ready,
    no_file_with_secrets_is_part_of_a_build,
    no_command_puts_a_secret_into_a_build,
    a_build_that_does_not_start_replaces_one_node,
];

const CLIENTS: usize = 8;
const COMPOSE: [&str; 2] =
    [include_str!("../../deploy/compose.postgres.yaml"), include_str!("../../deploy/compose.sqlite.yaml")];
const KUBERNETES: &str = include_str!("../../deploy/kubernetes.yaml");

async fn nodes_behind_nginx_restart_without_a_lost_request(OnPostgres(_): OnPostgres) {
    let (tls, plain) = (free_port(), free_port());
    let origin = format!("https://localhost:{tls}");
    let issuer = provider(&origin).await;
    let database = new_postgres_database().await;
    let settings = [
        ("SHOP_ORIGIN", origin.as_str()),
        ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32"),
        // Longer than nginx leaves out a node that was away: the one that restarted before is used again when this one stops.
        ("SHOP_DRAIN", "3"),
        // All load comes from one address.
        ("SHOP_RATE_LIMITS", "off"),
        ("SHOP_OIDC_ISSUER", &issuer),
        ("SHOP_OIDC_CLIENT_ID", CLIENT_ID),
    ];
    let ports = [free_port(), free_port()];
    let mut nodes = Vec::new();
    for port in ports {
        nodes.push(node(port, &database, &settings).await);
    }
    let nginx = Nginx::start(tls, plain, &ports).await;
    let client = nginx.client(Ipv4Addr::new(127, 0, 5, 1));

    let moved = client.get(format!("http://localhost:{plain}/cart")).send().await.unwrap();
    assert_eq!(
        (moved.status().as_u16(), &moved.headers()[LOCATION]),
        (308, &"https://localhost/cart".parse().unwrap())
    );
    for path in ["/healthz", "/readyz"] {
        answers(&client, &format!("{origin}{path}")).await;
    }
    let home = answers(&client, &format!("{origin}/")).await;
    assert!(home.headers().contains_key(STRICT_TRANSPORT_SECURITY));
    assert!(home.text().await.unwrap().contains(&format!("<link rel=\"canonical\" href=\"{origin}/\">")));

    assert!(kept_files(&database).await > 50, "nodes of other builds find them");

    let login = client.get(format!("{origin}/auth/login")).send().await.unwrap();
    let asked: url::Url = login.headers()[LOCATION].to_str().unwrap().parse().unwrap();
    assert_eq!(asked.origin().ascii_serialization(), issuer);
    assert!(asked.query_pairs().any(|pair| pair == ("redirect_uri".into(), format!("{origin}/auth/callback").into())));

    // A form of this site is accepted, and its cookie is for this host over TLS only.
    let proof = [("birth_date", "1980-05-17")];
    let entered =
        client.post(format!("{origin}/verify-age")).header(ORIGIN, &origin).form(&proof).send().await.unwrap();
    assert_eq!(entered.status(), 303);
    let cookie = entered.headers()[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("__Host-age=") && cookie.contains("Secure"), "{cookie}");

    let report = client.post(format!("{origin}/api/me/activity")).header("x-forwarded-for", "203.0.113.9");
    let event = json!({ "events": [{ "type": "page_view", "page": "/" }] });
    assert_eq!(report.json(&event).send().await.unwrap().status(), 202);
    assert_eq!(
        reported_network(&database).await,
        "127.0.5.0",
        "the visitor's, not the proxy's nor the one that was claimed"
    );

    restart_under_load(&nginx, &client, &origin, &database, &settings, ports, nodes).await;
}

async fn behind_a_cdn_nginx_tells_visitors_apart(OnPostgres(_): OnPostgres) {
    let (tls, plain, port) = (free_port(), free_port(), free_port());
    let (origin, database) = (format!("https://localhost:{tls}"), new_postgres_database().await);
    let settings = [("SHOP_ORIGIN", origin.as_str()), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let _node = node(port, &database, &settings).await;
    let nginx = Nginx::start_behind("127.0.0.0/8", tls, plain, &[port]).await;
    // One of the network's machines, which has added the visitor to what the visitor claims.
    let machine = nginx.client(Ipv4Addr::new(127, 0, 5, 5));
    let report = machine.post(format!("{origin}/api/me/activity"));
    let report = report.header("x-forwarded-for", "198.51.100.7, 203.0.113.9");
    let event = json!({ "events": [{ "type": "page_view", "page": "/" }] });
    assert_eq!(report.json(&event).send().await.unwrap().status(), 202);
    assert_eq!(reported_network(&database).await, "203.0.113.0", "{}", nginx.errors());
    until("the visitor is logged", async || nginx.requests()[0].starts_with("203.0.113.9 [")).await;
}

async fn a_full_cart_passes_nginx(OnPostgres(shop): OnPostgres) {
    assert!(KUBERNETES.contains("nginx.ingress.kubernetes.io/proxy-buffer-size: 16k"));
    let shop = TestShop::with(shop.database, |_| {}).await;
    let variants: Vec<uuid::Uuid> = {
        let mut reader = shop.app.db.read().await.unwrap();
        let mut conn = reader.conn();
        const SQL: &str = "SELECT id FROM product_variants ORDER BY id LIMIT $1";
        sql!(&mut conn, c => sqlx::query_scalar(SQL).bind(MAX_LINES as i64).fetch_all(c).await).unwrap()
    };
    let (tls, plain, port) = (free_port(), free_port(), free_port());
    let origin = format!("https://localhost:{tls}");
    let settings = [("SHOP_ORIGIN", origin.as_str()), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let _node = node(port, shop.app.config.data.database.expose(), &settings).await;
    let nginx = Nginx::start(tls, plain, &[port]).await;
    let client = nginx.client(Ipv4Addr::new(127, 0, 5, 2));

    let items: Vec<_> = variants.iter().map(|id| json!({ "id": id, "qty": 10, "saved": true })).collect();
    let sent = client.post(format!("{origin}/api/cart/guest")).json(&json!({ "items": items }));
    let full = sent.send().await.unwrap();
    assert_eq!(full.status(), 200, "{}", nginx.errors());
    let head: usize = full.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    assert!(head > 4_096, "{head} bytes pass anyway");
    let cookie = full.headers()[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(full.json::<serde_json::Value>().await.unwrap()["items"].as_array().unwrap().len(), MAX_LINES);
    assert_eq!(client.get(format!("{origin}/cart")).header(COOKIE, cookie).send().await.unwrap().status(), 200);
}

/// A stand-in for the shop behind a cache.
struct Behind {
    pages: AtomicUsize,
    /// Whoever asks for a cart waits until this many have.
    all_here: Barrier,
}

impl Behind {
    const AT_ONCE: usize = 20;
    const KEPT: &str = "public, max-age=0, must-revalidate, s-maxage=60, stale-while-revalidate=30";

    /// For all visitors of a class, which it names.
    async fn page(State(behind): State<Arc<Self>>, headers: HeaderMap) -> impl IntoResponse {
        let number = behind.pages.fetch_add(1, Ordering::Relaxed);
        ([(CACHE_CONTROL, Self::KEPT)], format!("{} {number}", headers["shop-visitor"].to_str().unwrap()))
    }

    async fn found(headers: HeaderMap, RawQuery(query): RawQuery) -> impl IntoResponse {
        let class = headers["shop-visitor"].to_str().unwrap();
        ([(CACHE_CONTROL, Self::KEPT)], format!("{class} {}", query.unwrap_or_default()))
    }

    async fn cart(State(behind): State<Arc<Self>>, headers: HeaderMap) -> impl IntoResponse {
        behind.all_here.wait().await;
        let said = (headers.get(CONNECTION), headers.contains_key("x-request-id"));
        ([(CACHE_CONTROL, "private, no-store")], format!("{said:?}"))
    }
}

async fn in_a_cache_of_nginx_nobody_waits_for_others() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let node = listener.local_addr().unwrap().port();
    let behind = Behind { pages: AtomicUsize::new(0), all_here: Barrier::new(Behind::AT_ONCE) };
    let router = Router::new().route("/", get(Behind::page)).route("/cart", get(Behind::cart));
    let router = router.route("/products", get(Behind::found)).with_state(Arc::new(behind));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let (tls, plain) = (free_port(), free_port());
    let nginx = Nginx::start_with_cache(tls, plain, &[node]).await;
    let client = nginx.client(Ipv4Addr::new(127, 0, 5, 4));
    let origin = format!("https://localhost:{tls}");
    for (cookie, page) in [
        ("theme=dark", "unverified 0"),
        ("theme=dark", "unverified 0"),
        ("theme=dark; __Host-age=1", "verified 1"),
        ("theme=dark; __Host-age=2", "verified 1"),
        ("__Host-session=1", "unverified 2"),
        ("__Host-session=1", "unverified 3"),
    ] {
        let answer = client.get(&origin).header(COOKIE, cookie).send().await.unwrap();
        assert_eq!(answer.text().await.unwrap(), page, "{cookie}: {}", nginx.errors());
    }
    // However the ends of addresses and the names of classes go together.
    for (query, cookie, page) in [("q=s", "theme=dark", "unverified q=s"), ("q=sun", "__Host-age=1", "verified q=sun")]
    {
        let answer = client.get(format!("{origin}/products?{query}")).header(COOKIE, cookie).send().await.unwrap();
        assert_eq!(answer.text().await.unwrap(), page, "{cookie}: {}", nginx.errors());
    }
    let mut carts = JoinSet::new();
    for _ in 0..Behind::AT_ONCE {
        carts.spawn(client.get(format!("{origin}/cart")).send());
    }
    let carts = timeout(LIMIT, carts.join_all()).await.expect("all of them get through");
    for cart in carts {
        assert_eq!(cart.unwrap().text().await.unwrap(), "(None, true)", "connections stay, and requests have ids");
    }
}

async fn the_log_of_requests_leads_to_no_order() {
    const SECRET: &str = "0193fdb0-0000-4000-8000-000000000000";
    assert!(KUBERNETES.contains("\n    nginx.ingress.kubernetes.io/enable-access-log: \"false\"\n"));
    // What is logged does not depend on a node that answers.
    let (tls, plain) = (free_port(), free_port());
    let nginx = Nginx::start(tls, plain, &[free_port()]).await;
    let client = nginx.client(Ipv4Addr::new(127, 0, 5, 3));
    let (origin, insecure) = (format!("https://localhost:{tls}"), format!("http://localhost:{plain}"));
    let asked = [
        (&origin, format!("/api/checkout/{SECRET}"), "/api/checkout/- ", 502),
        (&origin, format!("/api//checkout/%30{}/x", &SECRET[1..]), "/api/checkout/- ", 502),
        (&origin, "/api/checkout/pay".to_owned(), "/api/checkout/pay ", 502),
        (&origin, format!("/order-confirmation?order={SECRET}"), "/order-confirmation ", 502),
        (&insecure, format!("/checkout?draft={SECRET}"), "/checkout ", 308),
    ];
    for (host, path, _, status) in &asked {
        let request = client.get(format!("{host}{path}"));
        let answer = request.header(REFERER, format!("{origin}/checkout/confirm?link={SECRET}")).send().await.unwrap();
        assert_eq!(answer.status(), *status, "{path}");
    }
    until("all are logged", async || nginx.requests()[0].lines().count() == asked.len()).await;
    let [log, inherited] = nginx.requests();
    assert!(!log.contains(SECRET) && inherited.is_empty(), "{log}\n{inherited}");
    for (line, (_, _, path, status)) in log.lines().zip(&asked) {
        assert!(line.contains(&format!("\"GET {path}HTTP/")) && line.contains(&format!("\" {status} ")), "{line}");
    }
}

/// A value of the unit; systemd ignores a line in another section.
fn of_unit(section: &str, name: &str) -> Option<&'static str> {
    let unit = include_str!("../../deploy/shop.service").split("\n[").find(|text| text.contains(section)).unwrap();
    unit.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
}

async fn a_unit_that_fails_is_started_again_forever() {
    assert_eq!(of_unit("Unit]", "StartLimitIntervalSec"), Some("0"));
    assert_eq!(of_unit("Service]", "Restart"), Some("always"));
    assert!(of_unit("Service]", "RestartSec").unwrap().parse::<u32>().unwrap() >= 1);
}

async fn a_unit_has_so_much_memory() {
    assert!(of_unit("Service]", "MemoryMax").is_some_and(|most| most.ends_with('G')));
    assert_eq!(of_unit("Service]", "MemorySwapMax"), Some("0"), "a node that swaps answers too late");
}

/// Those that a restore asks for may be among many.
async fn a_unit_loses_no_lines_of_its_log() {
    assert_eq!(of_unit("Service]", "LogRateLimitIntervalSec"), Some("0"));
}

/// The memory that it takes grows with the cores.
async fn a_container_has_so_much_memory_and_so_many_cores() {
    let count = |text: &str, name: &str| text.lines().filter(|line| line.trim().starts_with(name)).count();
    for compose in COMPOSE {
        assert_eq!((count(compose, "mem_limit:"), count(compose, "cpus:")), (1, 1));
        assert!(compose.contains("mem_limit: 1g\n") && compose.contains("memswap_limit: 1g\n"), "and no swap");
    }
    let (_, limits) = KUBERNETES.split_once(" limits:\n").unwrap();
    let (limits, _) = limits.split_once("securityContext:").unwrap();
    assert_eq!((count(limits, "memory:"), count(limits, "cpu:")), (1, 1));
}

/// The services of a set-up, each with its settings and those that it has in common with other nodes.
fn services(compose: &str) -> Vec<(&str, String)> {
    let (before, services) = compose.split_once("\nservices:\n").unwrap();
    let (services, _) = services.split_once("\nnetworks:\n").unwrap();
    let node = before.split_once("\nx-node: &node\n").map_or("", |(_, node)| node);
    let mut found: Vec<(&str, String)> = Vec::new();
    for line in services.lines() {
        let name = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'));
        match (name.filter(|name| !name.starts_with([' ', '#'])), found.last_mut()) {
            (Some(name), _) => found.push((name, String::new())),
            (None, Some((_, settings))) if line.trim() == "<<: *node" => settings.push_str(node),
            (None, Some((_, settings))) => *settings += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    found
}

async fn nodes_in_containers_have_one_image() {
    let nodes: Vec<_> = services(COMPOSE[0]).into_iter().filter(|(_, node)| node.contains("  image: shop\n")).collect();
    assert!(nodes.len() >= 3);
    assert_eq!(nodes.iter().filter(|(_, node)| node.contains(" build:\n")).count(), 1, "it is built once");
    assert!(nodes.iter().all(|(_, node)| node.contains("  pull_policy: never\n")));
}

async fn logs_of_containers_are_bounded() {
    for compose in COMPOSE {
        let bounded = "\nx-logging: &logging\n  driver: local\n  options: { max-size: 50m, max-file: \"5\" }\n";
        assert!(compose.contains(bounded));
        let services = services(compose);
        assert!(services.len() >= 2);
        for (name, service) in services {
            assert!(service.contains("  logging: *logging\n"), "{name}");
        }
    }
}

/// Docker gives a fixed address to one container at a time.
async fn settings_are_checked_beside_running_containers() {
    let documented = include_str!("../../docs/OPERATIONS.md");
    for (file, compose) in ["compose.postgres.yaml", "compose.sqlite.yaml"].into_iter().zip(COMPOSE) {
        let (_, command) = documented.split_once(&format!("deploy/{file} run --rm ")).unwrap();
        let service = command.split(['`', ' ']).next().unwrap();
        let (_, settings) = services(compose).into_iter().find(|(name, _)| *name == service).unwrap();
        assert!(!settings.contains("ipv4_address"), "{service} in {file}");
    }
}

/// Commands in the first lines of the files, each in one line.
fn commands(compose: &str) -> Vec<String> {
    let text = compose.replace(" \\\n#     ", " ");
    text.lines().filter_map(|line| line.strip_prefix("#   docker ")).map(str::to_owned).collect()
}

async fn containers_have_a_way_back() {
    for compose in COMPOSE {
        let lines = commands(compose);
        let find = |what: &str| lines.iter().position(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}"));
        let (key, backup, copy) = (find(" backup-key /"), find(" shop backup /"), find(" cp "));
        let (stop, restore) = (find(" stop "), find(" --key-file /key --replace"));
        assert!(key < backup && backup < copy && copy < stop && stop < restore, "{lines:#?}");
        // The copy is all that there is on another machine.
        let (_, copied) = lines[copy].rsplit_once(' ').unwrap();
        assert!(lines[restore].contains(&format!(" --volume {copied}:/")), "{copied}");
        // It needs the container's address, and that nobody works on the database.
        let (container, _) = lines[restore].split_once(" restore /").unwrap();
        let (_, service) = container.rsplit_once(' ').unwrap();
        assert!(container.contains(" run --rm ") && lines[stop].split(' ').any(|name| name == service), "{service}");
        // Of the build, too.
        assert!(lines.iter().any(|line| line.starts_with("tag ") && line.ends_with(" shop:former")));
        assert!(compose.contains("docker tag shop:former shop"));
    }
}

async fn an_ingress_has_a_class() {
    let (_, ingress) = KUBERNETES.split_once("\nkind: Ingress\n").unwrap();
    assert!(ingress.contains("\n  ingressClassName: "));
}

/// Where the network has no IPv6, Docker takes their connections itself, and they all have its address.
async fn visitors_over_ipv6_keep_their_addresses() {
    for compose in COMPOSE {
        assert!(compose.contains("    ports: ["), "something is published");
        let (_, networks) = compose.split_once("\nnetworks:\n").unwrap();
        assert!(networks.contains("\n    enable_ipv6: true\n") && networks.contains("- subnet: fd"), "{networks}");
    }
}

async fn the_only_node_is_not_taken_away_when_it_is_not_ready(shop: TestShop) {
    let proxy = include_str!("../../deploy/Caddyfile");
    let asked = proxy.lines().find_map(|line| line.trim().strip_prefix("health_uri ")).unwrap();
    assert_eq!(asked, "{$SHOP_HEALTH:/readyz}", "several nodes are asked whether they are ready");
    let compose = include_str!("../../deploy/compose.sqlite.yaml");
    let asked = compose.lines().find_map(|line| line.trim().strip_prefix("SHOP_HEALTH: ")).unwrap();
    // A node that is told to stop is not ready, as is one whose disk is full.
    let shop = TestShop::with(shop.database, |_| {}).await;
    shop.app.parts.drain.begin();
    shop.get("/readyz").await.assert_status(503);
    shop.get(asked).await.assert_status(200);
    shop.get("/").await.assert_status(200);
}

async fn no_file_with_secrets_is_part_of_a_build() {
    let ignored: Vec<&str> =
        include_str!("../../deploy/Dockerfile.dockerignore").lines().filter(|line| !line.is_empty()).collect();
    assert!(!ignored.iter().any(|line| line.starts_with('!')), "nothing is taken in again");
    let own = include_str!("../../.gitignore").lines().filter_map(|line| line.strip_prefix('/')).map(Path::new);
    // Below these, commands make files, which have no secrets.
    let secret: Vec<&Path> = own.filter(|file| !file.starts_with("app") && !file.starts_with("tests")).collect();
    assert!(secret.iter().any(|file| file.starts_with("deploy")));
    for file in secret {
        assert!(ignored.iter().any(|folder| file.starts_with(folder)), "{}", file.display());
    }
}

/// Commands are run in the folder that is built.
async fn no_command_puts_a_secret_into_a_build() {
    for compose in COMPOSE {
        let mut named = Vec::new();
        for command in commands(compose) {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let mounted = words.iter().zip(words.iter().skip(1)).filter(|(option, _)| *option == "--volume");
            named.extend(mounted.map(|(_, volume)| volume.clone()));
            named.extend(words.iter().position(|word| word == "cp").map(|at| words[at + 2].clone()));
        }
        assert!(named.len() >= 4, "{named:?}");
        for place in named {
            assert!(place.starts_with('/'), "{place}");
        }
    }
}

/// The commands in the file, with a `docker` that only says what it is asked, and fails at one of them.
async fn a_build_that_does_not_start_replaces_one_node() {
    const STEPS: [&str; 5] = ["build", "migrate", "shop1", "shop2", "shop3"];
    let lines: Vec<&str> = COMPOSE[0].lines().map(|line| line.trim_start_matches(['#', ' '])).collect();
    let first = lines.iter().position(|line| line.ends_with(" build &&")).unwrap();
    let last = lines.iter().position(|line| *line == "done").unwrap();
    let replacing = lines[first..=last].join("\n");
    for (fails, steps) in [("none", 5), ("build", 1), ("migrate", 2), ("shop1", 3)] {
        let script = format!("docker() {{ echo \"$@\"; case \"$*\" in *{fails}) return 1;; esac; }}\n{replacing}");
        let said = Command::new("/bin/sh").args(["-c", &script]).output().await.unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let asked: Vec<&str> = said.lines().filter_map(|line| line.split(' ').next_back()).collect();
        assert_eq!(asked, STEPS[..steps], "{said}");
    }
}

/// A node that is ready.
async fn node(port: u16, database: &str, settings: &[(&str, &str)]) -> Program {
    let node = Program::node(port, database, settings).await;
    let ready = async { while node.get("/readyz").await.status() != 200 {} };
    timeout(LIMIT, ready).await.expect("it gets ready");
    node
}

async fn restart_under_load(
    nginx: &Nginx,
    client: &Client,
    origin: &str,
    database: &str,
    settings: &[(&str, &str)],
    ports: [u16; 2],
    nodes: Vec<Program>,
) {
    let is_over = Arc::new(AtomicBool::new(false));
    let count = Arc::new(AtomicUsize::new(0));
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (client, origin, is_over, count) = (client.clone(), origin.to_owned(), is_over.clone(), count.clone());
        clients.spawn(async move {
            while !is_over.load(Ordering::Relaxed) {
                answers(&client, &format!("{origin}/products")).await;
                let body = json!({ "birth_date": "1980-05-17" });
                let verified = client.post(format!("{origin}/api/verify-age")).json(&body).send().await.unwrap();
                assert_eq!(verified.status(), 200);
                count.fetch_add(2, Ordering::Relaxed);
            }
        });
    }
    let mut restarted = Vec::new();
    for (mut node, port) in nodes.into_iter().zip(ports) {
        node.terminate().await;
        assert!(node.end().await.success());
        restarted.push(self::node(port, database, settings).await);
    }
    is_over.store(true, Ordering::Relaxed);
    while let Some(ended) = clients.join_next().await {
        ended.unwrap_or_else(|error| panic!("{error}\n{}", nginx.errors()));
    }
    assert!(count.load(Ordering::Relaxed) > 100, "{count:?} requests");
}

/// An OpenID provider that expects the shop at this origin; returns its issuer.
async fn provider(shop: &str) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let file = temporary_folder().join("identity.json");
    let provider = Provider::open(issuer.clone(), shop.to_owned(), file, Arc::new(SystemClock)).unwrap();
    tokio::spawn(provider.serve(listener));
    issuer
}

async fn answers(client: &Client, url: &str) -> reqwest::Response {
    let answer = client.get(url).send().await.unwrap_or_else(|error| panic!("{url}: {error:?}"));
    assert_eq!(answer.status(), 200, "{url}");
    answer
}

/// How many files the nodes have left to those of other builds.
async fn kept_files(database: &str) -> i64 {
    let db = Db::open(database).await.unwrap();
    let mut reader = db.read().await.unwrap();
    sql!(&mut reader.conn(), c => sqlx::query_scalar("SELECT COUNT(*) FROM build_files").fetch_one(c).await).unwrap()
}

/// Of the first event that is written.
async fn reported_network(database: &str) -> String {
    let db = Db::open(database).await.unwrap();
    let read = async {
        loop {
            let mut reader = db.read().await.unwrap();
            let mut conn = reader.conn();
            let stored: Option<String> =
                sql!(&mut conn, c => sqlx::query_scalar("SELECT network FROM activity_events").fetch_optional(c).await)
                    .unwrap();
            match stored {
                Some(network) => return network,
                None => sleep(Duration::from_millis(20)).await,
            }
        }
    };
    timeout(LIMIT, read).await.expect("the event is written")
}
