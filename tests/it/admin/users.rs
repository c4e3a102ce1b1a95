//! User accounts: what staff see and change.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{HttpBody, to_bytes};
use serde_json::{Value, json};
use shop::registry::fill_search_terms;
use shop_base::clock::CLOCK_SKEW;
use shop_base::db::Conn;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_domain::customers::service::recount;
use shop_domain::identity::accounts;
use shop_domain::identity::accounts::{end_sessions, grant};
use shop_domain::identity::model::{LONGEST_TOKEN_MS, Profile};
use shop_domain::identity::service::user_of_bearer;
use shop_domain::retention::service::clean;
use shop_domain::sales::flows::add_refund;
use shop_domain::sales::records::orders;
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::sales::records::payments::store;
use shop_platform::audit::model::Actor;
use shop_platform::audit::service::Chain;
use shop_platform::jobs::model::payload;
use shop_platform::staff_search::jobs::FillSearchTerms;
use shop_platform::staff_search::model::Kind;
use uuid::Uuid;

use super::audit::verify;
use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Answer, OnPostgres, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    users_are_found_filtered_and_sorted,
    a_customer_is_found_by_phone_however_it_is_written,
    a_customer_who_signs_in_during_an_export_is_in_it,
    a_blocked_account_is_out_at_once_and_stays_out,
    a_block_that_meets_a_refresh_is_tried_again,
    nobody_changes_their_own_account_or_one_above,
    a_role_counts_from_the_next_request,
    a_role_that_was_taken_away_outlasts_the_account,
    a_block_outlasts_the_account,
    two_who_take_each_others_role_leave_one,
    who_is_blocked_or_demoted_meanwhile_changes_nobody,
    a_change_of_what_changed_meanwhile_is_refused,
    sessions_end_one_by_one_or_all,
    an_erased_customer_leaves_their_sales_and_nothing_else,
    an_erased_account_is_not_shown_as_blocked,
    the_command_line_is_nobodys_deleted_account,
    spending_follows_orders_and_refunds,
    orders_that_change_at_the_same_time_all_count,
];

/// A separate shop.
async fn own(shop: &TestShop) -> TestShop {
    TestShop::with(shop.database, |_| {}).await
}

async fn id_of(shop: &TestShop, subject: &str) -> Uuid {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE subject = $1").bind(subject).fetch_one(c).await)
        .unwrap()
}

async fn props(shop: &TestShop, cookie: &str, path: &str, query: &str) -> Value {
    let answer = shop.call("GET", &format!("{path}/_payload.json?{query}"), cookie, Value::Null).await;
    answer.assert_status(200).json()["props"].clone()
}

async fn user(shop: &TestShop, cookie: &str, id: Uuid) -> Value {
    props(shop, cookie, &format!("/admin/users/{id}"), "").await
}

async fn act(shop: &TestShop, cookie: &str, id: Uuid, what: &str, body: Value) -> Answer {
    shop.call("POST", &format!("/api/admin/users/{id}/{what}"), cookie, body).await
}

async fn set_role(shop: &TestShop, cookie: &str, id: Uuid, version: i64, role: Value) -> Answer {
    let body = json!({ "version": version, "role": role });
    shop.call("PUT", &format!("/api/admin/users/{id}/role"), cookie, body).await
}

async fn users_are_found_filtered_and_sorted(shop: TestShop) {
    let shop = own(&shop).await;
    for (subject, role) in [("carla", "customer"), ("bert", "customer"), ("anna", "staff")] {
        shop.sign_in(subject, &[role]).await;
        shop.clock.advance(60_000);
    }
    let cookie = shop.sign_in("dora", &["admin"]).await;
    let names = async |query: &str| {
        let page = props(&shop, &cookie, "/admin/users", query).await;
        let users = page["users"].as_array().unwrap().clone();
        users.iter().map(|user| user["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("").await, ["Test dora", "Test anna", "Test bert", "Test carla"]);
    assert_eq!(names("sort=name").await, ["Test anna", "Test bert", "Test carla", "Test dora"]);
    assert_eq!(names("role=customer&sort=-name").await, ["Test carla", "Test bert"]);
    assert_eq!(names("q=BERT%40shop").await, ["Test bert"]);
    assert_eq!(names("q=anna+bert").await, [""; 0]);
    // Accounts that are older than the search are indexed by a job at startup.
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query("DELETE FROM search_terms").execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(names("q=bert").await, [""; 0]);
    let job = payload(&FillSearchTerms { kind: Kind::Customer }).unwrap();
    assert!(shop.app.worker().registry.list_at_start().unwrap().iter().any(|(_, added)| *added == job));
    fill_search_terms(&shop.app, Kind::Customer).await.unwrap();
    assert_eq!(names("q=bert").await, ["Test bert"]);
    assert_eq!(names("state=blocked").await, [""; 0]);
    let id = id_of(&shop, "bert").await;
    act(&shop, &cookie, id, "block", json!({ "version": 0, "reason": "Fraud" })).await.assert_status(204);
    assert_eq!(names("state=blocked").await, ["Test bert"]);
    let file = shop.call("GET", "/api/admin/users.csv?state=blocked", &cookie, Value::Null).await.text().to_owned();
    assert_eq!(file.trim_end().lines().count(), 2, "{file}");
    assert!(file.contains("bert@shop.example,customer,0,0.00,"), "{file}");
}

async fn a_customer_is_found_by_phone_however_it_is_written(shop: TestShop) {
    const WRITTEN: [&str; 4] = ["6145550142", "+16145550142", "(614) 555-0142", "614.555.0142"];
    let shop = own(&shop).await;
    for (at, phone) in WRITTEN.iter().enumerate() {
        let caller = shop.sign_in(&format!("caller-{at}"), &["customer"]).await;
        shop.call("PATCH", "/api/me", &caller, json!({ "phone": phone })).await.assert_status(200);
    }
    let staff = shop.sign_in("dora", &["admin"]).await;
    let found = async |typed: &str| {
        let typed: String = form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        let listed = props(&shop, &staff, "/admin/users", &format!("q={typed}")).await["users"].clone();
        let offered = shop.call("GET", &format!("/api/admin/orders/buyers?q={typed}"), &staff, Value::Null).await;
        let offered = offered.assert_status(200).json();
        assert_eq!(listed.as_array().unwrap().len(), offered["buyers"].as_array().unwrap().len(), "{typed}");
        listed.as_array().unwrap().len()
    };
    for typed in WRITTEN.into_iter().chain(["614\u{a0}555 0142"]) {
        assert_eq!(found(typed).await, 4, "{typed}");
    }
    assert_eq!(found("614-555-0199").await, 0);
    // Those of a former release, which has looked at all accounts, are found by their words until they are filled in.
    let mut tx = shop.app.db.begin().await.unwrap();
    for statement in [
        "DELETE FROM search_terms WHERE term = '6145550142'
            AND subject_id <> (SELECT id FROM users WHERE phone = '614.555.0142')",
        "INSERT INTO search_term_fills (kind, after_id, is_done)
            SELECT 'customer', id, TRUE FROM users ORDER BY id DESC LIMIT 1",
    ] {
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(found("614-555-0142").await, 2, "those with separators");
    fill_search_terms(&shop.app, Kind::Customer).await.unwrap();
    assert_eq!(found("614-555-0142").await, 4);
}

async fn a_customer_who_signs_in_during_an_export_is_in_it(shop: TestShop) {
    let shop = own(&shop).await;
    for customer in 0..60 {
        shop.sign_in(&format!("reader-{customer}"), &["customer"]).await;
    }
    // So long that most of the file waits for the one who downloads it.
    let text = "x".repeat(15_000);
    let mut tx = shop.app.db.begin().await.unwrap();
    const FILL: &str = "UPDATE users SET name = $1";
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(FILL).bind(&text).execute(c).await.map(drop)).unwrap();
    const LAST: &str = "SELECT subject FROM users WHERE subject LIKE 'reader-%' ORDER BY signed_in_at, id LIMIT 1";
    let last: String = shop_base::sql!(&mut tx.conn(), c => sqlx::query_scalar(LAST).fetch_one(c).await).unwrap();
    tx.commit().await.unwrap();
    shop.clock.advance(1_000);
    let cookie = shop.sign_in("boss", &["admin"]).await;

    let mut download = shop.begin("/api/admin/users.csv?role=customer", &cookie).await.into_body();
    let begun = poll_fn(|task| Pin::new(&mut download).poll_frame(task)).await.unwrap().unwrap();
    shop.clock.advance(1_000);
    shop.sign_in(&last, &["customer"]).await;
    let rest = to_bytes(download, usize::MAX).await.unwrap();
    let file = [begun.into_data().unwrap(), rest].concat();
    let emails = csv::Reader::from_reader(file.as_slice()).into_records().map(|row| row.unwrap()[2].to_owned());
    let emails: BTreeSet<String> = emails.collect();
    assert!(emails.contains(&format!("{last}@shop.example")), "{last} is missing");
    let customers = "SELECT COUNT(*) FROM users WHERE role = 'customer'";
    let mut reader = shop.app.db.read().await.unwrap();
    let customers: i64 =
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(customers).fetch_one(c).await).unwrap();
    assert_eq!(emails.len() as i64, customers);
}

async fn a_blocked_account_is_out_at_once_and_stays_out(shop: TestShop) {
    let shop = own(&shop).await;
    let customer = shop.sign_in("rude", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(&shop, "rude").await;
    let no_reason = act(&shop, &cookie, id, "block", json!({ "version": 0, "reason": " " })).await;
    assert!(no_reason.assert_problem(422, "invalid").json()["errors"]["reason"].is_array());
    shop.call("GET", "/api/me", &customer, Value::Null).await.assert_status(200);
    act(&shop, &cookie, id, "block", json!({ "version": 0, "reason": "Abuse" })).await.assert_status(204);
    shop.call("GET", "/api/me", &customer, Value::Null).await.assert_problem(401, "unauthorized");
    let again = shop.try_sign_in("rude", &["customer"]).await;
    assert!(again.is_err(), "a blocked account signs in");
    let shown = user(&shop, &cookie, id).await;
    assert_eq!((shown["block_reason"].as_str(), shown["sessions"].as_array().unwrap().len()), (Some("Abuse"), 0));
    act(&shop, &cookie, id, "unblock", json!({ "version": 1 })).await.assert_status(204);
    let customer = shop.sign_in("rude", &["customer"]).await;
    shop.call("GET", "/api/me", &customer, Value::Null).await.assert_status(200);
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { entries: 2, .. }));
}

async fn lock(conn: &mut Conn<'_>, statement: &'static str, user: Uuid) -> Result<(), sqlx::Error> {
    shop_base::sql!(conn, c => sqlx::query(statement).bind(user).execute(c).await.map(drop))
}

/// Of a former release, which locked a session before its account.
/// SQLite has only one writer.
async fn a_block_that_meets_a_refresh_is_tried_again(OnPostgres(shop): OnPostgres) {
    const WAITING: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let shop = own(&shop).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let waits = async || {
        let mut reader = shop.app.db.read().await.unwrap();
        let count: i64 =
            shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(WAITING).fetch_one(c).await).unwrap();
        count > 0
    };
    // PostgreSQL ends the transaction that has waited for a second: where the refresh came later than that, the refresh.
    for rude in ["rude", "ruder", "rudest"] {
        let customer = shop.sign_in(rude, &["customer"]).await;
        let id = id_of(&shop, rude).await;
        let mut refreshing = shop.app.db.begin().await.unwrap();
        lock(&mut refreshing.conn(), "UPDATE sessions SET refresh_at = refresh_at WHERE user_id = $1", id)
            .await
            .unwrap();
        let block = act(&shop, &cookie, id, "block", json!({ "version": 0, "reason": "Abuse" }));
        let (blocked, ()) = tokio::join!(block, async {
            until("the block waits for the session", &waits).await;
            match lock(&mut refreshing.conn(), "UPDATE users SET version = version WHERE id = $1", id).await {
                Ok(()) => refreshing.commit().await.unwrap(),
                Err(_) => drop(refreshing),
            }
        });
        blocked.assert_status(204);
        shop.call("GET", "/api/me", &customer, Value::Null).await.assert_problem(401, "unauthorized");
        if shop.app.db.retries() == 1 {
            return;
        }
    }
    panic!("no block was ended");
}

async fn nobody_changes_their_own_account_or_one_above(shop: TestShop) {
    let shop = own(&shop).await;
    let admin = shop.sign_in("an-admin", &["admin"]).await;
    shop.sign_in("another-admin", &["admin"]).await;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let [admin_id, other_id, owner_id] =
        [id_of(&shop, "an-admin").await, id_of(&shop, "another-admin").await, id_of(&shop, "owner").await];
    let block = json!({ "version": 0, "reason": "x" });
    act(&shop, &admin, admin_id, "block", block.clone()).await.assert_problem(409, "own_account");
    act(&shop, &admin, other_id, "block", block.clone()).await.assert_problem(403, "forbidden");
    act(&shop, &admin, owner_id, "block", block.clone()).await.assert_problem(403, "forbidden");
    set_role(&shop, &owner, owner_id, 0, json!("admin")).await.assert_problem(409, "own_account");
    // The role that is stored is above the one that the request has.
    let actor = Actor { user_id: owner_id, role: Role::Admin, network: String::new(), device: String::new() };
    let refused = end_sessions(&shop.app, &actor, other_id, None).await;
    assert!(matches!(refused, Err(Error::Forbidden { .. })), "{refused:?}");
    act(&shop, &owner, other_id, "block", block).await.assert_status(204);
    let unknown = Uuid::now_v7();
    act(&shop, &owner, unknown, "unblock", json!({ "version": 0 })).await.assert_problem(404, "not_found");
    // The page offers only the actions that the calls allow.
    let seen = user(&shop, &admin, other_id).await;
    assert_eq!((seen["may_manage"].as_bool(), seen["may_change_role"].as_bool()), (Some(false), Some(false)));
    let seen = user(&shop, &owner, admin_id).await;
    assert_eq!((seen["may_manage"].as_bool(), seen["may_change_role"].as_bool()), (Some(true), Some(true)));
}

async fn a_role_counts_from_the_next_request(shop: TestShop) {
    let shop = own(&shop).await;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let helper = shop.sign_in("helper", &["customer"]).await;
    let id = id_of(&shop, "helper").await;
    let users = async |cookie: &str| shop.call("GET", "/admin/users", cookie, Value::Null).await.status.as_u16();
    assert_eq!(users(&helper).await, 403);
    set_role(&shop, &owner, id, 0, json!("staff")).await.assert_status(204);
    assert_eq!(users(&helper).await, 200);
    // The roles that the provider lists at the next sign-in do not undo the change.
    let helper = shop.sign_in("helper", &["customer"]).await;
    assert_eq!(users(&helper).await, 200);
    let shown = user(&shop, &owner, id).await;
    assert_eq!((shown["role"].as_str(), shown["listed_roles"][0].as_str()), (Some("staff"), Some("customer")));
    set_role(&shop, &owner, id, 1, Value::Null).await.assert_status(204);
    assert_eq!(users(&helper).await, 403);
    set_role(&shop, &owner, id, 2, json!("king")).await.assert_problem(422, "invalid");
    shop.clock.advance(16 * 60_000);
    set_role(&shop, &owner, id, 2, json!("staff")).await.assert_problem(403, "stale_sign_in");
}

/// What the provider says in an access token.
fn profile(subject: &str, roles: &[&str]) -> Profile {
    Profile {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        email: format!("{subject}@shop.example"),
        email_verified: false,
        name: format!("Test {subject}"),
        roles: roles.iter().map(|&role| role.to_owned()).collect(),
    }
}

/// By who is signed in so.
async fn delete_own(shop: &TestShop, cookie: &str, subject: &str) {
    let confirm = json!({ "confirm": format!("{subject}@shop.example") });
    shop.call("DELETE", "/api/me", cookie, confirm).await.assert_status(204);
}

async fn a_role_that_was_taken_away_outlasts_the_account(shop: TestShop) {
    let shop = own(&shop).await;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    let users = async |cookie: &str| shop.call("GET", "/admin/users", cookie, Value::Null).await.status.as_u16();
    let shown = async || user(&shop, &owner, id_of(&shop, "helper").await).await;
    let helper = shop.sign_in("helper", &["admin"]).await;
    assert_eq!(users(&helper).await, 200);
    set_role(&shop, &owner, id_of(&shop, "helper").await, 0, json!("customer")).await.assert_status(204);
    delete_own(&shop, &helper, "helper").await;
    let helper = shop.sign_in("helper", &["admin"]).await;
    assert_eq!(users(&helper).await, 403);
    let seen = shown().await;
    assert_eq!((&seen["role"], &seen["assigned_role"]), (&json!("customer"), &json!("customer")));
    let log = shop.call("GET", "/api/admin/audit.csv?q=user.assign_role", &owner, Value::Null).await.text().to_owned();
    assert!(log.contains("Former decision"), "{log}");

    // An access token that is new enough makes the account anew, too.
    delete_own(&shop, &helper, "helper").await;
    shop.clock.advance(CLOCK_SKEW + 1);
    let now = shop.app.clock.now_ms();
    let (_, roles) = user_of_bearer(&shop.app, &profile("helper", &["admin"]), now).await.unwrap();
    assert_eq!(roles, ["customer"]);
    assert_eq!(shown().await["role"], "customer");

    // Nobody gets more by coming back than the provider lists by then.
    let set = async |role: Value| {
        let version = shown().await["version"].as_i64().unwrap();
        set_role(&shop, &owner, id_of(&shop, "helper").await, version, role).await.assert_status(204);
    };
    set(json!("staff")).await;
    delete_own(&shop, &shop.sign_in("helper", &["admin"]).await, "helper").await;
    shop.sign_in("helper", &["customer"]).await;
    assert_eq!(shown().await["role"], "customer");

    // What is removed leaves nothing.
    set(Value::Null).await;
    delete_own(&shop, &shop.sign_in("helper", &["admin"]).await, "helper").await;
    assert_eq!(users(&shop.sign_in("helper", &["admin"]).await).await, 200);
    assert_eq!(shown().await["assigned_role"], Value::Null);
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { .. }));
}

async fn a_block_outlasts_the_account(shop: TestShop) {
    let shop = own(&shop).await;
    let gone = shop.sign_in("gone", &["customer"]).await;
    shop.sign_in("rude", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let former = id_of(&shop, "rude").await;
    act(&shop, &cookie, former, "block", json!({ "version": 0, "reason": "Abuse" })).await.assert_status(204);
    let path = format!("/api/admin/users/{former}");
    shop.call("DELETE", &path, &cookie, json!({ "confirm": "rude@shop.example" })).await.assert_status(204);
    delete_own(&shop, &gone, "gone").await;

    let remembered = async || -> i64 {
        const SQL: &str = "SELECT COUNT(*) FROM erased_subjects";
        let mut reader = shop.app.db.read().await.unwrap();
        shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(SQL).fetch_one(c).await).unwrap()
    };
    assert_eq!(remembered().await, 2);
    shop.clock.advance(LONGEST_TOKEN_MS + 1);
    clean(&shop.app).await.unwrap();
    assert_eq!(remembered().await, 1);
    let again = shop.try_sign_in("rude", &["customer"]).await;
    assert!(matches!(again, Err(Error::Forbidden { .. })), "{again:?}");
    let by_token = user_of_bearer(&shop.app, &profile("rude", &[]), shop.app.clock.now_ms()).await;
    assert!(matches!(by_token, Err(Error::Unauthorized)), "{by_token:?}");
    clean(&shop.app).await.unwrap();
    assert_eq!(remembered().await, 0, "the account has it");

    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(&shop, "rude").await;
    let shown = user(&shop, &cookie, id).await;
    assert_ne!(id, former);
    assert_eq!(shown["block_reason"], "Blocked before the account was deleted");
    act(&shop, &cookie, id, "unblock", json!({ "version": shown["version"] })).await.assert_status(204);
    let customer = shop.sign_in("rude", &["customer"]).await;
    delete_own(&shop, &customer, "rude").await;
    shop.sign_in("rude", &["customer"]).await;
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { .. }));
}

async fn two_who_take_each_others_role_leave_one(shop: TestShop) {
    let shop = own(&shop).await;
    let first = shop.sign_in("first", &["super_admin"]).await;
    let second = shop.sign_in("second", &["super_admin"]).await;
    let (first_id, second_id) = (id_of(&shop, "first").await, id_of(&shop, "second").await);
    let (one, two) = tokio::join!(
        set_role(&shop, &first, second_id, 0, json!("customer")),
        set_role(&shop, &second, first_id, 0, json!("customer")),
    );
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 403]);
}

/// The requests were let in before that.
async fn who_is_blocked_or_demoted_meanwhile_changes_nobody(shop: TestShop) {
    let shop = own(&shop).await;
    let owner = shop.sign_in("owner", &["super_admin"]).await;
    shop.sign_in("second", &["super_admin"]).await;
    shop.sign_in("helper", &["customer"]).await;
    let [owner_id, second_id, helper_id] =
        [id_of(&shop, "owner").await, id_of(&shop, "second").await, id_of(&shop, "helper").await];
    let actor =
        |user_id: Uuid| Actor { user_id, role: Role::SuperAdmin, network: String::new(), device: String::new() };
    accounts::block(&shop.app, &actor(owner_id), second_id, 0, "x").await.unwrap();
    let refused = accounts::block(&shop.app, &actor(second_id), owner_id, 0, "x").await;
    assert!(matches!(refused, Err(Error::Forbidden { .. })), "{refused:?}");
    assert_eq!(user(&shop, &owner, owner_id).await["blocked_since"], Value::Null);

    grant(&shop.app, "owner@shop.example", Role::Admin).await.unwrap();
    let refused = accounts::assign_role(&shop.app, &actor(owner_id), helper_id, 0, Some(Role::SuperAdmin)).await;
    assert!(matches!(refused, Err(Error::Forbidden { .. })), "{refused:?}");
    assert_eq!(user(&shop, &owner, helper_id).await["role"], "customer");
}

async fn a_change_of_what_changed_meanwhile_is_refused(shop: TestShop) {
    let shop = own(&shop).await;
    shop.sign_in("contested", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["super_admin"]).await;
    let id = id_of(&shop, "contested").await;
    let version = user(&shop, &cookie, id).await["version"].as_i64().unwrap();
    set_role(&shop, &cookie, id, version, json!("staff")).await.assert_status(204);
    let late = act(&shop, &cookie, id, "block", json!({ "version": version, "reason": "x" })).await;
    late.assert_problem(409, "changed_meanwhile");
    set_role(&shop, &cookie, id, version, json!("admin")).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(user(&shop, &cookie, id).await["role"], "staff");
}

async fn sessions_end_one_by_one_or_all(shop: TestShop) {
    let shop = own(&shop).await;
    let sessions = [
        shop.sign_in("roamer", &["customer"]).await,
        shop.sign_in("roamer", &["customer"]).await,
        shop.sign_in("roamer", &["customer"]).await,
    ];
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(&shop, "roamer").await;
    let alive = async || {
        let mut alive = 0;
        for session in &sessions {
            alive += usize::from(shop.call("GET", "/api/me", session, Value::Null).await.status == 200);
        }
        alive
    };
    let path = format!("/api/admin/users/{id}/sessions");
    let shown = user(&shop, &cookie, id).await;
    let one = format!("{path}/{}", shown["sessions"][0]["id"].as_str().unwrap());
    shop.call("DELETE", &one, &cookie, Value::Null).await.assert_status(204);
    shop.call("DELETE", &one, &cookie, Value::Null).await.assert_problem(404, "not_found");
    assert_eq!(alive().await, 2);
    shop.call("DELETE", &path, &cookie, Value::Null).await.assert_status(204);
    assert_eq!(alive().await, 0);
}

async fn an_erased_customer_leaves_their_sales_and_nothing_else(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let customer = shop.sign_in("leaver", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(shop, "leaver").await;
    let order = bench.order(PIPE_TOOL, 1).await;
    let cookies = format!("{}; {customer}", shop.age_cookie());
    bench.pay_as(&cookies, &order).await.assert_status(200);
    bench.work().await;
    let export = shop.call("GET", &format!("/api/admin/users/{id}/export"), &cookie, Value::Null).await;
    assert_eq!(export.assert_status(200).json()["profile"]["email"], "leaver@shop.example");
    let path = format!("/api/admin/users/{id}");
    let wrong = shop.call("DELETE", &path, &cookie, json!({ "confirm": "someone@shop.example" })).await;
    assert!(wrong.assert_problem(422, "invalid").json()["errors"]["confirm"].is_array());
    let right = json!({ "confirm": "Leaver@shop.example" });
    shop.call("DELETE", &path, &cookie, right.clone()).await.assert_status(204);
    shop.call("DELETE", &path, &cookie, right).await.assert_problem(404, "not_found");
    shop.call("GET", "/api/me", &customer, Value::Null).await.assert_problem(401, "unauthorized");
    let shown = user(shop, &cookie, id).await;
    assert_eq!(
        (shown["is_deleted"].as_bool(), shown["name"].as_str(), shown["order_count"].as_i64()),
        (Some(true), Some(""), Some(1))
    );
    assert_eq!(shown["orders"].as_array().unwrap().len(), 1);
    let found = shop.call("GET", "/api/admin/search?q=leaver", &cookie, Value::Null).await.json();
    assert_eq!(found["customers"], json!([]));
    let log = shop.call("GET", "/api/admin/audit.csv", &cookie, Value::Null).await.text().to_owned();
    assert!(log.contains("user.erase") && log.contains("user.export"), "{log}");
    assert!(!log.contains("leaver"), "{log}");
}

async fn an_erased_account_is_not_shown_as_blocked(shop: TestShop) {
    let shop = own(&shop).await;
    shop.sign_in("gone", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(&shop, "gone").await;
    act(&shop, &cookie, id, "block", json!({ "version": 0, "reason": "Abuse" })).await.assert_status(204);
    assert!(user(&shop, &cookie, id).await["blocked_since"].is_string());
    let path = format!("/api/admin/users/{id}");
    shop.call("DELETE", &path, &cookie, json!({ "confirm": "gone@shop.example" })).await.assert_status(204);
    let shown = user(&shop, &cookie, id).await;
    assert_eq!((&shown["is_deleted"], &shown["blocked_since"]), (&json!(true), &Value::Null));
}

async fn the_command_line_is_nobodys_deleted_account(shop: TestShop) {
    let shop = own(&shop).await;
    shop.sign_in("gone", &["customer"]).await;
    shop.sign_in("helper", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(&shop, "gone").await;
    grant(&shop.app, "helper@shop.example", Role::Staff).await.unwrap();
    let path = format!("/api/admin/users/{id}");
    shop.call("DELETE", &path, &cookie, json!({ "confirm": "gone@shop.example" })).await.assert_status(204);
    let page = props(&shop, &cookie, "/admin/users", "state=deleted").await;
    let ids: Vec<&Value> = page["users"].as_array().unwrap().iter().map(|user| &user["id"]).collect();
    assert_eq!(ids, [&json!(id)]);
}

async fn spending_follows_orders_and_refunds(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let customer = shop.sign_in("spender", &["customer"]).await;
    let cookie = shop.sign_in("boss", &["admin"]).await;
    let id = id_of(shop, "spender").await;
    let order = bench.order(PIPE_TOOL, 2).await;
    let cookies = format!("{}; {customer}", shop.age_cookie());
    bench.pay_as(&cookies, &order).await.assert_status(200);
    bench.work().await;
    let total = order["expected_total"].as_i64().unwrap();
    let totals = async || {
        let shown = user(shop, &cookie, id).await;
        (shown["order_count"].as_i64().unwrap(), shown["spent"].as_i64().unwrap())
    };
    assert_eq!(totals().await, (1, total));
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let order_id: Uuid =
        shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM orders WHERE user_id = $1").bind(id).fetch_one(c).await)
            .unwrap();
    let order = orders::service::lock(&mut conn, order_id).await.unwrap();
    let attempts = store::list_attempts(&mut conn, order_id).await.unwrap();
    assert_eq!(attempts[0].provider, ProviderName::Square);
    let mut attempt = attempts[0].clone();
    add_refund::add_rest(&mut conn, &shop.app, &order, &mut attempt, "Test", None, None).await.unwrap();
    tx.commit().await.unwrap();
    bench.let_pass(120).await;
    assert_eq!(totals().await, (1, 0));
}

async fn orders_that_change_at_the_same_time_all_count(OnPostgres(shop): OnPostgres) {
    let bench = Bench::start(shop.database).await;
    let shop = &bench.shop;
    let cookies = format!("{}; {}", shop.sign_in("spender", &["customer"]).await, shop.age_cookie());
    let id = id_of(shop, "spender").await;
    for _ in 0..2 {
        bench.pay_as(&cookies, &bench.order(PIPE_TOOL, 1).await).await.assert_status(200);
        bench.work().await;
    }
    let change = async |order: Uuid| {
        let mut tx = shop.app.db.begin().await.unwrap();
        let mut conn = tx.conn();
        const CANCEL: &str = "UPDATE orders SET status = 'canceled' WHERE id = $1";
        shop_base::sql!(&mut conn, c => sqlx::query(CANCEL).bind(order).execute(c).await.map(drop)).unwrap();
        recount(&mut conn, id).await.unwrap();
        tx
    };
    let count = "SELECT CAST(order_count AS BIGINT) FROM users WHERE subject = 'spender'";
    assert_eq!(bench.count(count).await, 2);
    let one = bench.id("SELECT id FROM orders ORDER BY number LIMIT 1").await;
    let another = bench.id("SELECT id FROM orders ORDER BY number DESC LIMIT 1").await;
    let first = change(one).await;
    let (second, ()) = tokio::join!(change(another), async {
        const WAITING: &str =
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        until("the second waits for the first", async || bench.count(WAITING).await == 1).await;
        first.commit().await.unwrap();
    });
    second.commit().await.unwrap();
    assert_eq!(bench.count(count).await, 0);
}
