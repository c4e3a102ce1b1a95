//! The account page in browsers without JavaScript: each form is answered with 303, or with the page and its validation errors.

use serde_json::{Value, json};
use shop_base::sql;

use crate::checkout::bench::{Bench, PIPE_TOOL};
use crate::support::{Answer, Browser, Test, TestShop, leads_on, shop_with_provider};
use crate::tests;

pub const TESTS: &[Test] = tests![
    nothing_on_the_page_waits_for_scripts,
    profile_and_preferences_are_saved,
    a_profile_form_takes_back_no_change_of_another_page,
    addresses_are_added_and_removed,
    what_is_wrong_stands_beside_what_was_typed,
    devices_are_signed_out,
    nobody_reaches_what_is_somebody_elses,
    a_page_of_another_account_changes_nothing,
    other_sites_and_malformed_forms_change_nothing,
    a_form_that_comes_too_late_leads_to_sign_in_and_says_so,
    what_became_of_a_form_is_told_after_the_age_gate,
    an_account_is_deleted_once_its_address_was_typed,
    deleting_an_account_ends_the_session_at_the_provider,
    the_checkout_begins_with_what_the_account_knows,
    a_visitor_without_name_and_email_is_welcomed,
];

pub(super) const ADDRESS: [(&str, &str); 7] = [
    ("do", "add_address"),
    ("first_name", "Ada"),
    ("last_name", "Reed"),
    ("line1", "48 Gay Street"),
    ("city", "Columbus"),
    ("state", "OH"),
    ("postal_code", "43215"),
];

pub(super) async fn signed_in(shop: &TestShop, subject: &str) -> Browser {
    let mut browser = Browser::new(shop);
    for cookie in [shop.age_cookie(), shop.sign_in(subject, &["customer"]).await] {
        let (name, value) = cookie.split_once('=').unwrap();
        browser.cookies.insert(name.to_owned(), value.to_owned());
    }
    browser
}

pub(super) async fn props(browser: &mut Browser) -> Value {
    let page = browser.get("/account").await;
    assert_eq!(page.assert_status(200).header("cache-control"), "private, no-store");
    page.envelope()["props"].clone()
}

/// Submits a form and asserts that it succeeds, that it redirects to the right place, and that the next page shows the notice exactly once.
async fn done(browser: &mut Browser, fields: &[(&str, &str)], section: &str) {
    let answer = browser.form("/account", fields).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, section), "{}", answer.text());
    let told = "Your account has been updated.";
    let page = browser.get("/account").await;
    assert!(main(&page).contains(told));
    assert!(main(&page).contains(&format!("id=\"{}\"", section.split_once('#').unwrap().1)));
    assert!(!main(&browser.get("/account").await).contains(told));
}

/// Submits a form that must be rejected; returns the page.
pub(super) async fn refused(browser: &mut Browser, fields: &[(&str, &str)]) -> Answer {
    let answer = browser.form("/account", fields).await;
    assert_eq!(answer.assert_status(422).header("cache-control"), "private, no-store");
    answer
}

/// The page's HTML below the shop's header.
pub(super) fn main(page: &Answer) -> &str {
    let root = page.root();
    &root[root.find("<main").unwrap()..root.find("</main>").unwrap()]
}

/// The HTML from the element with this id onward.
pub(super) fn after<'a>(page: &'a Answer, id: &str) -> &'a str {
    let main = main(page);
    &main[main.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}"))..]
}

/// The tag of the first control with this name.
fn control<'a>(html: &'a str, name: &str) -> &'a str {
    let at = html.find(&format!(" name=\"{name}\"")).unwrap_or_else(|| panic!("no control {name}"));
    &html[html[..at].rfind('<').unwrap()..at + html[at..].find('>').unwrap()]
}

/// Asserts that a control is marked as invalid, is described by this error, and gets the focus if it is the first one.
fn assert_wrong(html: &str, name: &str, problem: &str, is_first: bool) {
    let tag = control(html, name);
    assert!(tag.contains("aria-invalid=\"true\""), "{tag}");
    let (_, described) = tag.split_once("aria-describedby=\"").unwrap();
    let id = &described[..described.find('"').unwrap()];
    assert!(html.contains(&format!("<p id=\"{id}\" class=\"field-error\" role=\"alert\">{problem}</p>")), "{problem}");
    assert_eq!(tag.to_lowercase().contains("autofocus"), is_first, "{tag}");
}

async fn nothing_on_the_page_waits_for_scripts(shop: TestShop) {
    let mut browser = signed_in(&shop, "plain").await;
    signed_in(&shop, "plain").await;
    done(&mut browser, &ADDRESS, "/account#addresses").await;
    let pages = ["/account", "/account?open=add_address", "/account?open=delete_account", "/account?open=all"];
    for path in pages {
        let page = browser.get(path).await;
        let html = main(page.assert_status(200));
        assert!(!html.contains("type=\"button\""), "a button that only scripts make work: {path}");
        for form in html.split("<form").skip(1) {
            let tag = &form[..form.find('>').unwrap()];
            assert!(tag.contains("action=\"/account") || tag.contains("action=\"/auth/logout\""), "{path}: {tag}");
            let buttons = &form[..form.find("</form>").unwrap()];
            assert!(buttons.contains("type=\"submit\""), "{path}: {buttons}");
        }
        let form = "aria-label=\"New address\"";
        assert_eq!(html.contains(form), path.ends_with("=add_address"), "{path}");
        let dialog = control(html, "confirm");
        assert_eq!(dialog.to_lowercase().contains("autofocus"), path.ends_with("=delete_account"), "{path}");
        let dialog = &html[html.find("<dialog").unwrap()..];
        assert_eq!(dialog[..dialog.find('>').unwrap()].contains("open"), path.ends_with("=delete_account"), "{path}");
    }
    assert!(main(&browser.get("/account").await).contains("href=\"/api/me/export\""));
}

async fn profile_and_preferences_are_saved(shop: TestShop) {
    let mut browser = signed_in(&shop, "profile-forms").await;
    let fields = [("do", "save_profile"), ("name", "  Ada   Reed "), ("phone", "614 555 0142")];
    done(&mut browser, &fields, "/account#profile").await;
    done(&mut browser, &[("do", "save_preferences"), ("preferred_state", "OH")], "/account#preferences").await;
    let me = props(&mut browser).await["me"].clone();
    assert_eq!((&me["name"], &me["phone"]), (&json!("Ada Reed"), &json!("614 555 0142")));
    assert_eq!(me["preferences"]["preferred_state"], "OH");
    done(&mut browser, &[("do", "save_profile"), ("name", "Ada Reed"), ("phone", "")], "/account#profile").await;
    done(&mut browser, &[("do", "save_preferences"), ("preferred_state", "")], "/account#preferences").await;
    let me = props(&mut browser).await["me"].clone();
    assert_eq!((&me["phone"], &me["preferences"]["preferred_state"]), (&json!(""), &Value::Null));
}

async fn a_profile_form_takes_back_no_change_of_another_page(shop: TestShop) {
    let mut browser = signed_in(&shop, "profile-tabs").await;
    let page = browser.get("/account").await;
    let form = after(&page, "profile");
    assert!(control(form, "former_name").contains("value=\"Test profile-tabs\""));
    assert!(control(form, "former_phone").contains("value=\"\""));
    let shown = [("do", "save_profile"), ("former_name", "Test profile-tabs"), ("former_phone", "")];
    let phone = [&shown[..], &[("name", "Test profile-tabs"), ("phone", "614 555 0142")]].concat();
    done(&mut browser, &phone, "/account#profile").await;
    let name = [&shown[..], &[("name", "Ada Reed"), ("phone", "")]].concat();
    done(&mut browser, &name, "/account#profile").await;
    let me = props(&mut browser).await["me"].clone();
    assert_eq!((&me["name"], &me["phone"]), (&json!("Ada Reed"), &json!("614 555 0142")));
}

async fn addresses_are_added_and_removed(shop: TestShop) {
    let mut browser = signed_in(&shop, "address-forms").await;
    done(&mut browser, &ADDRESS, "/account#addresses").await;
    let second =
        [&ADDRESS[..], &[("line1", "2 High Street"), ("phone", "614 555 0142"), ("is_default", "on")]].concat();
    done(&mut browser, &second, "/account#addresses").await;
    let addresses = props(&mut browser).await["me"]["addresses"].clone();
    let shown: Vec<_> =
        addresses.as_array().unwrap().iter().map(|each| (&each["line1"], &each["is_default"])).collect();
    assert_eq!(shown, [(&json!("2 High Street"), &json!(true)), (&json!("48 Gay Street"), &json!(false))]);
    let id = addresses[0]["id"].as_str().unwrap();
    let remove = [("do", "remove_address"), ("id", id)];
    done(&mut browser, &remove, "/account#addresses").await;
    let gone = refused(&mut browser, &remove).await;
    assert!(after(&gone, "addresses").contains("This address isn’t in your account anymore."));
    assert!(after(&gone, "addresses").contains("action=\"/account#addresses\""), "the browser scrolls there");
    let addresses = props(&mut browser).await["me"]["addresses"].clone();
    assert_eq!((&addresses[0]["line1"], &addresses[0]["is_default"]), (&json!("48 Gay Street"), &json!(true)));
}

async fn what_is_wrong_stands_beside_what_was_typed(shop: TestShop) {
    let mut browser = signed_in(&shop, "wrong-forms").await;
    let before = props(&mut browser).await["me"].clone();
    let fields = [("do", "save_profile"), ("name", "Ada \"& Co\""), ("phone", "12")];
    let page = refused(&mut browser, &fields).await;
    let profile = after(&page, "profile");
    assert!(control(profile, "name").contains("value=\"Ada &quot;&amp; Co&quot;\""));
    assert!(control(profile, "name").contains("aria-invalid=\"false\""));
    assert!(control(profile, "phone").contains("value=\"12\""));
    assert_wrong(profile, "phone", "Enter a phone number with area code, such as 614-555-0142.", true);
    let page = refused(&mut browser, &[("do", "save_profile"), ("name", " "), ("phone", "12")]).await;
    assert_wrong(after(&page, "profile"), "name", "Enter your name.", true);
    assert!(!control(after(&page, "profile"), "phone").to_lowercase().contains("autofocus"));

    let page = refused(&mut browser, &[("do", "save_preferences"), ("preferred_state", "XX")]).await;
    assert_wrong(after(&page, "preferences"), "preferred_state", "Choose a state.", true);

    let wrong = [&ADDRESS[..], &[("city", " "), ("postal_code", "90210"), ("is_default", "on")]].concat();
    let page = refused(&mut browser, &wrong).await;
    let form = after(&page, "addresses");
    assert!(control(form, "line1").contains("value=\"48 Gay Street\""));
    assert!(control(form, "is_default").contains("checked"));
    assert!(form.contains("<option value=\"OH\" selected"));
    assert_wrong(form, "city", "Enter a city.", true);
    assert_wrong(form, "postal_code", "That ZIP code isn’t in Ohio.", false);
    assert!(control(after(&page, "profile"), "phone").contains("aria-invalid=\"false\""), "each form has its own");

    let page = refused(&mut browser, &[("do", "delete_account"), ("confirm", "me@shop.example")]).await;
    let dialog = after(&page, "delete-heading");
    assert!(control(dialog, "confirm").contains("value=\"me@shop.example\""));
    assert_wrong(dialog, "confirm", "Type your email address to confirm.", true);
    assert_eq!(props(&mut browser).await["me"], before);
}

async fn devices_are_signed_out(shop: TestShop) {
    let mut here = signed_in(&shop, "device-forms").await;
    let mut phone = signed_in(&shop, "device-forms").await;
    let mut laptop = signed_in(&shop, "device-forms").await;
    let sessions = props(&mut phone).await["sessions"].clone();
    let current = sessions.as_array().unwrap().iter().find(|session| session["is_current"] == true).unwrap();
    let end = [("do", "end_session"), ("id", current["id"].as_str().unwrap())];
    done(&mut here, &end, "/account#sessions").await;
    phone.get("/account").await.assert_status(303);
    let gone = refused(&mut here, &end).await;
    assert!(after(&gone, "sessions").contains("This device isn’t signed in anymore."));
    assert!(after(&gone, "sessions").contains("action=\"/account#sessions\""), "the browser scrolls there");
    laptop.get("/account").await.assert_status(200);
    done(&mut here, &[("do", "end_other_sessions")], "/account#sessions").await;
    laptop.get("/account").await.assert_status(303);
    assert_eq!(props(&mut here).await["sessions"].as_array().unwrap().len(), 1);
}

async fn nobody_reaches_what_is_somebody_elses(shop: TestShop) {
    let mut owner = signed_in(&shop, "owner-forms").await;
    done(&mut owner, &ADDRESS, "/account#addresses").await;
    let theirs = props(&mut owner).await;
    let mut thief = signed_in(&shop, "thief-forms").await;
    for (act, id) in [
        ("remove_address", &theirs["me"]["addresses"][0]["id"]),
        ("end_session", &theirs["sessions"][0]["id"]),
        ("remove_address", &theirs["sessions"][0]["id"]),
    ] {
        let page = refused(&mut thief, &[("do", act), ("id", id.as_str().unwrap())]).await;
        assert!(!main(&page).contains("48 Gay Street"));
    }
    let after = props(&mut owner).await;
    assert_eq!((&after["me"]["addresses"], &after["sessions"]), (&theirs["me"]["addresses"], &theirs["sessions"]));
}

async fn a_page_of_another_account_changes_nothing(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut browser = signed_in(&shop, "former-forms").await;
    let page = browser.get("/account").await;
    assert!(control(main(&page), "user_id").contains("value=\"former-forms\""));
    // Another tab signs in to another account.
    let present = shop.sign_in("present-forms", &["customer"]).await;
    let (name, value) = present.split_once('=').unwrap();
    browser.cookies.insert(name.to_owned(), value.to_owned());
    let before = props(&mut browser).await["me"].clone();
    assert_eq!(before["sub"], "present-forms");
    for fields in [
        &[("do", "save_profile"), ("name", "Ada Reed"), ("phone", "")][..],
        &[("do", "save_preferences"), ("preferred_state", "OH")][..],
        &ADDRESS[..],
    ] {
        let answer = browser.form("/account", &[fields, &[("user_id", "former-forms")]].concat()).await;
        assert!(answer.assert_status(409).text().contains("you’re signed in to another account now"));
    }
    assert_eq!(props(&mut browser).await["me"], before);
}

async fn other_sites_and_malformed_forms_change_nothing(shop: TestShop) {
    let mut browser = signed_in(&shop, "forged-forms").await;
    done(&mut browser, &ADDRESS, "/account#addresses").await;
    let before = props(&mut browser).await;
    let id = before["me"]["addresses"][0]["id"].as_str().unwrap().to_owned();
    let email = before["me"]["email"].as_str().unwrap().to_owned();
    let forms: [&[(&str, &str)]; 5] = [
        &[("do", "save_profile"), ("name", "Mallory"), ("phone", "")],
        &ADDRESS,
        &[("do", "remove_address"), ("id", &id)],
        &[("do", "end_other_sessions")],
        &[("do", "delete_account"), ("confirm", &email)],
    ];
    for site in ["cross-site", "same-site", "none"] {
        for fields in forms {
            let answer = shop.form("/account", &browser.cookie_line(), site, fields).await;
            assert_eq!(answer.status, 403, "{site} {fields:?}");
            assert!(!answer.headers.contains_key("set-cookie"));
        }
    }
    for malformed in [
        &[("do", "dance")][..],
        &[],
        &[("name", "Mallory")],
        &[("do", "remove_address")],
        &[("do", "remove_address"), ("id", "1")],
        &[("do", "end_session"), ("id", "")],
        &[("do", "order_again"), ("number", "1")],
    ] {
        browser.form("/account", malformed).await.assert_status(400);
    }
    assert_eq!(props(&mut browser).await["me"], before["me"]);
    // Without a session, a form from another site has no effect and sets no cookie.
    let stranger = shop.form("/account", &shop.age_cookie(), "cross-site", forms[0]).await;
    assert!(!stranger.assert_status(303).headers.contains_key("set-cookie"));
}

async fn a_form_that_comes_too_late_leads_to_sign_in_and_says_so(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    let mut browser = Browser::new(&shop);
    browser.pass_age_gate();
    let answer = browser.form("/account", &[("do", "save_profile"), ("name", "Late"), ("phone", "")]).await;
    // Browsers would apply the policy of the form's page to all redirects, of which the provider's may lead to any origin.
    let to = leads_on(&answer);
    assert_eq!(to, "/auth/login?return_to=%2Faccount");
    let authorize = browser.begin(&to).await;
    let callback = browser.choose(&authorize, &[("account", "demo-shopper")]).await;
    assert_eq!(browser.get(&callback).await.assert_status(303).header("location"), "/account");
    let page = browser.get("/account").await;
    assert!(main(page.assert_status(200)).contains("You weren’t signed in, so nothing was saved. Please try again."));
    assert_ne!(page.envelope()["props"]["me"]["name"], "Late");
    assert!(page.text().contains("<html lang=\"en\" data-once=\"1\"><head>"), "scripts do not load it again");
    let next = browser.get("/account").await;
    assert!(!main(&next).contains("nothing was saved") && !next.text().contains("data-once"));
}

async fn what_became_of_a_form_is_told_after_the_age_gate(shop: TestShop) {
    let mut browser = signed_in(&shop, "gated-forms").await;
    let wrong = [&ADDRESS[..], &[("postal_code", "90210")]].concat();
    for (fields, status, told) in [
        (&[("do", "save_profile"), ("name", "Ada Reed"), ("phone", "")][..], 303, "Your account has been updated."),
        (&wrong[..], 422, "Nothing was changed. Please try again."),
    ] {
        browser.cookies.remove("age");
        browser.form("/account", fields).await.assert_status(status);
        let gated = browser.get("/account").await;
        assert!(gated.root().contains("class=\"gate\"") && !main(&gated).contains(told), "nobody could read it");
        let passed = browser.form("/verify-age", &[("birth_date", "1980-05-17"), ("return_to", "/account")]).await;
        assert_eq!(passed.assert_status(303).header("location"), "/account");
        assert!(main(&browser.get("/account").await).contains(told), "{told}");
        assert!(!main(&browser.get("/account").await).contains(told), "once");
    }
    // Without the gate the page says what is wrong.
    refused(&mut browser, &wrong).await;
    assert!(!main(&browser.get("/account").await).contains("Nothing was changed."));
}

async fn an_account_is_deleted_once_its_address_was_typed(shop: TestShop) {
    let mut browser = signed_in(&shop, "deleted-forms").await;
    done(&mut browser, &ADDRESS, "/account#addresses").await;
    let gone = browser.form("/account", &[("do", "delete_account"), ("confirm", " Deleted-Forms@shop.example ")]).await;
    assert_eq!(gone.assert_status(303).header("location"), "/");
    assert!(browser.session().is_none());
    assert!(main(&browser.get("/").await).contains("Your account has been deleted."));
    // Signing in again creates a new account.
    let mut again = signed_in(&shop, "deleted-forms").await;
    assert_eq!(props(&mut again).await["me"]["addresses"], json!([]));
}

/// With the provider's session, one step back would sign in to a new account.
async fn deleting_an_account_ends_the_session_at_the_provider(shop: TestShop) {
    let (shop, _provider) = shop_with_provider(shop.database).await;
    for has_scripts in [false, true] {
        let mut browser = Browser::new(&shop);
        browser.pass_age_gate();
        browser.sign_in("demo-shopper").await;
        let envelope = browser.get("/account").await.envelope();
        let (email, subject) = (&envelope["props"]["me"]["email"], &envelope["shared"]["user"]["sub"]);
        let (email, subject) = (email.as_str().unwrap(), subject.as_str().unwrap());
        let location = if has_scripts {
            let body = json!({ "confirm": email, "user_id": subject });
            let before = browser.cookies.clone();
            let first = browser.call("DELETE", "/api/me", body.clone()).await.assert_status(200).json();
            assert!(first["sign_out_url"].as_str().unwrap().contains("id_token_hint="), "{first}");
            let guest = shop.call("DELETE", "/api/me", "", body.clone()).await.assert_status(200).json();
            assert!(guest["sign_out_url"].is_string(), "{guest}");
            let stranger = json!({ "confirm": email, "user_id": "demo-staff" });
            shop.call("DELETE", "/api/me", "", stranger).await.assert_problem(401, "unauthorized");
            // Who has not heard the first answer asks again.
            browser.cookies = before;
            let again = browser.call("DELETE", "/api/me", body).await.assert_status(200).json();
            again["sign_out_url"].as_str().unwrap().to_owned()
        } else {
            let fields = [("do", "delete_account"), ("confirm", email), ("user_id", subject)];
            let before = browser.cookies.clone();
            let first = leads_on(&browser.form("/account", &fields).await);
            assert!(first.contains("id_token_hint="), "{first}");
            // After a double click the browser shows the answer to the second one.
            browser.cookies = before;
            leads_on(&browser.form("/account", &fields).await)
        };
        assert!(location.contains("/end-session?"), "{location}");
        assert!(browser.session().is_none());
        assert_eq!(browser.authorize(&location.parse().unwrap()).await.as_deref(), Some("/?"));
        assert_eq!(browser.get("/").await.envelope()["shared"]["notice"]["summary"], "Your account has been deleted.");
        let again = browser.begin("/auth/login?return_to=%2Faccount").await;
        assert_eq!(browser.authorize(&again).await, None, "the provider asks who it is");
        // Nobody is told that an account which was made anew is deleted.
        browser.sign_in("demo-shopper").await;
        assert!(browser.session().is_some());
        let late = json!({ "confirm": email, "user_id": subject });
        shop.call("DELETE", "/api/me", "", late).await.assert_problem(401, "unauthorized");
    }
}

async fn the_checkout_begins_with_what_the_account_knows(shop: TestShop) {
    let bench = Bench::start(shop.database).await;
    let mut browser = signed_in(&bench.shop, "known").await;
    let tool = bench.variant(PIPE_TOOL).await.to_string();
    browser.form("/cart", &[("do", "add"), ("id", &tool)]).await.assert_status(303);
    let profile = [("do", "save_profile"), ("name", "Ada Reed"), ("phone", "614 555 0142")];
    done(&mut browser, &profile, "/account#profile").await;
    done(&mut browser, &[("do", "save_preferences"), ("preferred_state", "OH")], "/account#preferences").await;
    let form = browser.get("/checkout").await.assert_status(200).envelope()["props"]["form"].clone();
    assert_eq!((&form["phone"], &form["state"]), (&json!("614 555 0142"), &json!("OH")));
    assert_eq!(form["email"], "known@shop.example");

    // An address is taken over whole, but its phone number, which may be its recipient's, only if the account has none.
    let away = [("city", "Louisville"), ("state", "KY"), ("postal_code", "40202"), ("phone", "502 555 0143")];
    done(&mut browser, &[&ADDRESS[..], &away].concat(), "/account#addresses").await;
    let form = browser.get("/checkout").await.assert_status(200).envelope()["props"]["form"].clone();
    assert_eq!((&form["state"], &form["postal_code"]), (&json!("KY"), &json!("40202")));
    assert_eq!(form["phone"], "614 555 0142");
    done(&mut browser, &[("do", "save_profile"), ("name", "Ada Reed"), ("phone", "")], "/account#profile").await;
    let form = browser.get("/checkout").await.assert_status(200).envelope()["props"]["form"].clone();
    assert_eq!((&form["phone"], &form["state"]), (&json!("502 555 0143"), &json!("KY")));
}

async fn a_visitor_without_name_and_email_is_welcomed(shop: TestShop) {
    let shop = TestShop::with(shop.database, |_| {}).await;
    let mut browser = signed_in(&shop, "nameless").await;
    let mut tx = shop.app.db.begin().await.unwrap();
    const FORGET: &str = "UPDATE users SET name = '', email = '' WHERE subject = 'nameless'";
    sql!(&mut tx.conn(), c => sqlx::query(FORGET).execute(c).await.map(drop)).unwrap();
    tx.commit().await.unwrap();
    let page = browser.get("/account").await;
    assert!(main(page.assert_status(200)).contains("<h1>Welcome</h1>"));
    assert!(main(&page).contains("an account without an email. "));
}
