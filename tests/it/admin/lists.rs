//! Features that all lists of the admin area share, tested with the audit log: paging, filters, views, exports; and the global search.

use serde_json::{Value, json};
use shop_base::db::Conn;
use shop_base::db::list::{Filter, count};
use shop_base::role::Role;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::audit::service::record;
use shop_platform::staff_search::model::Kind;
use shop_platform::staff_search::service as search_terms;

use crate::support::{Test, TestShop};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_list_is_paged_in_both_directions_without_gap_or_double,
    a_page_whose_rows_are_gone_leads_to_the_first,
    filters_narrow_a_list_and_stand_in_its_address,
    a_search_of_a_long_log_says_how_far_it_went,
    views_are_ones_own_unless_shared,
    what_staff_do_to_shared_views_is_recorded,
    a_view_is_checked,
    a_view_is_replaced_only_if_that_was_asked_for,
    a_view_is_replaced_also_when_there_can_be_no_more,
    only_so_many_views_are_shared,
    a_file_holds_all_rows_and_no_formula,
    everything_is_found_by_the_beginnings_of_words,
    a_search_finds_the_same_however_many_there_are,
];

/// A separate shop with an admin and this many entries, one per minute.
async fn shop_with_entries(shop: &TestShop, entries: usize) -> (TestShop, String) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    shop.sign_in("lister", &["admin"]).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let user_id = shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE subject = 'lister'")
        .fetch_one(c).await)
    .unwrap();
    let actor = Actor { user_id, role: Role::Admin, network: "127.0.0.0".to_owned(), device: "Firefox".to_owned() };
    for entry in 0..entries {
        let kind = ["order", "product", "setting"][entry % 3];
        let change =
            Change::new("thing.change", Subject::new(kind, entry, format!("=thing {entry}")), json!({ "n": entry }));
        record(&mut conn, shop.app.clock.as_ref(), &actor, &change).await.unwrap();
        shop.clock.advance(60_000);
    }
    tx.commit().await.unwrap();
    // The first session has ended by now.
    let cookie = shop.sign_in("lister", &["admin"]).await;
    (shop, cookie)
}

async fn page(shop: &TestShop, cookie: &str, href: &str) -> Value {
    let (path, query) = href.split_once('?').unwrap_or((href, ""));
    let answer = shop.call("GET", &format!("{path}/_payload.json?{query}"), cookie, Value::Null).await;
    answer.assert_status(200).json()["props"].clone()
}

fn numbers(page: &Value) -> Vec<i64> {
    page["entries"].as_array().unwrap().iter().map(|entry| entry["seq"].as_i64().unwrap()).collect()
}

async fn a_list_is_paged_in_both_directions_without_gap_or_double(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 120).await;
    let mut seen = Vec::new();
    let mut last = page(&shop, &cookie, "/admin/audit").await;
    assert_eq!((last["list"]["total"].as_i64(), last["list"]["is_counted_up"].as_bool()), (Some(120), Some(true)));
    assert!(last["list"]["previous"].is_null());
    loop {
        seen.extend(numbers(&last));
        let Some(next) = last["list"]["next"].as_str() else { break };
        last = page(&shop, &cookie, next).await;
    }
    assert_eq!(seen, (1..=120).rev().collect::<Vec<i64>>());
    let mut back = numbers(&last);
    while let Some(previous) = last["list"]["previous"].as_str() {
        last = page(&shop, &cookie, previous).await;
        back.splice(0..0, numbers(&last));
    }
    assert_eq!(back, seen);
}

async fn a_page_whose_rows_are_gone_leads_to_the_first(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 51).await;
    let first = page(&shop, &cookie, "/admin/audit").await;
    let next = first["list"]["next"].as_str().unwrap();
    // The only entry of the second page is about an order.
    let left = page(&shop, &cookie, &format!("{next}&kind=product")).await;
    assert_eq!((numbers(&left).len(), left["list"]["total"].as_i64()), (0, Some(17)));
    assert_eq!(left["list"]["previous"], "/admin/audit?kind=product");
    assert!(left["list"]["next"].is_null());
}

async fn filters_narrow_a_list_and_stand_in_its_address(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 12).await;
    let found = page(&shop, &cookie, "/admin/audit?kind=order&kind=nothing&sort=at").await;
    assert_eq!(numbers(&found), [1, 4, 7, 10]);
    assert_eq!(found["list"]["query"], "kind=order&sort=at");
    assert_eq!(numbers(&page(&shop, &cookie, "/admin/audit?q=%3Dthing+3").await), [4]);
    // As the rows show it, in any case, and within a name.
    for all in ["thing.", "Thing%3A+change", "CHANGE"] {
        assert_eq!(numbers(&page(&shop, &cookie, &format!("/admin/audit?q={all}")).await).len(), 12, "{all}");
    }
    assert_eq!(numbers(&page(&shop, &cookie, "/admin/audit?q=HING+3").await), [4]);
    assert!(numbers(&page(&shop, &cookie, "/admin/audit?q=%25").await).is_empty());
    assert_eq!(numbers(&page(&shop, &cookie, "/admin/audit?subject=product:4").await), [5]);
    // Entries start at noon in the shop's time zone, one per minute.
    assert_eq!(numbers(&page(&shop, &cookie, "/admin/audit?at_from=2026-11-21&at_to=2026-11-21").await).len(), 12);
    let none = page(&shop, &cookie, "/admin/audit?at_to=2026-11-20").await;
    assert_eq!((numbers(&none).len(), none["list"]["total"].as_i64()), (0, Some(0)));
    let filter = &none["list"]["filters"][2];
    assert_eq!((filter["name"].as_str(), filter["to"].as_str()), (Some("at"), Some("2026-11-20")));
}

async fn a_search_of_a_long_log_says_how_far_it_went(shop: TestShop) {
    const LATER: &str = "INSERT INTO audit_entries (seq, at, actor_id, role, action, subject_kind, subject_id,
            subject_label, before, after, network, device, hash)
        SELECT 50002, at, actor_id, role, action, subject_kind, subject_id, subject_label, before, after, network,
            device, hash FROM audit_entries WHERE seq = 1";
    let (shop, cookie) = shop_with_entries(&shop, 3).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(LATER).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    let found = async |query: &str| {
        let page = page(&shop, &cookie, &format!("/admin/audit?{query}")).await;
        (numbers(&page), page["searched"].as_i64())
    };
    assert_eq!(found("q=thing").await, (vec![50_002, 3], Some(50_000)));
    assert_eq!(found("q=thing&at_from=2026-11-21").await, (vec![50_002, 3, 2, 1], None));
    assert_eq!(found("q=thing&subject=order:0").await, (vec![50_002, 1], None));
    assert_eq!(found("kind=product").await, (vec![2], None));
    assert_eq!(found("q=thing&kind=product").await, (vec![2], None));
    assert_eq!(found("q=thing&kind=product&kind=setting").await, (vec![3], Some(50_000)));

    // On the same day, after the first ones.
    const MANY: &str = "INSERT INTO audit_entries (seq, at, actor_id, role, action, subject_kind, subject_id,
            subject_label, before, after, network, device, hash)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
        SELECT 50002 + n.i, at + 600000, actor_id, role, action, subject_kind, subject_id, subject_label, before, after,
            network, device, hash FROM n, audit_entries WHERE seq = 3";
    let mut tx = shop.app.db.begin().await.unwrap();
    shop_base::sql!(&mut tx.conn(), c => sqlx::query(MANY).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(found("q=%3Dthing+1&at_from=2026-11-21").await, (vec![], Some(50_000)));
    assert_eq!(found("q=thing&at_to=2026-11-20").await, (vec![], None));
    assert_eq!(found("q=thing&kind=order").await, (vec![50_002, 1], None));
    assert_eq!(found("q=nothing&kind=setting").await, (vec![], Some(50_000)));
}

async fn views_are_ones_own_unless_shared(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 1).await;
    let other = shop.sign_in("other-lister", &["admin"]).await;
    let staff = shop.sign_in("staff-lister", &["staff"]).await;
    let save = async |name: &str, query: &str, is_shared: bool| {
        let body = json!({ "list": "/admin/audit", "name": name, "query": query, "is_shared": is_shared });
        shop.call("POST", "/api/admin/views", &cookie, body).await.assert_status(204);
    };
    save("Mine", "kind=order", false).await;
    save("Ours", "role=staff", true).await;
    let views = async |cookie: &str| page(&shop, cookie, "/admin/audit").await["list"]["views"].clone();
    let own = views(&cookie).await;
    assert_eq!(own[0]["href"], "/admin/audit?kind=order");
    assert_eq!((own[0]["name"].as_str(), own[1]["name"].as_str()), (Some("Mine"), Some("Ours")));
    let others = views(&other).await;
    assert_eq!(others.as_array().unwrap().len(), 1);
    assert_eq!((others[0]["name"].as_str(), others[0]["may_delete"].as_bool()), (Some("Ours"), Some(true)));
    let path = format!("/api/admin/views/{}", others[0]["id"].as_str().unwrap());
    shop.call("DELETE", &path, &staff, Value::Null).await.assert_problem(404, "not_found");
    let private = format!("/api/admin/views/{}", own[0]["id"].as_str().unwrap());
    shop.call("DELETE", &private, &other, Value::Null).await.assert_problem(404, "not_found");
    // An admin removes what somebody else has shared, such as a former colleague.
    shop.call("DELETE", &path, &other, Value::Null).await.assert_status(204);
    // Sent again because its answer was lost, or from another tab.
    shop.call("DELETE", &path, &cookie, Value::Null).await.assert_status(204);
    assert!(views(&other).await.as_array().unwrap().is_empty());
    assert_eq!(views(&cookie).await.as_array().unwrap().len(), 1);
    shop.call("DELETE", &private, &cookie, Value::Null).await.assert_status(204);
}

async fn what_staff_do_to_shared_views_is_recorded(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 0).await;
    let staff = shop.sign_in("staff-lister", &["staff"]).await;
    let save = async |name: &str, query: &str, is_shared: bool| {
        let body = json!({
            "list": "/admin/orders", "name": name, "query": query, "is_shared": is_shared, "replace": true,
        });
        shop.call("POST", "/api/admin/views", &staff, body).await.assert_status(204);
    };
    let id_of = async |name: &str| {
        let views = page(&shop, &staff, "/admin/orders").await["list"]["views"].clone();
        let found = views.as_array().unwrap().iter().find(|view| view["name"] == name).cloned();
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let delete = async |id: &str, cookie: &str| {
        shop.call("DELETE", &format!("/api/admin/views/{id}"), cookie, Value::Null).await.assert_status(204);
    };
    save("Mine", "status=placed", false).await;
    save("Ours", "status=placed&q=ada", true).await;
    // Sent again because its answer was lost.
    save("Ours", "status=placed&q=ada", true).await;
    save("Ours", "status=canceled", true).await;
    save("Mine", "status=placed", true).await;
    save("Mine", "status=archived", false).await;
    let (mine, ours) = (id_of("Mine").await, id_of("Ours").await);
    delete(&mine, &staff).await;
    delete(&ours, &cookie).await;
    delete(&ours, &cookie).await;
    let list = "/admin/orders";
    // A view's name may name a buyer, and so may what is searched for.
    let label = "View of /admin/orders";
    let expected = json!([
        ["saved_view.share", "staff", label, null, { "list": list, "query": "q=3+characters&status=placed" }],
        ["saved_view.update", "staff", label, { "query": "q=3+characters&status=placed" }, { "query": "status=canceled" }],
        ["saved_view.share", "staff", label, null, { "list": list, "query": "status=placed" }],
        ["saved_view.unshare", "staff", label, { "list": list, "query": "status=placed" }, {}],
        ["saved_view.delete", "admin", label, { "list": list, "query": "status=canceled" }, {}],
    ]);
    let told = page(&shop, &cookie, "/admin/audit?kind=saved_view&sort=at").await;
    let fields = ["action", "role", "label", "before", "after"];
    let row = |entry: &Value| -> Value { fields.iter().map(|field| entry[*field].clone()).collect() };
    let entries: Value = told["entries"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(entries, expected);
    for (id, count) in [(&mine, 2), (&ours, 3)] {
        let told = page(&shop, &cookie, &format!("/admin/audit?subject=saved_view:{id}")).await;
        assert_eq!(numbers(&told).len(), count, "an entry names its view");
    }
}

async fn a_view_is_checked(shop: TestShop) {
    let cookie = shop.sign_in("view-checker", &["staff"]).await;
    for (field, list, name, query) in [
        ("name", "/admin/orders", " ", ""),
        ("list", "/products", "A", ""),
        ("list", "/admin/nothing", "A", ""),
        ("name", "/admin/orders", "\u{202e}\u{200b}", ""),
        ("list", "/admin/../auth", "A", ""),
        ("query", "/admin/orders", "A", "a b"),
        ("query", "/admin/orders", "A", "a\nb"),
    ] {
        let body = json!({ "list": list, "name": name, "query": query, "is_shared": true });
        let answer = shop.call("POST", "/api/admin/views", &cookie, body).await;
        assert!(answer.assert_problem(422, "invalid").json()["errors"][field].is_array(), "{field}");
    }
}

async fn a_view_is_replaced_only_if_that_was_asked_for(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 1).await;
    let other = shop.sign_in("other-lister", &["staff"]).await;
    let save = async |cookie: &str, query: &str, is_shared: bool, replace: bool| {
        let body = json!({
            "list": "/admin/audit", "name": "Daily", "query": query, "is_shared": is_shared, "replace": replace,
        });
        shop.call("POST", "/api/admin/views", cookie, body).await
    };
    save(&cookie, "kind=order", false, false).await.assert_status(204);
    // Sent again because its answer was lost, it is what is stored.
    save(&cookie, "kind=order", false, false).await.assert_status(204);
    save(&cookie, "kind=product", false, false).await.assert_problem(409, "view_exists");
    save(&cookie, "kind=order", true, false).await.assert_problem(409, "view_exists");
    // Somebody else's views have their own names.
    save(&other, "kind=user", false, false).await.assert_status(204);
    let views = async || page(&shop, &cookie, "/admin/audit").await["list"]["views"].clone();
    let before = views().await;
    assert_eq!((&before[0]["href"], &before[0]["is_shared"]), (&json!("/admin/audit?kind=order"), &json!(false)));
    save(&cookie, "kind=product", true, true).await.assert_status(204);
    let after = views().await;
    assert_eq!((&after[0]["href"], &after[0]["is_shared"]), (&json!("/admin/audit?kind=product"), &json!(true)));
    assert_eq!((after.as_array().unwrap().len(), &after[0]["id"]), (1, &before[0]["id"]));
}

async fn only_so_many_views_are_shared(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let save = async |cookie: &str, name: &str, is_shared: bool| {
        let body = json!({ "list": "/admin/orders", "name": name, "query": "", "is_shared": is_shared });
        shop.call("POST", "/api/admin/views", cookie, body).await
    };
    for sharer in ["sharer-1", "sharer-2", "sharer-3"] {
        let cookie = shop.sign_in(sharer, &["staff"]).await;
        for view in 0..50 {
            save(&cookie, &format!("View {view}"), true).await.assert_status(204);
        }
    }
    let cookie = shop.sign_in("sharer-4", &["staff"]).await;
    save(&cookie, "Zeroth", true).await.assert_problem(409, "too_many");
    for view in 0..50 {
        save(&cookie, &format!("Zeroth {view}"), false).await.assert_status(204);
    }
    let page = page(&shop, &cookie, "/admin/orders").await;
    assert_eq!(page["list"]["views"].as_array().unwrap().len(), 200, "none is left out");
}

async fn a_view_is_replaced_also_when_there_can_be_no_more(shop: TestShop) {
    let cookie = shop.sign_in("view-collector", &["staff"]).await;
    let save = async |name: &str, query: &str| {
        let body = json!({
            "list": "/admin/orders", "name": name, "query": query, "is_shared": false, "replace": true,
        });
        shop.call("POST", "/api/admin/views", &cookie, body).await
    };
    for view in 0..50 {
        save(&format!("View {view}"), "").await.assert_status(204);
    }
    save("View 50", "").await.assert_problem(409, "too_many");
    save(" View 7 ", "status=placed").await.assert_status(204);
    let page = page(&shop, &cookie, "/admin/orders").await;
    let views = page["list"]["views"].as_array().unwrap();
    let own: Vec<_> = views.iter().filter(|view| view["may_delete"] == true).collect();
    let replaced = own.iter().find(|view| view["name"] == "View 7").unwrap();
    assert_eq!((own.len(), &replaced["href"]), (50, &json!("/admin/orders?status=placed")));
}

async fn a_file_holds_all_rows_and_no_formula(shop: TestShop) {
    let (shop, cookie) = shop_with_entries(&shop, 130).await;
    let answer = shop.call("GET", "/api/admin/audit.csv?sort=at&kind=order", &cookie, Value::Null).await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"audit.csv\"");
    let text = answer.text();
    let lines: Vec<&str> = text.trim_end().split("\r\n").collect();
    assert_eq!(lines.len(), 1 + 44);
    assert!(lines[0].starts_with("\u{feff}Number,Time (UTC),Who"));
    assert!(lines[1].contains(",'=thing 0,"), "{}", lines[1]);
    assert!(lines[1].starts_with("1,2026-11-21T17:00:00Z,Test lister,"), "{}", lines[1]);
    assert!(lines[44].starts_with("130,"), "{}", lines[44]);
}

async fn everything_is_found_by_the_beginnings_of_words(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let cookie = shop.sign_in("finder", &["staff"]).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let id = shop_base::sql!(&mut conn, c => sqlx::query_scalar("SELECT id FROM users WHERE subject = 'finder'")
        .fetch_one(c).await)
    .unwrap();
    search_terms::put(&mut conn, Kind::Customer, id, &["Zoë Finder", "finder@shop.example"]).await.unwrap();
    tx.commit().await.unwrap();
    let found = async |typed: &str| {
        let answer = shop.call("GET", &format!("/api/admin/search?q={typed}"), &cookie, Value::Null).await;
        answer.assert_status(200).json()["customers"].as_array().unwrap().len()
    };
    assert_eq!(found("zoe").await, 1);
    assert_eq!(found("FIND+zo").await, 1);
    assert_eq!(found("finder%40shop").await, 1);
    assert_eq!(found("inder").await, 0, "words are found by their beginning");
    assert_eq!(found("%25_").await, 0);
    assert_eq!(found("").await, 0);
    let mut tx = shop.app.db.begin().await.unwrap();
    search_terms::remove(&mut tx.conn(), Kind::Customer, id).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(found("zoe").await, 0);
}

async fn a_search_finds_the_same_however_many_there_are(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut tx = shop.app.db.begin().await.unwrap();
    let mut conn = tx.conn();
    let (series, id) = match &conn {
        Conn::Sqlite(_) => (
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)",
            "CAST(printf('%016d', i) AS BLOB)",
        ),
        Conn::Postgres(_) => ("WITH n (i) AS (SELECT generate_series(1, 60000))", "CAST(md5(CAST(i AS TEXT)) AS UUID)"),
    };
    // A term that matches all rows, every second one, every third one, and only six.
    let words = [
        "'everybody'",
        "'second' || (i % 2)",
        "'third' || (i % 3)",
        "CASE WHEN i % 10000 = 1 THEN 'few' ELSE 'most' END",
    ];
    for word in words {
        let fill = format!(
            "{series} INSERT INTO search_terms (kind, term, subject_id) SELECT 'customer', {word}, {id} FROM n"
        );
        shop_base::sql!(&mut conn, c => sqlx::query(sqlx::AssertSqlSafe(fill)).execute(c).await.map(drop)).unwrap();
    }
    // PostgreSQL would run this by itself after a while.
    if let Conn::Postgres(conn) = &mut conn {
        sqlx::query("ANALYZE search_terms").execute(conn.unlimited()).await.unwrap();
    }
    let everybody = "(SELECT subject_id AS id FROM search_terms WHERE term = 'everybody') s";
    for (typed, found) in [
        ("everybody", 60_000),
        ("second1", 30_000),
        ("third", 60_000),
        ("third2", 20_000),
        ("second1 third2", 10_000),
        ("everybody second1", 30_000),
        ("everybody most third1", 20_000 - 2),
        ("few", 6),
        ("everybody few second1", 6),
        ("few second0", 0),
        ("nobody everybody", 0),
    ] {
        let mut filter = Filter::default();
        search_terms::narrow(&mut conn, &mut filter, Kind::Customer, "s.id", typed).await.unwrap();
        for (form, filter) in [
            ("counting", filter.clone()),
            ("few", filter.clone().first_of(found.min(10))),
            ("many", filter.first_of(1_000_000)),
        ] {
            assert_eq!(count(&mut conn, everybody, &filter, 1_000_000).await.unwrap(), found, "{typed}, {form}");
        }
    }
}
