//! The account's API: users can access only their own data.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shop_base::clock::Clock;
use shop_base::error::Error;
use shop_domain::age::model::PROOF_VALID_MS;
use shop_domain::age::service::prove;
use shop_domain::customers::model::{NewAddress, PreferencesChange, ProfileChange};
use shop_domain::customers::service::{
    add_address, change_preferences, change_profile, list_addresses, remove_address,
};
use shop_domain::customers::store::delete_address;
use shop_domain::identity::model::{Profile, Session};
use shop_domain::identity::service::find_session;
use shop_domain::identity::store;
use uuid::Uuid;

use crate::support::{OnPostgres, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_profile_is_read_and_changed,
    preferences_are_kept,
    the_state_of_a_sign_up_is_the_preferred_one,
    addresses_are_added_and_removed,
    an_address_that_is_sent_again_is_there_once,
    two_removals_at_once_leave_a_default_address,
    fields_that_are_wrong_are_named,
    nobody_reaches_what_is_somebody_elses,
    changes_on_a_page_of_another_account_are_refused,
    sessions_are_listed_and_ended,
    strangers_have_no_account,
    data_is_handed_out_and_erased,
    an_erasure_leaves_the_emails_of_another_account,
    an_age_proof_that_is_over_is_handed_out,
    requests_that_an_erasure_overtakes_store_nothing,
    a_device_that_signs_in_during_an_erasure_is_forgotten,
    every_order_is_handed_out,
    an_account_without_an_email_address_is_erased_by_a_word,
    an_address_confirms_an_erasure_as_browsers_write_it,
];

fn address() -> Value {
    json!({
        "first_name": "Ada", "last_name": "Lovelace", "line1": "48 Gay Street", "city": "Columbus", "state": "OH",
        "postal_code": "43215", "phone": "614 555 0142",
    })
}

async fn a_profile_is_read_and_changed(shop: TestShop) {
    let cookie = shop.sign_in("profile", &["customer", "staff"]).await;
    let me = shop.call("GET", "/api/me", &cookie, Value::Null).await;
    assert!(me.assert_status(200).header("cache-control").contains("no-store"));
    let me = me.json();
    assert_eq!((&me["sub"], &me["role"]), (&json!("profile"), &json!("staff")));
    assert_eq!(me["roles"], json!(["customer", "staff"]));
    let changed = shop.call("PATCH", "/api/me", &cookie, json!({ "name": "  Ada   Lovelace " })).await;
    assert_eq!(changed.assert_status(200).json()["name"], "Ada Lovelace");
    let changed = shop.call("PATCH", "/api/me", &cookie, json!({ "phone": "(614) 555-0142" })).await;
    assert_eq!(changed.json()["name"], "Ada Lovelace", "what is left out stays");
    assert_eq!(changed.json()["phone"], "(614) 555-0142");
    // The provider's name does not overwrite one that was set here.
    let cookie = shop.sign_in("profile", &["customer"]).await;
    assert_eq!(shop.call("GET", "/api/me", &cookie, Value::Null).await.json()["name"], "Ada Lovelace");
}

async fn preferences_are_kept(shop: TestShop) {
    let cookie = shop.sign_in("preferences", &[]).await;
    let patch = async |body: Value| shop.call("PATCH", "/api/me/preferences", &cookie, body).await;
    let answer = patch(json!({ "preferred_state": "OH" })).await;
    assert_eq!(answer.assert_status(200).json(), json!({ "preferred_state": "OH" }));
    // Preferences that other releases have stored are ignored.
    let kept = r#"UPDATE users SET preferences = '{"marketing_emails":true,"preferred_state":"OH"}' WHERE subject = 'preferences'"#;
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(kept).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(patch(json!({})).await.json(), json!({ "preferred_state": "OH" }));
    let answer = patch(json!({ "preferred_state": "" })).await;
    assert_eq!(answer.json(), json!({ "preferred_state": null }));
    let answer = patch(json!({ "preferred_state": "XX" })).await;
    assert_eq!(answer.assert_problem(422, "invalid").json()["errors"]["preferred_state"], json!(["Choose a state."]));
    patch(json!({ "preferred_state": 1 })).await.assert_problem(422, "invalid");
}

async fn the_state_of_a_sign_up_is_the_preferred_one(shop: TestShop) {
    let cookie = shop.sign_in("signed-up", &[]).await;
    let preferred = async |body: Value| {
        shop.call("POST", "/api/verify-age", &cookie, body).await.assert_status(200);
        shop.call("GET", "/api/me", &cookie, Value::Null).await.json()["preferences"]["preferred_state"].clone()
    };
    assert_eq!(preferred(json!({ "birth_date": "1980-05-17" })).await, Value::Null);
    let signed_up =
        |state: Value| json!({ "birth_date": "1980-05-17", "user_id": "signed-up", "preferred_state": state });
    let of_nobody = json!({ "birth_date": "1980-05-17", "preferred_state": "OH" });
    assert_eq!(preferred(of_nobody).await, Value::Null, "a page that names nobody was made before the sign-in");
    assert_eq!(preferred(signed_up(json!("OH"))).await, "OH");
    assert_eq!(preferred(signed_up(Value::Null)).await, "OH");
}

async fn an_address_that_is_sent_again_is_there_once(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("sent-again", &[]).await;
    let add = async |line1: &str, is_default: bool| {
        let mut body = address();
        body["line1"] = json!(line1);
        body["is_default"] = json!(is_default);
        shop.call("POST", "/api/me/addresses", &cookie, body).await.assert_status(201).json()
    };
    let first = add("48 Gay Street", false).await;
    let second = add("2 High Street", false).await;
    let again = add(" 2  High Street", true).await;
    assert_eq!((&again["id"], &again["is_default"]), (&second["id"], &json!(true)));
    let all = shop.call("GET", "/api/me", &cookie, Value::Null).await.json()["addresses"].clone();
    let ids: Vec<&Value> = all.as_array().unwrap().iter().map(|each| &each["id"]).collect();
    assert_eq!(ids, [&second["id"], &first["id"]]);
}

async fn addresses_are_added_and_removed(shop: TestShop) {
    let cookie = shop.sign_in("addresses", &[]).await;
    let add = async |extra: Value| {
        let mut body = address();
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        shop.call("POST", "/api/me/addresses", &cookie, body).await
    };
    let list = async || shop.call("GET", "/api/me", &cookie, Value::Null).await.json()["addresses"].clone();
    let first = add(json!({})).await.assert_status(201).json();
    assert_eq!(first["is_default"], true, "the first is the default");
    let second = add(json!({ "line1": "2 High Street", "is_default": true })).await.assert_status(201).json();
    let lines: Vec<_> = list()
        .await
        .as_array()
        .unwrap()
        .iter()
        .map(|each| (each["line1"].clone(), each["is_default"].clone()))
        .collect();
    assert_eq!(lines, [(json!("2 High Street"), json!(true)), (json!("48 Gay Street"), json!(false))]);
    let remove = async |id: &Value| {
        shop.call("DELETE", &format!("/api/me/addresses/{}", id.as_str().unwrap()), &cookie, Value::Null).await
    };
    remove(&second["id"]).await.assert_status(204);
    remove(&second["id"]).await.assert_problem(404, "not_found");
    assert_eq!(list().await[0]["is_default"], true, "another takes its place");
    for number in 1..20 {
        add(json!({ "line1": format!("{number} Oak Street") })).await.assert_status(201);
    }
    assert!(
        add(json!({ "line1": "20 Oak Street" })).await.assert_problem(422, "invalid").json()["errors"]["line1"]
            .is_array()
    );
}

async fn two_removals_at_once_leave_a_default_address(OnPostgres(shop): OnPostgres) {
    // With SQLite one of the two would wait for the other to end.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("mover", &["customer"]).await;
    let user = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
    for line1 in ["1 Oak Street", "2 Oak Street", "3 Oak Street"] {
        let mut body = address();
        body["line1"] = json!(line1);
        shop.call("POST", "/api/me/addresses", &cookie, body).await.assert_status(201);
    }
    let ids: Vec<Uuid> = list_addresses(&mut shop.app.db.read().await.unwrap().conn(), user)
        .await
        .unwrap()
        .iter()
        .map(|address| address.id)
        .collect();
    let [default, next, last] = ids[..] else { panic!("{ids:?}") };
    // The other request removes the address that would become the default.
    let mut other = shop.app.db.begin().await.unwrap();
    store::lock_account(&mut other.conn(), user).await.unwrap();
    delete_address(&mut other.conn(), user, next).await.unwrap();
    let (removed, ()) = tokio::join!(remove_address(&shop.app, user, default), async {
        until("one removal waits for the other", async || count(&shop, WAITING).await > 0).await;
        other.commit().await.unwrap();
    });
    assert!(removed.unwrap());
    let left = list_addresses(&mut shop.app.db.read().await.unwrap().conn(), user).await.unwrap();
    assert_eq!(left.iter().map(|address| (address.id, address.is_default)).collect::<Vec<_>>(), [(last, true)]);
}

async fn fields_that_are_wrong_are_named(shop: TestShop) {
    let cookie = shop.sign_in("wrong-fields", &[]).await;
    let answer =
        shop.call("POST", "/api/me/addresses", &cookie, json!({ "state": "OH", "postal_code": "90210" })).await;
    let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
    let fields: Vec<_> = errors.as_object().unwrap().keys().cloned().collect();
    assert_eq!(fields, ["city", "first_name", "last_name", "line1", "postal_code"]);
    assert_eq!(errors["postal_code"], json!(["That ZIP code isn’t in Ohio."]));
    let answer = shop.call("PATCH", "/api/me", &cookie, json!({ "name": " ", "phone": "12" })).await;
    let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
    assert_eq!(errors["name"], json!(["Enter your name."]));
    assert!(errors["phone"].is_array());
    let answer = shop.call("PATCH", "/api/me", &cookie, json!({ "name": "\u{200b}\u{2060}" })).await;
    let errors = answer.assert_problem(422, "invalid").json()["errors"].clone();
    assert_eq!(errors["name"], json!(["Enter your name."]), "nothing of it can be seen");
    // What comes along with a pasted text is left out.
    let pasted = json!({ "name": "\u{202e}Ada", "phone": "\u{202d}(614)\u{a0}555\u{2011}0142\u{202c}" });
    let me = shop.call("PATCH", "/api/me", &cookie, pasted).await.assert_status(200).json();
    assert_eq!((&me["name"], &me["phone"]), (&json!("Ada"), &json!("(614) 555-0142")));
}

async fn changes_on_a_page_of_another_account_are_refused(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let (cookie, other) = (shop.sign_in("present", &[]).await, shop.sign_in("present", &[]).await);
    let end_others = async |shown: &str| {
        shop.call("DELETE", &format!("/api/me/sessions?user_id={shown}"), &cookie, Value::Null).await
    };
    end_others("former").await.assert_problem(409, "other_account");
    shop.call("GET", "/api/me", &other, Value::Null).await.assert_status(200);
    end_others("present").await.assert_status(204);
    shop.call("GET", "/api/me", &other, Value::Null).await.assert_status(401);
    let changes = [
        ("PATCH", "/api/me", json!({ "name": "Ada Reed" })),
        ("PATCH", "/api/me/preferences", json!({ "preferred_state": "OH" })),
        ("POST", "/api/me/addresses", address()),
    ];
    let erasure = ("DELETE", "/api/me", json!({ "confirm": "present@shop.example" }));
    for (method, path, mut body) in changes.into_iter().chain([erasure]) {
        let before = shop.call("GET", "/api/me", &cookie, Value::Null).await.json();
        body["user_id"] = json!("former");
        shop.call(method, path, &cookie, body.clone()).await.assert_problem(409, "other_account");
        assert_eq!(shop.call("GET", "/api/me", &cookie, Value::Null).await.json(), before, "{path}");
        body["user_id"] = json!("present");
        let saved = shop.call(method, path, &cookie, body).await;
        assert!(saved.status.is_success(), "{path}");
    }
}

async fn nobody_reaches_what_is_somebody_elses(shop: TestShop) {
    let owner = shop.sign_in("owner", &[]).await;
    let thief = shop.sign_in("thief", &["super_admin"]).await;
    let mine = shop.call("POST", "/api/me/addresses", &owner, address()).await.assert_status(201).json();
    let sessions = shop.call("GET", "/api/me/sessions", &owner, Value::Null).await.json();
    for path in [
        format!("/api/me/addresses/{}", mine["id"].as_str().unwrap()),
        format!("/api/me/sessions/{}", sessions[0]["id"].as_str().unwrap()),
        format!("/api/me/addresses/{}", Uuid::nil()),
        "/api/me/addresses/x".to_owned(),
        "/api/me/sessions/x".to_owned(),
    ] {
        shop.call("DELETE", &path, &thief, Value::Null).await.assert_problem(404, "not_found");
    }
    let list = shop.call("GET", "/api/me", &owner, Value::Null).await.json();
    assert_eq!(list["addresses"].as_array().unwrap().len(), 1);
    assert_eq!(shop.call("GET", "/api/me", &thief, Value::Null).await.json()["addresses"], json!([]));
}

async fn sessions_are_listed_and_ended(shop: TestShop) {
    let here = shop.sign_in("sessions", &[]).await;
    let phone = shop.sign_in("sessions", &[]).await;
    let laptop = shop.sign_in("sessions", &[]).await;
    let list = shop.call("GET", "/api/me/sessions", &here, Value::Null).await.assert_status(200).json();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(list.iter().filter(|session| session["is_current"] == true).count(), 1);
    assert_eq!(list[0]["device"], "Firefox on Linux");
    assert_eq!(list[0]["network"], "127.0.0.0", "no whole address");
    let others = shop.call("GET", "/api/me/sessions", &phone, Value::Null).await.json();
    let id = others.as_array().unwrap().iter().find(|session| session["is_current"] == true).unwrap()["id"].clone();
    let path = format!("/api/me/sessions/{}", id.as_str().unwrap());
    shop.call("DELETE", &path, &here, Value::Null).await.assert_status(204);
    shop.call("GET", "/api/me", &phone, Value::Null).await.assert_status(401);
    shop.call("DELETE", "/api/me/sessions", &here, Value::Null).await.assert_status(204);
    shop.call("GET", "/api/me", &laptop, Value::Null).await.assert_status(401);
    shop.call("GET", "/api/me", &here, Value::Null).await.assert_status(200);
}

async fn strangers_have_no_account(shop: TestShop) {
    for (method, path) in [
        ("GET", "/api/me".to_owned()),
        ("PATCH", "/api/me".to_owned()),
        ("DELETE", "/api/me".to_owned()),
        ("PATCH", "/api/me/preferences".to_owned()),
        ("POST", "/api/me/addresses".to_owned()),
        ("DELETE", format!("/api/me/addresses/{}", Uuid::nil())),
        ("GET", "/api/me/sessions".to_owned()),
        ("DELETE", "/api/me/sessions".to_owned()),
        ("DELETE", format!("/api/me/sessions/{}", Uuid::nil())),
        ("GET", "/api/me/export".to_owned()),
    ] {
        shop.call(method, &path, "session=forged", json!({})).await.assert_problem(401, "unauthorized");
    }
}

async fn data_is_handed_out_and_erased(shop: TestShop) {
    let cookie = shop.sign_in("leaver", &["customer"]).await;
    shop.call("POST", "/api/me/addresses", &cookie, address()).await.assert_status(201);
    let body = json!({ "birth_date": "1980-05-17", "user_id": "leaver", "preferred_state": "OH" });
    shop.call("POST", "/api/verify-age", &cookie, body).await.assert_status(200);
    let export = shop.call("GET", "/api/me/export", &cookie, Value::Null).await;
    assert!(export.assert_status(200).header("content-disposition").starts_with("attachment"));
    let data = export.json();
    assert_eq!(data["profile"]["addresses"][0]["line1"], "48 Gay Street");
    assert_eq!(data["profile"]["age"]["preferred_state"], "OH");
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    assert!(!export.text().contains("1980-05"), "the birth date is nowhere");
    shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": "no" })).await.assert_problem(422, "invalid");
    shop.call("GET", "/api/me", &cookie, Value::Null).await.assert_status(200);
    let gone = shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": "LEAVER@shop.example" })).await;
    gone.assert_status(204);
    shop.call("GET", "/api/me", &cookie, Value::Null).await.assert_status(401);
    let mut reader = shop.app.db.read().await.unwrap();
    for table in ["addresses", "age_proofs"] {
        let statement =
            format!("SELECT COUNT(*) FROM {table} t JOIN users u ON u.id = t.user_id WHERE u.deleted_at IS NOT NULL");
        let left: i64 = shop_base::sql!(&mut reader.conn(), c => sqlx::query_scalar(sqlx::AssertSqlSafe(statement.clone())).fetch_one(c).await).unwrap();
        assert_eq!(left, 0, "{table}");
    }
    drop(reader);
    // The same person can return and gets a new account.
    let again = shop.sign_in("leaver", &["customer"]).await;
    let me = shop.call("GET", "/api/me", &again, Value::Null).await.assert_status(200).json();
    assert_eq!((&me["addresses"], &me["age"]), (&json!([]), &Value::Null));
}

async fn an_account_without_an_email_address_is_erased_by_a_word(shop: TestShop) {
    let admin = shop.sign_in("eraser", &["super_admin"]).await;
    for by_staff in [false, true] {
        let profile = Profile {
            issuer: "https://id.example".to_owned(),
            subject: format!("no-address-{by_staff}"),
            email: String::new(),
            email_verified: false,
            name: "Ada".to_owned(),
            roles: Vec::new(),
        };
        let cookie = shop.begin_session(profile).await.unwrap();
        let id = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
        let (path, eraser) = match by_staff {
            true => (format!("/api/admin/users/{id}"), &admin),
            false => ("/api/me".to_owned(), &cookie),
        };
        let erase = async |typed: &str| shop.call("DELETE", &path, eraser, json!({ "confirm": typed })).await;
        for typed in ["", " ", "Ada"] {
            let errors = erase(typed).await.assert_problem(422, "invalid").json()["errors"].clone();
            assert_eq!(errors["confirm"], json!(["Type the word delete to confirm."]));
        }
        shop.call("GET", "/api/me", &cookie, Value::Null).await.assert_status(200);
        erase(" Delete ").await.assert_status(204);
        shop.call("GET", "/api/me", &cookie, Value::Null).await.assert_status(401);
    }
}

async fn an_address_confirms_an_erasure_as_browsers_write_it(shop: TestShop) {
    let profile = Profile {
        issuer: "https://id.example".to_owned(),
        subject: "international".to_owned(),
        email: "ada@exämple.example".to_owned(),
        email_verified: true,
        name: "Ada".to_owned(),
        roles: Vec::new(),
    };
    let cookie = shop.begin_session(profile).await.unwrap();
    let erase = async |typed: &str| shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": typed })).await;
    erase("ada@example.example").await.assert_problem(422, "invalid");
    erase("ada@xn--exmple-cua.example").await.assert_status(204);
}

async fn an_erasure_leaves_the_emails_of_another_account(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut cookies = Vec::new();
    for subject in ["private", "work"] {
        let profile = Profile {
            issuer: "https://id.example".to_owned(),
            subject: subject.to_owned(),
            email: "ada@shop.example".to_owned(),
            email_verified: true,
            name: subject.to_owned(),
            roles: Vec::new(),
        };
        cookies.push(shop.begin_session(profile).await.unwrap());
    }
    let gone = shop.call("DELETE", "/api/me", &cookies[0], json!({ "confirm": "ada@shop.example" })).await;
    gone.assert_status(204);
    let mut reader = shop.app.db.read().await.unwrap();
    let queued: Vec<String> = shop_base::sql!(&mut reader.conn(), c =>
        sqlx::query_scalar("SELECT payload FROM jobs WHERE name = 'account_mail'").fetch_all(c).await)
    .unwrap();
    let named = |payload: &String| {
        let mail = serde_json::from_str::<Value>(payload).unwrap()["mail"].clone();
        (mail["kind"].as_str().unwrap().to_owned(), mail["name"].as_str().unwrap().to_owned())
    };
    let mails: BTreeSet<(String, String)> = queued.iter().map(named).collect();
    let told = [("account_deleted", "private"), ("welcome", "work")];
    assert_eq!(mails, told.map(|(kind, name)| (kind.to_owned(), name.to_owned())).into());
}

async fn an_age_proof_that_is_over_is_handed_out(shop: TestShop) {
    // A separate shop, since this test moves the clock.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("last-year", &["customer"]).await;
    let body = json!({ "birth_date": "1980-05-17", "user_id": "last-year", "preferred_state": "OH" });
    shop.call("POST", "/api/verify-age", &cookie, body).await.assert_status(200);
    shop.clock.advance(PROOF_VALID_MS);
    let cookie = shop.sign_in("last-year", &["customer"]).await;
    let data = shop.call("GET", "/api/me/export", &cookie, Value::Null).await.assert_status(200).json();
    assert_eq!((&data["profile"]["age"], &data["age"]["preferred_state"]), (&Value::Null, &json!("OH")));
}

async fn requests_that_an_erasure_overtakes_store_nothing(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("overtaken", &["customer"]).await;
    let row = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap();
    let session = Session::from(row);
    let gone = shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": "overtaken@shop.example" })).await;
    gone.assert_status(204);
    // Each of these was let in while the session was good.
    let profile = ProfileChange { name: Some("Ada".to_owned()), phone: Some("614 555 0142".to_owned()), user_id: None };
    let preferences = PreferencesChange { preferred_state: Some("OH".to_owned()), user_id: None };
    let new: NewAddress = serde_json::from_value(address()).unwrap();
    for outcome in [
        change_profile(&shop.app, &session, profile).await.map(drop),
        change_preferences(&shop.app, &session, preferences).await.map(drop),
        add_address(&shop.app, &session, &new).await.map(drop),
        prove(&shop.app, session.user_id, Some("OH".to_owned())).await,
    ] {
        assert!(matches!(outcome, Err(Error::Unauthorized)), "{outcome:?}");
    }
    const LEFT: &str = "SELECT COUNT(*) FROM users u WHERE u.deleted_at IS NOT NULL AND u.issuer <> ''
        AND (u.name <> '' OR u.phone <> '' OR u.preferred_state IS NOT NULL
            OR EXISTS (SELECT 1 FROM addresses a WHERE a.user_id = u.id)
            OR EXISTS (SELECT 1 FROM age_proofs p WHERE p.user_id = u.id))";
    assert_eq!(count(&shop, LEFT).await, 0);
}

async fn a_device_that_signs_in_during_an_erasure_is_forgotten(OnPostgres(shop): OnPostgres) {
    // With SQLite one of the two would wait for the other to end.
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("two-places", &["customer"]).await;
    let user = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
    let mut sign_in = shop.app.db.begin().await.unwrap();
    store::lock_account(&mut sign_in.conn(), user).await.unwrap();
    let now = shop.clock.now_ms();
    let session = store::NewSession {
        id: Uuid::now_v7(),
        user_id: user,
        token_hash: b"other",
        provider_session: None,
        tokens: None,
        refresh_at: None,
        authenticated_at: now,
        methods: &[],
        now,
        expires_at: now + 60_000,
        device: "Chrome on Android",
        network: "127.0.0.0",
    };
    store::insert_session(&mut sign_in.conn(), &session).await.unwrap();
    store::insert_device(&mut sign_in.conn(), user, session.device, now).await.unwrap();
    let erase = shop.call("DELETE", "/api/me", &cookie, json!({ "confirm": "two-places@shop.example" }));
    let (gone, ()) = tokio::join!(erase, async {
        until("the erasure waits for the sign-in", async || count(&shop, WAITING).await > 0).await;
        sign_in.commit().await.unwrap();
    });
    gone.assert_status(204);
    for left in [
        "SELECT COUNT(*) FROM user_devices d JOIN users u ON u.id = d.user_id WHERE u.deleted_at IS NOT NULL",
        "SELECT COUNT(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.deleted_at IS NOT NULL",
    ] {
        assert_eq!(count(&shop, left).await, 0, "{left}");
    }
}

/// The number of transactions that wait for another to end, with PostgreSQL.
const WAITING: &str =
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

async fn count(shop: &TestShop, statement: &'static str) -> i64 {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    shop_base::sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
}

async fn every_order_is_handed_out(shop: TestShop) {
    const INSERT: &str = "INSERT INTO orders (id, number, token, checkout_id, user_id, email, phone, status,
        payment_status, fulfillment_status, currency, subtotal, discount_total, shipping_total, tax_total, total,
        shipping_method, shipping_name, picked_up, address, adult_signature, compliance, age_proof, version, created_at,
        updated_at, placed_at)
        VALUES ($1, $2, $2, $1, $3, '', '614 555 0142', $4, 'not_paid', 'unfulfilled', 'USD', 0, 0, 0, 0, 0, '', '', TRUE,
        '{\"last_name\":\"Reed\"}', FALSE, '{}', '{\"on\":1}', 0, $5, $5, $6)";
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("regular", &["customer"]).await;
    let user = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
    let now = shop.clock.now_ms();
    let mut tx = shop.app.db.begin().await.unwrap();
    for at in 0..102 {
        let (status, placed_at) = if at == 0 { ("canceled", None) } else { ("placed", Some(now)) };
        let number = format!("T-{at}");
        shop_base::sql!(&mut tx.conn(), c => sqlx::query(INSERT).bind(Uuid::now_v7()).bind(&number).bind(user)
            .bind(status).bind(now).bind(placed_at).execute(c).await.map(drop))
        .unwrap();
    }
    tx.commit().await.unwrap();
    let data = shop.call("GET", "/api/me/export", &cookie, Value::Null).await.assert_status(200).json();
    let orders = data["orders"].as_array().unwrap();
    let numbers: BTreeSet<_> = orders.iter().map(|order| order["number"].as_str().unwrap()).collect();
    assert_eq!((orders.len(), numbers.len()), (102, 102), "also the one that was never placed");
    let shown = ["phone", "age_proof", "buyer"].map(|field| &orders[0][field]);
    assert_eq!(
        (shown[0], &shown[1]["on"], &shown[2]["last_name"]),
        (&json!("614 555 0142"), &json!(1), &json!("Reed"))
    );
    assert_eq!(data["devices"], json!(["Firefox on Linux"]));
}
