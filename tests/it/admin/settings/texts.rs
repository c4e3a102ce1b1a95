//! Legal texts and company details.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use shop_base::db::Purpose;
use shop_base::sql;
use shop_domain::catalog::changes::Change;
use tokio::task::JoinSet;

use super::{last_entry, props};
use crate::support::{Database, OnPostgres, Test, TestShop, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_text_is_written_previewed_published_and_restored,
    a_text_holds_from_its_day_on,
    a_text_is_withdrawn_on_every_node_until_it_is_in_force,
    a_built_in_text_of_a_later_day_is_in_force,
    two_writers_do_not_overwrite_each_other,
    a_first_draft_is_refused_once_another_text_is_published,
    words_of_staff_stand_in_emails_until_they_are_taken_back,
    the_company_is_said_on_every_page_and_every_node,
    a_change_that_is_sent_twice_at_once_is_made_once,
    what_is_saved_without_a_change_is_none,
    what_could_not_be_read_after_a_change_is_read_again,
    other_nodes_are_told_of_a_change_until_they_are,
];

const CALL: &str = "/api/admin/settings/legal/terms-of-service";
const PAGE: &str = "/admin/settings/legal?document=terms-of-service";
const SHOWN: &str = "/content/legal/terms-of-service";
const DAY_MS: i64 = 86_400_000;

fn text(version: i64, body: &str) -> Value {
    json!({ "title": "Terms of Trade", "body": format!("{body}\n\n## A section\n\nOf {{{{company}}}}, for adults."), "version": version })
}

/// The text that shoppers see.
async fn shown(shop: &TestShop) -> String {
    let answer = shop.get_verified(&format!("{SHOWN}/_payload.json")).await;
    let props = answer.assert_status(200).json()["props"].clone();
    format!("{} {}", props["title"].as_str().unwrap(), props["html"].as_str().unwrap())
}

/// The day of the text's last change, as the sitemap has it.
async fn dated(shop: &TestShop) -> String {
    let sitemap = shop.get("/sitemap.xml").await;
    let rest = sitemap.text().split(&format!("{SHOWN}</loc><lastmod>")).nth(1).unwrap();
    rest[..10].to_owned()
}

/// The version of the draft.
async fn draft(shop: &TestShop, cookie: &str) -> i64 {
    props(shop, cookie, PAGE).await["draft_version"].as_i64().unwrap()
}

async fn a_text_is_written_previewed_published_and_restored(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("writer", &["admin"]).await;
    let old = shown(&shop).await;
    let page = props(&shop, &cookie, PAGE).await;
    assert_eq!((&page["draft_version"], page["editions"].as_array().unwrap().len()), (&json!(0), 1));

    let hostile = text(0, "New terms <script>alert(1)</script> [x](javascript:alert)");
    let preview =
        shop.call("POST", &format!("{CALL}/preview"), &cookie, hostile.clone()).await.assert_status(200).json();
    let html = preview["html"].as_str().unwrap();
    assert!(html.contains("<h2 id=\"a-section\">") && html.contains("Cardinal &amp; Briar"), "{html}");
    assert!(!html.contains("<script") && !html.contains("javascript:"), "{html}");

    shop.call("PUT", &format!("{CALL}/draft"), &cookie, hostile).await.assert_status(204);
    assert_eq!(last_entry(&shop).await.0, "legal.draft");
    assert_eq!(shown(&shop).await, old, "a draft is not shown");
    let publication = json!({ "version": draft(&shop, &cookie).await, "effective_from": "2026-11-21" });
    shop.call("POST", &format!("{CALL}/publish"), &cookie, publication.clone()).await.assert_status(204);
    let (action, _, after) = last_entry(&shop).await;
    assert_eq!((action.as_str(), &after["number"]), ("legal.publish", &json!(1)));
    let new = shown(&shop).await;
    assert!(new.starts_with("Terms of Trade") && new.contains(&html[html.len() - 40..]), "as the preview was: {new}");
    // Sent again because its answer was lost, it is what was published; for another day, it is not.
    shop.call("POST", &format!("{CALL}/publish"), &cookie, publication.clone()).await.assert_status(204);
    let mut other = publication.clone();
    other["effective_from"] = json!("2026-11-22");
    shop.call("POST", &format!("{CALL}/publish"), &cookie, other).await.assert_problem(409, "changed_meanwhile");
    // In another tab, nobody is told that the draft was discarded.
    shop.call("POST", &format!("{CALL}/discard"), &cookie, publication).await.assert_problem(409, "changed_meanwhile");

    let page = props(&shop, &cookie, PAGE).await;
    assert_eq!(page["editions"].as_array().unwrap().len(), 2);
    assert_eq!(page["editions"][0]["published_by"], "Test writer");
    assert_eq!((&page["editions"][0]["is_in_force"], &page["draft_version"]), (&json!(true), &json!(0)));
    shop.clock.advance(1_000);
    let restoration = json!({ "number": 0, "version": 0 });
    shop.call("POST", &format!("{CALL}/restore"), &cookie, restoration).await.assert_status(204);
    let publication = json!({ "version": draft(&shop, &cookie).await, "effective_from": "2026-11-21" });
    shop.call("POST", &format!("{CALL}/publish"), &cookie, publication).await.assert_status(204);
    assert_eq!(shown(&shop).await, old);
    assert_eq!(props(&shop, &cookie, PAGE).await["editions"].as_array().unwrap().len(), 3, "nothing is lost");
    // A version is read without a draft.
    let view = async |number: i64| {
        let body = json!({ "title": "", "body": "", "number": number });
        shop.call("POST", &format!("{CALL}/preview"), &cookie, body).await
    };
    let read = view(1).await.assert_status(200).json();
    assert_eq!((&read["title"], &read["html"]), (&json!("Terms of Trade"), &preview["html"]));
    assert!(old.contains(view(0).await.assert_status(200).json()["html"].as_str().unwrap()));
    view(3).await.assert_problem(422, "invalid");
    assert_eq!(draft(&shop, &cookie).await, 0);
}

async fn a_text_holds_from_its_day_on(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("writer", &["admin"]).await;
    shop.call("PUT", &format!("{CALL}/draft"), &cookie, text(0, "Terms of the day after")).await.assert_status(204);
    let version = draft(&shop, &cookie).await;
    for day in ["2026-11-20", "", "soon"] {
        let answer = shop
            .call("POST", &format!("{CALL}/publish"), &cookie, json!({ "version": version, "effective_from": day }))
            .await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"]["effective_from"].is_array(), "{day}");
    }
    let publication = json!({ "version": version, "effective_from": "2026-11-22" });
    shop.call("POST", &format!("{CALL}/publish"), &cookie, publication.clone()).await.assert_status(204);
    assert!(!shown(&shop).await.contains("the day after"));
    assert_ne!(dated(&shop).await, "2026-11-22");
    shop.clock.advance(DAY_MS);
    assert!(shown(&shop).await.contains("Terms of the day after"));
    assert_eq!(dated(&shop).await, "2026-11-22");
    // Sent again on a later day, it is still what was published; another draft for that day is not.
    shop.clock.advance(DAY_MS);
    let cookie = shop.sign_in("writer", &["admin"]).await;
    shop.call("POST", &format!("{CALL}/publish"), &cookie, publication.clone()).await.assert_status(204);
    let mut other = publication;
    other["version"] = json!(version + 1);
    shop.call("POST", &format!("{CALL}/publish"), &cookie, other).await.assert_problem(422, "invalid");
    assert_eq!(props(&shop, &cookie, PAGE).await["editions"].as_array().unwrap().len(), 2);
    // A node that starts later shows the same.
    assert!(shown(&shop.another_node().await).await.contains("Terms of the day after"));
    // A correction holds until the day of a scheduled version. Of two for one day, the one published last holds.
    for (body, day) in
        [("Scheduled", "2026-11-24"), ("Corrected", "2026-11-23"), ("Scheduled and corrected", "2026-11-24")]
    {
        shop.clock.advance(1_000);
        shop.call("PUT", &format!("{CALL}/draft"), &cookie, text(0, body)).await.assert_status(204);
        let publication = json!({ "version": draft(&shop, &cookie).await, "effective_from": day });
        shop.call("POST", &format!("{CALL}/publish"), &cookie, publication).await.assert_status(204);
    }
    assert!(shown(&shop).await.contains("<p>Corrected</p>"));
    shop.clock.advance(DAY_MS);
    assert!(shown(&shop).await.contains("<p>Scheduled and corrected</p>"));
}

async fn a_text_is_withdrawn_on_every_node_until_it_is_in_force(shop: TestShop) {
    let (nodes, _followers) = following(&shop).await;
    let (shop, last) = (&nodes[0], &nodes[nodes.len() - 1]);
    let cookie = shop.sign_in("writer", &["admin"]).await;
    let old = shown(shop).await;
    for node in &nodes {
        assert_ne!(dated(node).await, "2026-11-21");
    }
    let publish = async |body: &str, day: &str| {
        shop.call("PUT", &format!("{CALL}/draft"), &cookie, text(0, body)).await.assert_status(204);
        let publication = json!({ "version": draft(shop, &cookie).await, "effective_from": day });
        shop.call("POST", &format!("{CALL}/publish"), &cookie, publication.clone()).await.assert_status(204);
        publication
    };
    let publication = publish("Terms of a wrong day", "2026-11-23").await;
    assert_eq!(props(shop, &cookie, PAGE).await["editions"][0]["is_coming"], true);
    until("all nodes know it", async || last.app.texts().legal == shop.app.texts().legal).await;

    let withdraw =
        async |number: i64| shop.call("POST", &format!("{CALL}/withdraw"), &cookie, json!({ "number": number })).await;
    withdraw(1).await.assert_status(204);
    shop.clock.advance(60_000);
    // Sent again because its answer was lost, or from another tab, it changes nothing.
    withdraw(1).await.assert_status(204);
    let withdrawal = ("legal.withdraw".to_owned(), json!({ "number": 1, "effective_from": "2026-11-23" }), json!({}));
    assert_eq!(last_entry(shop).await, withdrawal);
    let edition = props(shop, &cookie, PAGE).await["editions"][0].clone();
    assert_eq!((&edition["number"], &edition["effective_from"]), (&json!(1), &json!("2026-11-23")));
    assert_eq!((&edition["is_coming"], &edition["withdrawn_by"]), (&json!(false), &json!("Test writer")));
    assert_eq!(edition["withdrawn_at"], "2026-11-21T12:00:00");
    let again = shop.call("POST", &format!("{CALL}/publish"), &cookie, publication).await;
    again.assert_problem(409, "changed_meanwhile");

    publish("Terms of today", "2026-11-21").await;
    withdraw(2).await.assert_problem(409, "in_force");
    for unknown in [0, 3] {
        withdraw(unknown).await.assert_problem(422, "invalid");
    }
    let current = shown(shop).await;
    assert!(current.contains("Terms of today") && current != old, "{current}");
    // Its text is not lost.
    let restoration = json!({ "number": 1, "version": 0 });
    shop.call("POST", &format!("{CALL}/restore"), &cookie, restoration).await.assert_status(204);
    assert!(props(shop, &cookie, PAGE).await["body"].as_str().unwrap().starts_with("Terms of a wrong day"));

    until("all nodes know that, too", async || last.app.texts().legal == shop.app.texts().legal).await;
    for node in &nodes {
        assert_eq!(dated(node).await, "2026-11-21");
    }
    shop.clock.advance(3 * DAY_MS);
    for node in &nodes {
        assert_eq!(shown(node).await, current);
    }
}

/// A release may come with the text of the next day.
async fn a_built_in_text_of_a_later_day_is_in_force(shop: TestShop) {
    let cookie = shop.sign_in("writer", &["admin"]).await;
    let edition = &props(&shop, &cookie, "/admin/settings/legal?document=privacy-policy").await["editions"][0];
    assert!(edition["effective_from"].as_str().unwrap() > "2026-11-21");
    assert_eq!((&edition["is_in_force"], &edition["is_coming"]), (&json!(true), &json!(false)));
}

async fn two_writers_do_not_overwrite_each_other(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("writer", &["admin"]).await;
    let save = async |version, body| shop.call("PUT", &format!("{CALL}/draft"), &cookie, text(version, body)).await;
    save(0, "The first writer's text").await.assert_status(204);
    save(0, "The second writer's text").await.assert_problem(409, "changed_meanwhile");
    // Sent again because its answer was lost, it is what is stored.
    save(0, "The first writer's text").await.assert_status(204);
    let first = draft(&shop, &cookie).await;
    save(first, "The first writer's better text").await.assert_status(204);
    save(first, "The second writer's text").await.assert_problem(409, "changed_meanwhile");
    let page = props(&shop, &cookie, PAGE).await;
    assert!(page["body"].as_str().unwrap().starts_with("The first writer's better text"));
    let act = async |act: &str, version: i64| {
        let body = json!({ "version": version, "effective_from": "2026-11-21" });
        shop.call("POST", &format!("{CALL}/{act}"), &cookie, body).await
    };
    act("discard", first).await.assert_problem(409, "changed_meanwhile");
    let second = draft(&shop, &cookie).await;
    act("discard", second).await.assert_status(204);
    // The log has what is gone.
    let (action, before, _) = last_entry(&shop).await;
    assert_eq!((action.as_str(), &before["title"]), ("legal.discard", &json!("Terms of Trade")));
    assert!(before["body"].as_str().unwrap().starts_with("The first writer's better text"), "{before}");
    act("discard", second).await.assert_status(204);
    save(second, "A text upon a draft that is gone").await.assert_problem(409, "changed_meanwhile");
    // The next draft is another one, in each of its versions.
    shop.clock.advance(1_000);
    save(0, "The third writer's unfinished text").await.assert_status(204);
    for version in [first, second] {
        save(version, "The first writer's text").await.assert_problem(409, "changed_meanwhile");
        act("publish", version).await.assert_problem(409, "changed_meanwhile");
    }
    for wrong in [
        json!({ "title": "", "body": "Long enough to be a text." }),
        json!({ "title": "Terms", "body": "{{nobody}} and more." }),
    ] {
        shop.call("PUT", &format!("{CALL}/draft"), &cookie, wrong).await.assert_problem(422, "invalid");
    }
    let unknown = shop.call("PUT", "/api/admin/settings/legal/no-text/draft", &cookie, text(0, "x")).await;
    unknown.assert_problem(404, "not_found");
    let restoration = json!({ "number": 0, "version": draft(&shop, &cookie).await });
    shop.call("POST", &format!("{CALL}/restore"), &cookie, restoration).await.assert_status(204);
    let (action, before, _) = last_entry(&shop).await;
    assert_eq!((action.as_str(), &before["title"]), ("legal.restore", &json!("Terms of Trade")));
    assert!(before["body"].as_str().unwrap().starts_with("The third writer's unfinished text"), "{before}");
}

async fn a_first_draft_is_refused_once_another_text_is_published(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("writer", &["admin"]).await;
    let save = async |edition: i64| {
        let mut body = text(0, "The first writer's text");
        body["edition"] = json!(edition);
        shop.call("PUT", &format!("{CALL}/draft"), &cookie, body).await
    };
    let restore = async |edition: i64| {
        let body = json!({ "number": 0, "version": 0, "edition": edition });
        shop.call("POST", &format!("{CALL}/restore"), &cookie, body).await
    };
    let seen = props(&shop, &cookie, PAGE).await["editions"][0]["number"].as_i64().unwrap();
    let second = text(0, "The second writer's text");
    shop.call("PUT", &format!("{CALL}/draft"), &cookie, second).await.assert_status(204);
    // One for a later day counts, too.
    let publication = json!({ "version": draft(&shop, &cookie).await, "effective_from": "2026-11-22" });
    shop.call("POST", &format!("{CALL}/publish"), &cookie, publication).await.assert_status(204);
    save(seen).await.assert_problem(409, "changed_meanwhile");
    restore(seen).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(draft(&shop, &cookie).await, 0, "nothing is stored");
    shop.clock.advance(1_000);
    save(seen + 1).await.assert_status(204);
    // Sent again because its answer was lost, it is what is stored.
    save(seen + 1).await.assert_status(204);
    let version = json!({ "version": draft(&shop, &cookie).await });
    shop.call("POST", &format!("{CALL}/discard"), &cookie, version).await.assert_status(204);
    restore(seen + 1).await.assert_status(204);
}

async fn words_of_staff_stand_in_emails_until_they_are_taken_back(shop: TestShop) {
    const CALL: &str = "/api/admin/settings/mail";
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("penman", &["admin"]).await;
    let email = shop_platform::mail::samples::sample("order_shipped", "now").unwrap();
    let built_in = shop.app.mail().write(&email).await.unwrap();
    let words = json!({
        "subject": "{{number}} has left {{company}}", "opening": "Good news <b>for you</b>.\n\nVery good.",
        "closing": "Ask {{email}}.",
    });
    let path = format!("{CALL}/order_shipped");
    let preview = shop.call("POST", &format!("{path}/preview"), &cookie, words.clone()).await.assert_status(200).json();
    let version = props(&shop, &cookie, "/admin/settings/mail").await["version"].clone();
    let body = json!({ "version": version, "words": words });
    shop.call("PUT", &path, &cookie, body.clone()).await.assert_status(204);
    // The same again, because its answer was lost, is what is stored.
    shop.call("PUT", &path, &cookie, body.clone()).await.assert_status(204);
    let mut others = body;
    others["words"]["closing"] = json!("Call us.");
    shop.call("PUT", &path, &cookie, others).await.assert_problem(409, "changed_meanwhile");
    assert_eq!(last_entry(&shop).await.0, "mail.update");
    let written = shop.app.mail().write(&email).await.unwrap();
    assert_eq!(
        (preview["subject"].as_str(), preview["text"].as_str()),
        (Some(&*written.subject), Some(&*written.text))
    );
    assert!(written.subject.ends_with("has left Cardinal & Briar"), "{}", written.subject);
    let place = |text: &str| written.text.find(text).unwrap_or_else(|| panic!("{text} in {}", written.text));
    assert!(place("Good news <b>for you</b>.") < place("Very good.") && place("Very good.") < place("Ask care@"));
    assert!(written.html.contains("Good news &lt;b&gt;for you&lt;/b&gt;."), "it stays text");

    for (kind, words, status) in [
        ("order_shipped", json!({ "subject": "{{name}}" }), 422),
        ("welcome", json!({ "closing": "{{number}}" }), 422),
        ("welcome", json!({ "opening": "Hello\u{0}" }), 422),
        ("no_such", json!({}), 404),
    ] {
        let body = json!({ "version": 2, "words": words });
        assert_eq!(shop.call("PUT", &format!("{CALL}/{kind}"), &cookie, body).await.status, status, "{kind}");
    }
    let version = props(&shop, &cookie, "/admin/settings/mail").await["version"].clone();
    let none = json!({ "version": version, "words": { "subject": "", "opening": "", "closing": "" } });
    shop.call("PUT", &path, &cookie, none).await.assert_status(204);
    let again = shop.app.mail().write(&email).await.unwrap();
    assert_eq!((again.subject, again.text), (built_in.subject, built_in.text));
}

async fn the_company_is_said_on_every_page_and_every_node(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("speaker", &["admin"]).await;
    shop.get_verified("/").await.assert_status(200);
    let icon = shop.get("/apple-touch-icon.png").await.assert_status(200).body.clone();
    let other = shop.another_node().await;
    other.get_verified("/cart").await.assert_status(200);
    let follower = {
        let app = other.app.clone();
        tokio::spawn(async move {
            app.parts.settings.follow(&app, || app.parts.catalog.changes.note(&Change::everything())).await
        })
    };
    let version = props(&shop, &cookie, "/admin/settings/company").await["version"].clone();
    let texts = json!({
        "name": "Reed & Sons", "email": "", "phone": "", "address": "80 Broad Street, Columbus, OH 43215",
        "legal_line": "For adults. License 12345.",
    });
    let body = json!({ "version": version, "texts": texts });
    shop.call("PUT", "/api/admin/settings/company", &cookie, body.clone()).await.assert_status(204);
    // The same again, because its answer was lost, is what is stored.
    shop.call("PUT", "/api/admin/settings/company", &cookie, body.clone()).await.assert_status(204);
    let mut others = body;
    others["texts"]["name"] = json!("Reed & Daughters");
    shop.call("PUT", "/api/admin/settings/company", &cookie, others).await.assert_problem(409, "changed_meanwhile");
    let (action, before, after) = last_entry(&shop).await;
    assert_eq!(
        (action.as_str(), &before["name"], &after["name"]),
        ("company.update", &json!(""), &json!("Reed & Sons"))
    );
    let home = shop.get_verified("/").await.envelope();
    assert_eq!(home["shared"]["company"]["name"], "Reed & Sons");
    assert_eq!(home["shared"]["company"]["legal_line"], "For adults. License 12345.");
    assert_eq!(home["shared"]["company"]["email"], shop.app.config.company.email.as_str());
    assert!(shown(&shop).await.contains("Reed &amp; Sons"));
    assert_ne!(shop.get("/apple-touch-icon.png").await.assert_status(200).body, icon, "it has the initials");
    let form = props(&shop, &cookie, "/admin/orders/new").await;
    assert_eq!(form["store_address"], "80 Broad Street, Columbus, OH 43215");
    if shop.database == crate::support::Database::Postgres {
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while other.app.texts().company.name != "Reed & Sons" {
            assert!(std::time::Instant::now() < deadline, "the other node never heard");
            shop.app.parts.settings.changed(&shop.app).await;
            tokio::task::yield_now().await;
        }
        // A moment after the texts are new.
        let shown = async || other.get_verified("/cart").await.envelope()["shared"]["company"]["name"] == "Reed & Sons";
        until("its kept page is forgotten", shown).await;
    }
    follower.abort();
    for (field, value) in [("email", "counter"), ("phone", "12"), ("name", "Two\nlines")] {
        let version = props(&shop, &cookie, "/admin/settings/company").await["version"].clone();
        let mut body = json!({ "version": version, "texts": texts_of("Reed & Sons") });
        body["texts"][field] = json!(value);
        let answer = shop.call("PUT", "/api/admin/settings/company", &cookie, body).await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
}

/// Because its answer seemed to be lost. On PostgreSQL both requests have begun before either is done.
async fn a_change_that_is_sent_twice_at_once_is_made_once(shop: TestShop) {
    const WAITING: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("hasty", &["admin"]).await;
    for (page, path, mut body) in [
        ("company", "company", json!({ "texts": texts_of("Reed & Sons") })),
        ("mail", "mail/welcome", json!({ "words": { "subject": "Welcome" } })),
        ("reports", "compliance/classes/smoking_accessory", json!({ "is_reported": false })),
    ] {
        body["version"] = props(&shop, &cookie, &format!("/admin/settings/{page}")).await["version"].clone();
        let path = format!("/api/admin/settings/{path}");
        let send = || shop.call("PUT", &path, &cookie, body.clone());
        let (one, other) = if shop.database == Database::Postgres {
            let mut held = shop.app.db.begin().await.unwrap();
            let hold = "UPDATE settings SET updated_at = updated_at";
            sql!(&mut held.conn(), c => sqlx::query(hold).execute(c).await.map(drop)).unwrap();
            let release = async {
                until("both wait", async || count(&shop, WAITING).await == 2).await;
                held.commit().await.unwrap();
            };
            let (one, other, ()) = tokio::join!(send(), send(), release);
            (one, other)
        } else {
            tokio::join!(send(), send())
        };
        one.assert_status(204);
        other.assert_status(204);
    }
    const MADE: &str = "SELECT COUNT(*) FROM audit_entries
        WHERE action IN ('company.update', 'mail.update', 'compliance.report_class')";
    assert_eq!(count(&shop, MADE).await, 3);
}

/// Others' forms do not get out of date by it, and kept pages stay.
async fn what_is_saved_without_a_change_is_none(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("hasty", &["admin"]).await;
    let table = props(&shop, &cookie, "/admin/settings/shipping").await["table"].clone();
    for (page, path, mut body) in [
        ("company", "company", json!({ "texts": texts_of("") })),
        ("mail", "mail/welcome", json!({ "words": { "subject": " " } })),
        ("shipping", "shipping", json!({ "table": table })),
    ] {
        let page = format!("/admin/settings/{page}");
        body["version"] = props(&shop, &cookie, &page).await["version"].clone();
        shop.call("PUT", &format!("/api/admin/settings/{path}"), &cookie, body.clone()).await.assert_status(204);
        assert_eq!(props(&shop, &cookie, &page).await["version"], body["version"], "{path}");
    }
    assert_eq!(count(&shop, "SELECT COUNT(*) FROM audit_entries").await, 0);
}

async fn count(shop: &TestShop, statement: &'static str) -> i64 {
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    sql!(&mut conn, c => sqlx::query_scalar(statement).fetch_one(c).await).unwrap()
}

/// A shop and, if the database can have it, another node, which follow changes.
async fn following(shop: &TestShop) -> (Vec<TestShop>, JoinSet<()>) {
    let mut nodes = vec![TestShop::with(shop.database, |_| {}).await];
    if shop.database == Database::Postgres {
        nodes.push(nodes[0].another_node().await);
    }
    let (mut followers, refreshed) = (JoinSet::new(), Arc::new(AtomicUsize::new(0)));
    for node in &nodes {
        let (app, refreshed) = (node.app.clone(), Arc::clone(&refreshed));
        let note = move |app: &shop::app::App| {
            app.parts.catalog.changes.note(&Change::everything());
            refreshed.fetch_add(1, Ordering::Relaxed);
        };
        followers.spawn(async move { app.parts.settings.follow(&app, || note(&app)).await });
    }
    // A node that begins to listen to others reads the settings once.
    let listening = if shop.database == Database::Postgres { nodes.len() } else { 0 };
    until("all listen", async || refreshed.load(Ordering::Relaxed) >= listening).await;
    (nodes, followers)
}

async fn execute(shop: &TestShop, statement: &'static str) {
    let mut tx = shop.app.db.begin().await.unwrap();
    sql!(&mut tx.conn(), c => sqlx::query(statement).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
}

/// The company's texts, of which staff have changed only the name.
fn texts_of(name: &str) -> Value {
    json!({ "name": name, "email": "", "phone": "", "address": "", "legal_line": "" })
}

async fn name_on_a_page(shop: &TestShop) -> Value {
    shop.get_verified("/cart").await.assert_status(200).envelope()["shared"]["company"]["name"].clone()
}

async fn what_could_not_be_read_after_a_change_is_read_again(shop: TestShop) {
    let (nodes, _followers) = following(&shop).await;
    let shop = &nodes[0];
    let cookie = shop.sign_in("speaker", &["admin"]).await;
    let version = props(shop, &cookie, "/admin/settings/company").await["version"].clone();
    execute(shop, "UPDATE settings SET value = '{' WHERE name = 'mail'").await;
    let body = json!({ "version": version, "texts": texts_of("Reed & Sons") });
    shop.call("PUT", "/api/admin/settings/company", &cookie, body).await.assert_status(204);
    assert_eq!(name_on_a_page(shop).await, "Cardinal & Briar", "the texts could not be read");
    execute(shop, "UPDATE settings SET value = '{}' WHERE name = 'mail'").await;
    for node in &nodes {
        until("the change is shown", async || name_on_a_page(node).await == "Reed & Sons").await;
    }
}

async fn other_nodes_are_told_of_a_change_until_they_are(OnPostgres(shop): OnPostgres) {
    let (nodes, _followers) = following(&shop).await;
    let (shop, other) = (&nodes[0], &nodes[1]);
    const STORED: &str = r#"UPDATE settings
        SET value = '{"name":"Reed & Sons","email":"","phone":"","address":"","legal_line":""}' WHERE name = 'company'"#;
    execute(shop, STORED).await;
    let mut taken = Vec::new();
    for (purpose, name) in [(Purpose::Staff, "Staff"), (Purpose::Lists, "Lists")] {
        let db = shop.app.db.of(purpose);
        let most = db.pools().iter().find(|pool| pool.name == name).unwrap().most;
        for _ in 0..most {
            taken.push(db.read().await.unwrap());
        }
    }
    shop.app.parts.settings.changed(&shop.app.for_staff()).await;
    assert_eq!(other.app.texts().company.name, "Cardinal & Briar", "no connection was free to tell it");
    drop(taken);
    for node in &nodes {
        until("the change is shown", async || name_on_a_page(node).await == "Reed & Sons").await;
    }
}
