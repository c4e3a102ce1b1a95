//! The audit log keeps all entries in order and detects tampering.

use std::fs;

use serde_json::{Value, json};
use shop_base::db::Db;
use shop_base::role::Role;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::audit::service;
use shop_platform::audit::service::{Chain, Mark, PIECE, record, record_all};
use tracing::instrument::WithSubscriber;
use uuid::Uuid;

use crate::support::{Database, Test, TestShop, temporary_folder, until};
use crate::tests;

pub const TESTS: &[Test] = tests![
    entries_form_a_chain,
    nobody_changes_or_deletes_an_entry,
    a_forged_chain_shows,
    writers_at_once_leave_no_gap,
    a_tail_that_was_cut_off_shows,
    a_long_chain_is_verified_piece_by_piece,
    a_change_does_not_wait_until_others_are_logged,
    an_entry_leads_to_its_import,
    entries_of_each_kind_can_be_listed,
];

/// A separate shop with a staff member.
async fn shop_with_actor(shop: &TestShop) -> (TestShop, Actor) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    shop.sign_in("auditor", &["admin"]).await;
    let mut reader = shop.app.db.read().await.unwrap();
    let mut conn = reader.conn();
    let user_id = shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE subject = 'auditor'")
        .fetch_one(c).await)
    .unwrap();
    let actor =
        Actor { user_id, role: Role::Admin, network: "127.0.0.0".to_owned(), device: "Firefox on Linux".to_owned() };
    (shop, actor)
}

async fn write(shop: &TestShop, actor: &Actor, title: &str) {
    let mut tx = shop.app.db.begin().await.unwrap();
    let change = Change::new("product.update", Subject::new("product", 1, title), json!({ "title": title }));
    record(&mut tx.conn(), shop.app.clock.as_ref(), actor, &change).await.unwrap();
    tx.commit().await.unwrap();
}

/// As an import does.
async fn write_many(shop: &TestShop, actor: &Actor, count: i64) {
    let change = |at: i64| Change::new("product.update", Subject::new("product", at, "Pipe"), json!({ "price": at }));
    let changes: Vec<Change> = (0..count).map(change).collect();
    let mut tx = shop.app.db.begin().await.unwrap();
    record_all(&mut tx.conn(), shop.app.clock.as_ref(), actor, &changes).await.unwrap();
    tx.commit().await.unwrap();
}

/// The state of the whole chain.
pub async fn verify(db: &Db) -> Chain {
    let mut from = Mark::default();
    loop {
        match service::verify(db, &from).await.unwrap() {
            Chain::SoundUntil(mark) => from = mark,
            chain => return chain,
        }
    }
}

/// Lets entries be changed: the owner of the database can drop the triggers, but cannot make the hashes match.
async fn unlock(shop: &TestShop) {
    let statements: &[&str] = match shop.database {
        Database::Sqlite => &["DROP TRIGGER audit_entries_keep_update", "DROP TRIGGER audit_entries_keep_delete"],
        Database::Postgres => &["DROP TRIGGER audit_entries_keep ON audit_entries"],
    };
    for statement in statements {
        execute(shop, statement).await.unwrap();
    }
}

async fn execute(shop: &TestShop, statement: &'static str) -> Result<(), sqlx::Error> {
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    shop_base::sql!(&mut conn, c => sqlx::query(statement).execute(c).await.map(drop))?;
    tx.commit().await.unwrap();
    Ok(())
}

async fn entries_form_a_chain(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { entries: 0, .. }));
    for title in ["first", "second", "third"] {
        write(&shop, &actor, title).await;
    }
    let Chain::Sound { entries: 3, head } = verify(&shop.app.db).await else { panic!("three sound entries") };
    assert_eq!(head.len(), 64);
    // Entries of an uncommitted transaction are not in the log.
    let mut tx = shop.app.db.begin().await.unwrap();
    let change = Change::new("product.update", Subject::new("product", 1, "lost"), json!({}));
    record(&mut tx.conn(), shop.app.clock.as_ref(), &actor, &change).await.unwrap();
    drop(tx);
    assert_eq!(verify(&shop.app.db).await, Chain::Sound { entries: 3, head });
}

async fn nobody_changes_or_deletes_an_entry(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    write(&shop, &actor, "kept").await;
    for statement in ["UPDATE audit_entries SET actor_id = actor_id", "DELETE FROM audit_entries"] {
        let error = execute(&shop, statement).await.unwrap_err().to_string();
        assert!(error.contains("the audit log is append-only"), "{statement}: {error}");
    }
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { entries: 1, .. }));
}

async fn a_forged_chain_shows(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    for title in ["first", "second", "third"] {
        write(&shop, &actor, title).await;
    }
    unlock(&shop).await;
    execute(&shop, "UPDATE audit_entries SET role = 'staff' WHERE seq = 2").await.unwrap();
    assert_eq!(verify(&shop.app.db).await, Chain::Broken { seq: 2 });
    execute(&shop, "DELETE FROM audit_entries WHERE seq = 1").await.unwrap();
    assert_eq!(verify(&shop.app.db).await, Chain::Broken { seq: 1 });
}

async fn writers_at_once_leave_no_gap(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    let writers = (0..20).map(|writer| {
        let (shop, actor) = (shop.clone(), actor.clone());
        tokio::spawn(async move { write(&shop, &actor, &format!("writer {writer}")).await })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { entries: 20, .. }));
}

async fn a_tail_that_was_cut_off_shows(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    for title in ["first", "second", "third"] {
        write(&shop, &actor, title).await;
    }
    // The hash of a rolled-back entry is never published.
    let mut tx = shop.app.db.begin().await.unwrap();
    let change = Change::new("product.update", Subject::new("product", 1, "lost"), json!({}));
    record(&mut tx.conn(), shop.app.clock.as_ref(), &actor, &change).await.unwrap();
    drop(tx);
    shop.app.parts.audit_head.log(&shop.app.db).await.unwrap();
    write(&shop, &actor, "fourth").await;
    shop.app.parts.audit_head.log(&shop.app.db).await.unwrap();
    let check = async || shop.app.parts.audit_head.check(&shop.app.db, &Mark::default()).await.unwrap();
    assert!(matches!(check().await, Chain::Sound { entries: 4, .. }));
    let (unlock, lock): (&[&'static str], &'static str) = match shop.database {
        Database::Sqlite => (&["DROP TRIGGER audit_entries_keep_delete"], "SELECT 1"),
        Database::Postgres => (
            &["ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_keep"],
            "ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_keep",
        ),
    };
    for statement in unlock.iter().chain(&["DELETE FROM audit_entries WHERE seq = 4", lock]) {
        execute(&shop, statement).await.unwrap();
    }
    assert!(matches!(verify(&shop.app.db).await, Chain::Sound { entries: 3, .. }), "by itself it is sound");
    assert_eq!(check().await, Chain::Broken { seq: 4 });
    // A different entry in place of the missing one does not hide the gap, nor do those after it.
    let log = temporary_folder().join("log");
    let listening = tracing_subscriber::fmt().with_ansi(false).with_writer(fs::File::create(&log).unwrap()).finish();
    let looking = async {
        for title in ["instead", "another", "third"] {
            write(&shop, &actor, title).await;
            shop.app.parts.audit_head.log(&shop.app.db).await.unwrap();
            assert_eq!(check().await, Chain::Broken { seq: 4 }, "{title}");
        }
    };
    looking.with_subscriber(listening).await;
    let log = fs::read_to_string(log).unwrap();
    assert_eq!(log.matches("the audit log is no longer what it was").count(), 3, "{log}");
    for seq in 4..=6 {
        assert_eq!(log.matches(&format!("audit seq={seq} ")).count(), 1, "{log}");
    }
}

async fn a_long_chain_is_verified_piece_by_piece(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    let cookie = shop.sign_in("auditor", &["admin"]).await;
    let entries = PIECE + 10;
    write_many(&shop, &actor, entries).await;
    let ask = async |query: &str| {
        let path = format!("/api/admin/audit/chain{query}");
        shop.call("GET", &path, &cookie, Value::Null).await.assert_status(200).json()
    };
    let state = |answer: &Value| ["is_sound", "is_complete", "seq"].map(|name| answer[name].clone());
    let first = ask("").await;
    assert_eq!(state(&first), [json!(true), json!(false), json!(PIECE)]);
    let rest = format!("?after={PIECE}&head={}", first["head"].as_str().unwrap());
    assert_eq!(state(&ask(&rest).await), [json!(true), json!(true), json!(entries)]);

    unlock(&shop).await;
    let forge = "UPDATE audit_entries SET role = 'staff' WHERE seq = (SELECT MAX(seq) - 3 FROM audit_entries)";
    execute(&shop, forge).await.unwrap();
    assert_eq!(state(&ask("").await), state(&first));
    assert_eq!(state(&ask(&rest).await), [json!(false), json!(true), json!(entries - 3)]);
    let delete = "DELETE FROM audit_entries WHERE seq = (SELECT MAX(seq) - 10 FROM audit_entries)";
    execute(&shop, delete).await.unwrap();
    assert_eq!(state(&ask(&rest).await), [json!(false), json!(true), json!(PIECE)], "what was verified is gone");
    let nowhere = ask(&format!("?after={}", entries + 1)).await;
    assert_eq!(nowhere["is_sound"], false);
    assert_eq!(ask("?after=-1").await["is_sound"], false);
    let answer = shop.call("GET", "/api/admin/audit/chain?after=first", &cookie, Value::Null).await;
    answer.assert_problem(422, "invalid");
}

async fn a_change_does_not_wait_until_others_are_logged(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    let cookie = shop.sign_in("auditor", &["admin"]).await;
    let log = temporary_folder().join("log");
    let listening = tracing_subscriber::fmt().with_ansi(false).with_writer(fs::File::create(&log).unwrap()).finish();
    let logged = || fs::read_to_string(&log).unwrap().matches("audit seq=").count();
    let changing = async {
        write_many(&shop, &actor, 2_500).await;
        let code = json!({ "code": "LOGGED", "kind": "percent", "value": 1_000, "active": true });
        shop.call("POST", "/api/admin/settings/promotions", &cookie, code).await.assert_status(204);
        shop.call("GET", "/api/admin/products.csv", &cookie, Value::Null).await.assert_status(200);
        assert_eq!(logged(), 0, "nobody has waited for it");
        tokio::select! {
            () = shop.app.parts.audit_head.follow(&shop.app.db) => panic!("it ended"),
            () = until("each entry is logged", async || logged() == 2_502) => {}
        }
    };
    changing.with_subscriber(listening).await;
}

async fn an_entry_leads_to_its_import(shop: TestShop) {
    let (shop, actor) = shop_with_actor(&shop).await;
    let id = Uuid::now_v7();
    let mut tx = shop.app.db.begin().await.unwrap();
    let change = Change::new("products.import", Subject::new("import", id, "products.csv"), json!({}));
    record(&mut tx.conn(), shop.app.clock.as_ref(), &actor, &change).await.unwrap();
    tx.commit().await.unwrap();
    let cookie = shop.sign_in("auditor", &["admin"]).await;
    let page = shop.call("GET", "/admin/audit/_payload.json", &cookie, Value::Null).await.assert_status(200).json();
    assert_eq!(page["props"]["entries"][0]["href"], format!("/admin/products/import?id={id}"));
}

async fn entries_of_each_kind_can_be_listed(shop: TestShop) {
    const KINDS: [&str; 17] = [
        "order",
        "draft_order",
        "product",
        "variant",
        "picture",
        "import",
        "category",
        "collection",
        "user",
        "setting",
        "saved_view",
        "job",
        "webhook",
        "testing",
        "analytics",
        "delivery",
        "audit_entry",
    ];
    let (shop, actor) = shop_with_actor(&shop).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    for kind in KINDS {
        let change = Change::new("some.change", Subject::new(kind, Uuid::now_v7(), kind), json!({}));
        record(&mut tx.conn(), shop.app.clock.as_ref(), &actor, &change).await.unwrap();
    }
    tx.commit().await.unwrap();
    let cookie = shop.sign_in("auditor", &["admin"]).await;
    for kind in KINDS {
        let path = format!("/admin/audit/_payload.json?kind={kind}");
        let page = shop.call("GET", &path, &cookie, Value::Null).await.assert_status(200).json();
        let found = page["props"]["entries"].as_array().unwrap();
        assert!(found.len() == 1 && found[0]["kind"] == kind, "{kind}: {} entries", found.len());
    }
    let path = "/admin/audit/_payload.json?kind=order&kind=product";
    let page = shop.call("GET", path, &cookie, Value::Null).await.assert_status(200).json();
    let found: Vec<&Value> = page["props"]["entries"].as_array().unwrap().iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(found, ["product", "order"], "{page}");
}
