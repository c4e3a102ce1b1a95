//! Every address of the admin area for every role: with permission it is accessible, without it nothing is revealed.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use shop::admin_routes::CALLS;
use shop::router::{PAGES, PageRoute};
use shop_base::role::Role;
use shop_domain::identity::service;
use shop_http::admin::guard::Needs;
use shop_http::admin::rights::{Permission, navigation};
use shop_http::identity::extract::is_page_of_staff;
use shop_http::layers::guard::Middleware;
use uuid::Uuid;

use crate::support::{Answer, Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    every_page_lets_in_who_may_see_it,
    every_call_obeys_who_may_make_it,
    every_call_is_described,
    a_bearer_of_no_role_gets_nowhere,
    the_navigation_leads_where_one_may_go,
    those_who_edit_settings_confirm_changes_and_not_previews,
    every_export_is_recorded,
];

/// Longer than a sign-in is recent, shorter than a session of staff lasts without use.
const PAUSE_MS: i64 = 20 * 60_000;

/// A visitor: anonymous, or a role with a recent or an old sign-in.
struct Visitor {
    role: Option<Role>,
    is_fresh: bool,
    cookie: String,
}

/// Roles with an old sign-in come first, since the clock advances in between.
async fn visitors(shop: &TestShop) -> Vec<Visitor> {
    let mut visitors = vec![Visitor { role: None, is_fresh: false, cookie: String::new() }];
    for is_fresh in [false, true] {
        for role in Role::ALL {
            let cookie = shop.sign_in(&format!("{}-{is_fresh}", role.name()), &[role.name()]).await;
            visitors.push(Visitor { role: Some(role), is_fresh, cookie });
        }
        if !is_fresh {
            shop.clock.advance(PAUSE_MS);
        }
    }
    visitors
}

/// The refusal that the permission table specifies: `None` if the visitor has access.
fn refusal(visitor: &Visitor, Needs { permission, changes }: Needs) -> Option<(u16, &'static str)> {
    match visitor.role {
        None => Some((401, "unauthorized")),
        role if !permission.is_held_by(role) => Some((403, "forbidden")),
        _ if permission.needs_fresh_sign_in(changes) && !visitor.is_fresh => Some((403, "stale_sign_in")),
        _ => None,
    }
}

/// A path with a value for each parameter.
fn filled(path: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        part if part.contains('{') && part.contains("id") => "01234567-89ab-7def-8123-456789abcdef",
        part if part.starts_with('{') => "0000",
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

fn admin_pages() -> impl Iterator<Item = &'static PageRoute> {
    PAGES.iter().filter(|page| is_page_of_staff(page.path))
}

async fn every_page_lets_in_who_may_see_it(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let visitors = visitors(&shop).await;
    let mut checked = 0;
    for page in PAGES {
        assert_eq!(page.middleware.contains(&Middleware::ADMIN), is_page_of_staff(page.path), "{}", page.path);
    }
    for page in admin_pages() {
        let needs = Needs { permission: page.needs.unwrap_or(Permission::SeeShop), changes: false };
        let path = filled(page.path);
        for visitor in &visitors {
            let what = format!("{path} as {:?}", visitor.role);
            let answer = shop.call("GET", &path, &visitor.cookie, Value::Null).await;
            let payload = shop.call("GET", &format!("{path}/_payload.json"), &visitor.cookie, Value::Null).await;
            match refusal(visitor, needs) {
                Some((401, _)) => {
                    assert_eq!(answer.status, 303, "{what}");
                    assert!(answer.body.is_empty(), "{what}");
                    payload.assert_problem(401, "unauthorized");
                }
                Some(_) => {
                    assert_eq!((answer.status, payload.status.as_u16()), (403.try_into().unwrap(), 403), "{what}");
                    assert_is_bare_error(&answer.envelope(), &what);
                    assert_is_bare_error(&payload.json(), &what);
                }
                None => assert!(![401, 403, 500].contains(&answer.status.as_u16()), "{what}: {}", answer.status),
            }
            checked += 2;
        }
    }
    assert!(checked >= 2 * visitors.len(), "{checked} answers");
}

/// Asserts that only the error page's own texts are shown.
fn assert_is_bare_error(envelope: &Value, what: &str) {
    assert_eq!(envelope["page"], "errors/error", "{what}");
    assert_eq!(
        envelope["props"],
        json!({
            "status": 403, "message": "Your account doesn’t have permission to do this.", "request_id": null,
            "confirm_href": null,
        }),
        "{what}"
    );
    assert!(envelope["shared"]["staff"].is_null(), "{what}");
}

async fn every_call_obeys_who_may_make_it(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let visitors = visitors(&shop).await;
    for call in CALLS {
        for visitor in &visitors {
            let what = format!("{} {} as {:?}, fresh: {}", call.method, call.path, visitor.role, visitor.is_fresh);
            let body = if call.method == "GET" { Value::Null } else { json!({}) };
            let answer = shop.call(call.method.as_str(), &filled(call.path), &visitor.cookie, body).await;
            match refusal(visitor, call.needs) {
                Some((status, code)) => assert_refused(&answer, status, code, &what),
                None => assert!(![401, 403, 500].contains(&answer.status.as_u16()), "{what}: {}", answer.text()),
            }
        }
    }
}

fn assert_refused(answer: &Answer, status: u16, code: &str, what: &str) {
    assert_eq!(answer.status.as_u16(), status, "{what}");
    assert_eq!(answer.header("content-type"), "application/problem+json", "{what}");
    assert_eq!(answer.json()["code"], code, "{what}");
}

async fn every_call_is_described() {
    let document: Value = serde_json::from_str(&shop::openapi::document().unwrap()).unwrap();
    let mut described = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if path.starts_with("/api/admin") {
                described.insert(format!("{} {path}", method.to_uppercase()));
                for status in ["401", "403"] {
                    let problem = &operation["responses"][status]["content"];
                    assert!(!problem.is_null(), "{method} {path} does not describe {status}");
                }
            }
        }
    }
    let routed: BTreeSet<String> = CALLS.iter().map(|call| format!("{} {}", call.method, call.path)).collect();
    assert_eq!(described, routed);
    assert_eq!(routed.len(), CALLS.len(), "no call stands twice in the table");
    for call in CALLS {
        let responses = &document["paths"][call.path][call.method.as_str().to_lowercase()]["responses"];
        let said = responses["403"]["description"].as_str().unwrap();
        // A handler may add more.
        let (needed, _) = said.split_once(". ").unwrap_or((said, ""));
        assert_eq!(needed, call.needs.permission.needed(call.needs.changes), "{} {}", call.method, call.path);
    }
}

async fn a_bearer_of_no_role_gets_nowhere(shop: TestShop) {
    let cookie = shop.sign_in("of-no-role", &["owner"]).await;
    for call in CALLS {
        let body = if call.method == "GET" { Value::Null } else { json!({}) };
        let answer = shop.call(call.method.as_str(), &filled(call.path), &cookie, body).await;
        assert_refused(&answer, 403, "forbidden", call.path);
    }
}

async fn the_navigation_leads_where_one_may_go() {
    for role in Role::ALL {
        let shown: BTreeSet<&str> = navigation(Some(role)).iter().map(|item| item.href).collect();
        let all = navigation(Some(Role::SuperAdmin));
        let open = all.iter().filter(|item| {
            let page = PAGES.iter().find(|page| page.path == item.href);
            let page = page.unwrap_or_else(|| panic!("{} is no page", item.href));
            page.needs.unwrap_or(Permission::SeeShop).is_held_by(Some(role))
        });
        assert_eq!(shown, open.map(|item| item.href).collect(), "{role:?}");
    }
    let keys: BTreeSet<&str> = navigation(Some(Role::SuperAdmin)).iter().map(|item| item.key).collect();
    assert_eq!(keys.len(), navigation(Some(Role::SuperAdmin)).len(), "no key leads to two places");
}

async fn those_who_edit_settings_confirm_changes_and_not_previews(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("an-editor", &["admin"]).await;
    shop.clock.advance(PAUSE_MS);
    let preview = json!({ "text": "## Terms" });
    let legal = "/api/admin/settings/legal/terms-of-service";
    let answer = shop.call("POST", &format!("{legal}/preview"), &cookie, preview).await;
    assert_ne!(answer.status, 403, "{}", answer.text());
    shop.call("PUT", &format!("{legal}/draft"), &cookie, json!({})).await.assert_problem(403, "stale_sign_in");
    shop.call("GET", "/admin/settings/company", &cookie, Value::Null).await.assert_status(200);
}

async fn every_export_is_recorded(shop: TestShop) {
    let cookie = shop.sign_in("an-exporter", &["admin"]).await;
    let staff = shop.sign_in("a-packer", &["staff"]).await;
    let exported = shop.sign_in("an-exported", &["customer"]).await;
    let id_of = async |session: &str| {
        service::find_session(&shop.app, &session["session=".len()..]).await.unwrap().unwrap().user_id
    };
    let (admin_id, staff_id, user) = (id_of(&cookie).await, id_of(&staff).await, id_of(&exported).await);
    // What the audit log has last of this person. Not found by the action, which the page would repeat.
    let recorded = async |person: Uuid| {
        let log = format!("/admin/audit/_payload.json?actor={person}");
        let page = shop.call("GET", &log, &cookie, Value::Null).await.assert_status(200).json();
        page["props"]["entries"][0].clone()
    };
    let exports = [
        ("/api/admin/orders.csv?q=pipe".to_owned(), "order.export_list"),
        ("/api/admin/users.csv".to_owned(), "user.export_list"),
        (format!("/api/admin/users/{user}/export"), "user.export"),
        ("/api/admin/audit.csv".to_owned(), "audit_entry.export_list"),
        ("/api/admin/reports/deliveries.csv?month=2026-01".to_owned(), "delivery.export_list"),
    ];
    for (path, action) in &exports {
        shop.call("GET", path, &staff, Value::Null).await.assert_problem(403, "forbidden");
        shop.call("GET", path, &cookie, Value::Null).await.assert_status(200);
        assert_eq!(recorded(admin_id).await["action"], *action, "{path}");
    }
    let of_staff = [("products.csv", "product.export_list"), ("analytics/visits.csv", "analytics.export")]
        .map(|(file, action)| (format!("/api/admin/{file}"), action));
    for (path, action) in &of_staff {
        shop.call("GET", path, &staff, Value::Null).await.assert_status(200);
        assert_eq!(recorded(staff_id).await["action"], *action, "{path}");
    }
    // Other sites cause none, nor does a question without an answer; whoever types the address does.
    let ask = async |method: &str, path: &str, site: &str| {
        let request = Request::builder().method(method).uri(path).header("sec-fetch-site", site);
        shop.send(request.header(header::COOKIE, &cookie).body(Body::empty()).unwrap()).await
    };
    for (path, _) in exports.iter().chain(&of_staff) {
        let before = recorded(admin_id).await;
        for site in ["cross-site", "same-site"] {
            ask("GET", path, site).await.assert_problem(403, "forbidden");
        }
        assert_eq!(ask("HEAD", path, "none").await.assert_status(405).header("allow"), "GET");
        assert_eq!(recorded(admin_id).await, before, "{path}");
        ask("GET", path, "none").await.assert_status(200);
        assert_ne!(recorded(admin_id).await, before, "{path}");
    }
}
