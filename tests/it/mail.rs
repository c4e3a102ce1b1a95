//! Email: real SMTP to the demo's mailbox, the test page for staff.

pub mod texts;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use shop::app::App;
use shop::router::{PAGES, router};
use shop_base::clock::Clock;
use shop_base::config::Config;
use shop_base::config::smtp::{Security, SmtpSettings};
use shop_base::role::Role;
use shop_demo::mailbox::Mailbox;
use shop_domain::identity::service::find_session;
use shop_http::admin::test_email::pages::try_out;
use shop_integrations::smtp::SmtpMailer;
use shop_platform::audit::model::Actor;
use shop_platform::jobs::model::payload;
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::mail::mailer::{MailError, Mailer, Message};
use shop_platform::mail::samples::sample;
use shop_platform::mail::service::{MailService, SendOutcome};
use shop_platform::settings::mail::KINDS;
use shop_platform::web::site::Site;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{JoinHandle, JoinSet};
use uuid::Uuid;

use crate::support::ports::free_port;
use crate::support::{Answer, Test, TestShop, temporary_folder};
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_mail_arrives_by_smtp,
    a_repetition_has_the_same_message_id,
    jobs_write_with_the_bundle_in_service,
    refusals_say_whether_to_try_again,
    a_test_that_is_not_accepted_names_the_settings,
    a_server_that_is_away_or_silent_is_temporary,
    a_late_answer_counts_for_no_other_mail,
    a_server_that_knows_ascii_only_gets_domains_in_ascii,
    what_a_server_that_knows_ascii_only_cannot_take_is_refused_for_good,
    nothing_goes_unencrypted_to_another_machine,
    what_was_said_before_encryption_is_no_answer,
    without_settings_mail_is_off,
    staff_send_a_test_and_read_what_the_server_said,
    the_test_page_lets_nobody_else_in,
    the_mailbox_survives_nonsense,
    the_mailbox_refuses_what_is_too_large,
    the_mailbox_shows_messages_without_running_them,
];

const FORM: &str = "application/x-www-form-urlencoded";
const NOW: &str = "November 21, 2026, 12:00 EST";

async fn a_mail_arrives_by_smtp(shop: TestShop) {
    let post = Post::open(&shop).await;
    let mail = sample("order_confirmation", NOW).unwrap();
    let SendOutcome::Accepted(accepted) = post.app.mail().deliver("ann@shop.example", &mail, "order-1").await.unwrap()
    else {
        panic!("mail is on")
    };
    assert!(accepted.answer.starts_with("250 "), "{}", accepted.answer);
    let email = post.app.mail().write(&mail).await.unwrap();
    let messages = post.messages().await;
    let [message] = &messages[..] else { panic!("one message, not {}", messages.len()) };
    assert_eq!(message["subject"], email.subject);
    assert_eq!(message["to"], serde_json::json!(["ann@shop.example"]));
    assert_eq!(message["from"], "Cardinal & Briar <care@cardinal-and-briar.example>");
    assert_eq!(format!("<{}>", message["message_id"].as_str().unwrap()), accepted.message_id);
    let part = |name: &str| message[name].as_str().unwrap().replace("\r\n", "\n");
    assert_eq!((part("html"), part("text")), (email.html, email.text));
    for (name, value) in [
        ("To", "ann@shop.example"),
        ("Reply-To", "=?utf-8?b?Q2FyZGluYWwgJiBCcmlhcg==?= <care@cardinal-and-briar.example>"),
        ("Auto-Submitted", "auto-generated"),
        ("Return-Path", "<care@cardinal-and-briar.example>"),
        ("Date", "Sat, 21 Nov 2026 17:00:00 +0000"),
    ] {
        let headers = message["headers"].as_array().unwrap();
        assert!(headers.contains(&serde_json::json!([name, value])), "{name}: {value} is not in {headers:?}");
    }
}

async fn a_repetition_has_the_same_message_id(shop: TestShop) {
    let post = Post::open(&shop).await;
    let mail = sample("test", NOW).unwrap();
    for id in ["order-1", "order-1", "order-2"] {
        post.app.mail().deliver("ann@shop.example", &mail, id).await.unwrap();
    }
    let messages = post.messages().await;
    let ids: Vec<&str> = messages.iter().map(|message| message["message_id"].as_str().unwrap()).collect();
    let [third, second, first] = ids[..] else { panic!("three messages, newest first: {ids:?}") };
    assert_eq!(first, second);
    assert_ne!(second, third);
}

/// Also after the bundle was replaced while the worker runs, as under `make dev`.
async fn jobs_write_with_the_bundle_in_service(shop: TestShop) {
    let post = Post::open(&shop).await;
    let worker = post.app.worker();
    let rendering = post.app.config.rendering.clone();
    let site =
        tokio::task::spawn_blocking(move || Site::embedded(&shop::bundle::BUNDLE, &rendering)).await.unwrap().unwrap();
    post.app.replace_site(Arc::new(site));
    let renders = || post.app.site().renderer.stats().renders;
    let before = renders();
    let mail = sample("test", NOW).unwrap();
    let job =
        payload(&SendAccountMail { id: Uuid::nil(), user_id: None, to: "ann@shop.example".to_owned(), mail }).unwrap();
    worker.registry.find("account_mail").unwrap().begin(&job).unwrap().await.unwrap();
    assert_eq!(post.messages().await.len(), 1);
    assert_ne!(renders(), before);
}

async fn refusals_say_whether_to_try_again(shop: TestShop) {
    let post = Post::open(&shop).await;
    let mail = sample("test", NOW).unwrap();
    let refused = post.app.mail().deliver("refused@shop.example", &mail, "1").await.unwrap_err();
    assert!(matches!(&refused, MailError::Permanent(text) if text.contains("550")), "{refused}");
    let busy = post.app.mail().deliver("busy@shop.example", &mail, "2").await.unwrap_err();
    assert!(matches!(&busy, MailError::Temporary(text) if text.contains("451")), "{busy}");
    let malformed = post.app.mail().deliver("ann@shop.example, bob@shop.example", &mail, "3").await.unwrap_err();
    assert!(matches!(malformed, MailError::Permanent(_)), "{malformed}");
    assert!(post.messages().await.is_empty());
    // What it rejects before it knows the recipient is about the shop, or itself.
    for (command, answer) in [
        ("", "554 5.3.2 no service here"),
        ("EHLO", "550 5.7.1 you are blocked"),
        ("AUTH", "535 5.7.8 who are you"),
        ("AUTH", "525 5.7.13 your account is disabled"),
        ("MAIL", "530 5.7.0 log in"),
        ("MAIL", "553 5.7.1 this is not your address"),
        ("RCPT", "530 5.7.0 log in"),
        ("DATA", "554 5.3.0 not now"),
    ] {
        let error = scripted(command, answer).await;
        assert!(matches!(&error, MailError::Temporary(text) if text.contains(&answer[4..])), "{command}: {error}");
    }
    // Its response repeats the address.
    let error = scripted("RCPT", "554 5.7.1 <ann@shop.example> no").await;
    assert!(matches!(&error, MailError::Permanent(text) if text.contains("<the recipient> no")), "{error}");
}

/// Who waits for a server that refuses the sender or the login waits in vain.
async fn a_test_that_is_not_accepted_names_the_settings(shop: TestShop) {
    let cookie = shop.sign_in("mail-tester", &["staff"]).await;
    let user_id = find_session(&shop.app, &cookie["session=".len()..]).await.unwrap().unwrap().user_id;
    let actor = Actor { user_id, role: Role::Staff, network: String::new(), device: String::new() };
    for (command, answer) in [("AUTH", "535 5.7.8 who are you"), ("MAIL", "553 5.7.1 this is not your address")] {
        let (url, server) = scripted_server(command, answer).await;
        let mails = MailService { mailer: Some(Arc::new(mailer(&url))), ..shop.app.mail() };
        let (status, outcome) = try_out(&mails, &actor, "ann@shop.example", "test").await.unwrap();
        server.abort();
        assert!(status == 502 && !outcome.accepted && outcome.detail.contains(&answer[4..]), "{outcome:?}");
        let names_settings = ["SHOP_MAIL_FROM", "SHOP_SMTP_URL"].iter().all(|name| outcome.message.contains(name));
        assert!(names_settings, "{outcome:?}");
    }
}

/// The result of sending to a server that responds like this to a command, or to the connection itself.
async fn scripted(command: &'static str, answer: &'static str) -> MailError {
    let (url, server) = scripted_server(command, answer).await;
    let error = mailer(&url).send(&message()).await.unwrap_err();
    server.abort();
    error
}

/// The address of such a server, and its task.
async fn scripted_server(command: &'static str, answer: &'static str) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("smtp://shop:secret@127.0.0.1:{}", listener.local_addr().unwrap().port());
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (mut buffer, mut said) = ([0; 1024], String::new());
        loop {
            let reply = match said.split_whitespace().next().unwrap_or_default() {
                verb if verb == command => answer,
                "" => "220 hello",
                "EHLO" => "250-hello\r\n250-STARTTLS\r\n250 AUTH PLAIN",
                "AUTH" => "235 welcome",
                // Encryption begins: it has failed.
                hello if hello.starts_with('\u{16}') => "\u{15}\u{3}\u{3}\0\u{2}\u{2}\u{28}",
                _ => "250 fine",
            };
            if stream.write_all(format!("{reply}\r\n").as_bytes()).await.is_err() {
                break;
            }
            match stream.read(&mut buffer).await {
                Ok(read @ 1..) => said = String::from_utf8_lossy(&buffer[..read]).into_owned(),
                _ => break,
            }
        }
    });
    (url, server)
}

async fn a_server_that_is_away_or_silent_is_temporary() {
    let url = format!("smtp://127.0.0.1:{}", free_port());
    let error = mailer(&url).send(&message()).await.unwrap_err();
    assert!(matches!(error, MailError::Temporary(_)), "{error}");
    let hangs_up = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("smtp://127.0.0.1:{}", hangs_up.local_addr().unwrap().port());
    let server = tokio::spawn(async move { while hangs_up.accept().await.is_ok() {} });
    let error = mailer(&url).send(&message()).await.unwrap_err();
    server.abort();
    assert!(matches!(error, MailError::Temporary(_)), "{error}");
}

async fn a_late_answer_counts_for_no_other_mail() {
    let mut server = AsciiServer::open().await;
    let patient = Duration::from_secs(60);
    let mailer = mailer(&server.url).answered_within(Duration::from_millis(100));
    let error = mailer.send(&message()).await.unwrap_err();
    assert!(matches!(&error, MailError::Unanswered(text) if text.contains("no answer")), "{error}");
    server.told.recv().await.expect("the server has the whole message");
    server.answers.send("250 2.0.0 kept, late").unwrap();
    server.answers.send("554 5.7.1 refused").unwrap();
    let mailer = mailer.answered_within(patient);
    let error = mailer.send(&message()).await.unwrap_err();
    assert!(matches!(&error, MailError::Permanent(text) if text.contains("5.7.1 refused")), "{error}");
    server.answers.send("250 2.0.0 kept").unwrap();
    assert_eq!(mailer.send(&message()).await.unwrap().answer, "250 2.0.0 kept");
}

async fn a_server_that_knows_ascii_only_gets_domains_in_ascii() {
    let mut server = AsciiServer::open().await;
    let settings = SmtpSettings::read(&server.url, "care@exämple.example").unwrap();
    let mailer = SmtpMailer::new(&settings).unwrap();
    let message =
        Message { to: "ann@exämple.example".to_owned(), reply_to: "help@exämple.example".to_owned(), ..message() };
    server.answers.send("250 kept").unwrap();
    mailer.send(&message).await.unwrap();
    let told = server.told.recv().await.unwrap();
    assert!(told.is_ascii(), "{told}");
    for line in [
        "MAIL FROM:<care@xn--exmple-cua.example>",
        "RCPT TO:<ann@xn--exmple-cua.example>",
        "To: ann@xn--exmple-cua.example",
    ] {
        assert!(told.lines().any(|each| each == line), "{line} is not in {told}");
    }
    assert!(told.contains("<help@xn--exmple-cua.example>"), "{told}");
    // What it repeats is the recipient's address, too.
    server.answers.send("554 5.7.1 <ann@xn--exmple-cua.example> no").unwrap();
    let error = mailer.send(&message).await.unwrap_err();
    assert!(matches!(&error, MailError::Permanent(text) if text.contains("<the recipient> no")), "{error}");
}

async fn what_a_server_that_knows_ascii_only_cannot_take_is_refused_for_good() {
    let mut server = AsciiServer::open().await;
    let to_zoe = Message { to: "zoë@shop.example".to_owned(), ..message() };
    let error = mailer(&server.url).send(&to_zoe).await.unwrap_err();
    assert!(matches!(&error, MailError::Permanent(text) if text.contains("SMTPUTF8")), "{error}");
    // Of replies to such an address the recipient's server may know nothing.
    let from_zoe = Message { reply_to: "zoë@shop.example".to_owned(), ..message() };
    server.answers.send("250 kept").unwrap();
    mailer(&server.url).send(&from_zoe).await.unwrap();
    let told = server.told.recv().await.unwrap();
    assert!(told.is_ascii() && !told.contains("Reply-To"), "{told}");
}

async fn nothing_goes_unencrypted_to_another_machine(shop: TestShop) {
    let post = Post::open(&shop).await;
    // The mailbox offers no encryption, as in a downgrade attack.
    for security in [Security::StartTls, Security::Encrypted] {
        let settings = SmtpSettings { security, ..post.mailbox.settings("care@shop.example") };
        let mailer = SmtpMailer::new(&settings).unwrap();
        let error = mailer.send(&message()).await.unwrap_err();
        assert!(matches!(error, MailError::Temporary(_)), "{security:?}: {error}");
    }
    assert!(post.messages().await.is_empty());
    for (url, security) in [("smtp://mail.example", Security::StartTls), ("smtps://mail.example", Security::Encrypted)]
    {
        assert_eq!(SmtpSettings::read(url, "care@shop.example").unwrap().security, security);
    }
}

/// Whoever is between the shop and the mail server adds an answer to that to STARTTLS, for a command that comes encrypted.
async fn what_was_said_before_encryption_is_no_answer() {
    let (url, server) = scripted_server("STARTTLS", "220 go\r\n250 hello").await;
    let settings = SmtpSettings::read(&url, "care@shop.example").unwrap();
    let mailer = SmtpMailer::new(&SmtpSettings { security: Security::StartTls, ..settings }).unwrap();
    let error = mailer.send(&message()).await.unwrap_err();
    server.abort();
    // It comes before what the server says about encryption.
    assert!(matches!(&error, MailError::Temporary(text) if text.contains("corrupt message")), "{error}");
}

async fn without_settings_mail_is_off(shop: TestShop) {
    assert!(shop.app.parts.mailer.is_none(), "the tests' shop has no mail server");
    let delivery = shop.app.mail().deliver("ann@shop.example", &sample("test", NOW).unwrap(), "1").await.unwrap();
    assert_eq!(delivery, SendOutcome::Off);
    let staff = shop.sign_in("mail-staff", &["staff"]).await;
    let fields = [("to", "ann@shop.example"), ("kind", "test")];
    let answer = shop.form("/test-email", &staff, "same-origin", &fields).await;
    assert!(answer.assert_status(503).root().contains("Email is off."));
}

async fn staff_send_a_test_and_read_what_the_server_said(shop: TestShop) {
    let post = Post::open(&shop).await;
    let form = post.shop.call("GET", "/test-email", &post.staff, Value::Null).await;
    assert!(form.assert_status(200).root().contains("mail-staff@shop.example"), "an address is proposed");
    for (kind, label) in KINDS {
        assert!(form.root().contains(&format!("value=\"{kind}\"")) && form.root().contains(label));
        let answer = post.send(&format!("to=+ann%40shop.example&kind={kind}")).await;
        let outcome = answer.assert_status(200).envelope()["props"]["outcome"].clone();
        assert_eq!(outcome["accepted"], true);
        let newest = &post.messages().await[0];
        assert!(outcome["detail"].as_str().unwrap().contains(newest["message_id"].as_str().unwrap()));
        assert!(answer.root().contains("The mail server accepted the message."));
    }
    assert_eq!(post.messages().await.len(), KINDS.len());
    for (body, status, says) in [
        ("to=refused%40shop.example&kind=test", 502, "nobody of that name lives here"),
        ("to=busy%40shop.example&kind=test", 502, "come back later"),
        ("to=ann&kind=test", 422, "Enter one email address"),
        ("to=ann%40shop.example%0ABcc%3Ab%40c&kind=test", 422, "Enter one email address"),
        ("to=ann%40shop.example&kind=nonsense", 422, "Choose an email type."),
        ("", 422, "Choose an email type."),
    ] {
        let answer = post.send(body).await;
        assert!(answer.assert_status(status).root().contains(says), "{body}: {}", answer.root());
        assert_eq!(answer.envelope()["props"]["outcome"]["accepted"], false);
    }
    assert_eq!(post.messages().await.len(), KINDS.len());
    let admin = post.shop.sign_in("mail-admin", &["admin"]).await;
    let log = post.shop.call("GET", "/admin/audit/_payload.json?q=testing.mail", &admin, Value::Null).await;
    let entry = &log.assert_status(200).json()["props"]["entries"][0];
    assert_eq!(entry["after"], json!({ "domain": "shop.example" }), "without the whole address");
    let fields = [("to", "ann@shop.example"), ("kind", "test")];
    let sent = post.shop.form("/test-email", &post.staff, "cross-site", &fields).await;
    assert!([400, 403].contains(&sent.status.as_u16()), "{}", sent.status);
}

async fn the_test_page_lets_nobody_else_in(shop: TestShop) {
    assert_eq!(
        shop.get("/test-email").await.assert_status(303).header("location"),
        "/auth/login?return_to=%2Ftest-email"
    );
    shop.get("/test-email/_payload.json").await.assert_status(401);
    let sent = shop.post("/test-email", FORM, "to=ann%40shop.example&kind=test").await;
    assert!([303, 401].contains(&sent.status.as_u16()), "{}", sent.status);
    let shopper = shop.sign_in("test-page-shopper", &["customer"]).await;
    shop.call("GET", "/test-email", &shopper, Value::Null).await.assert_status(403);
    let staff = shop.sign_in("test-page-staff", &["staff"]).await;
    let page = shop.call("GET", "/test-email", &staff, Value::Null).await;
    assert_eq!(page.assert_status(200).envelope()["props"]["to"], "test-page-staff@shop.example", "to themselves");
    assert_eq!(page.header("cache-control"), "private, no-store");
}

async fn the_mailbox_survives_nonsense(shop: TestShop) {
    let post = Post::open(&shop).await;
    for raw in [
        &b"\0\xff\xfe\r\n\r\n\r\nQUIT\r\n"[..],
        b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n\xff\xff no headers at all\r\n.\r\nQUIT\r\n",
        b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n--x\r\n.\r\nQUIT\r\n",
        b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\nSubject: cut off",
        b"GET / HTTP/1.1\r\n",
    ] {
        post.talk(raw).await;
    }
    post.talk(&vec![b'x'; 200_000]).await;
    assert_eq!(post.messages().await.len(), 2, "what was whole is kept");
    let pages = reqwest::get(post.mailbox.origin()).await.unwrap();
    assert!(pages.text().await.unwrap().contains("(no subject)"));
    post.app.mail().deliver("ann@shop.example", &sample("test", NOW).unwrap(), "1").await.unwrap();
}

async fn the_mailbox_refuses_what_is_too_large(shop: TestShop) {
    let post = Post::open(&shop).await;
    let mut raw = b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n".to_vec();
    raw.extend("x".repeat(1_000).repeat(3_000).as_bytes().chunks(1_000).flat_map(|line| [line, b"\r\n"].concat()));
    raw.extend(b".\r\n");
    let small = b"EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n..dot\r\n.\r\nQUIT\r\n";
    let said = post.talk(&[&raw[..], small].concat()).await;
    assert!(said.contains("552 5.3.4"), "{said}");
    assert!(said.contains("250 2.0.0 kept"), "the conversation goes on: {said}");
    let id = post.messages().await[0]["id"].as_str().unwrap().to_owned();
    let kept =
        reqwest::get(format!("{}/messages/{id}/raw", post.mailbox.origin())).await.unwrap().text().await.unwrap();
    assert_eq!(kept, "Return-Path: <a@b>\r\nDelivered-To: c@d\r\n.dot\r\n");
}

async fn the_mailbox_shows_messages_without_running_them(shop: TestShop) {
    let post = Post::open(&shop).await;
    let origin = post.mailbox.origin();
    let empty = reqwest::get(&origin).await.unwrap().text().await.unwrap();
    assert!(empty.contains("No emails yet."), "{empty}");
    let html = "EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\nSubject: <script>alert(1)</script>\r\nContent-Type: text/html\r\n\r\n<html><head></head><script>alert(2)</script></html>\r\n.\r\nQUIT\r\n";
    post.talk(html.as_bytes()).await;
    let list = reqwest::get(&origin).await.unwrap().text().await.unwrap();
    assert!(list.contains("&lt;script&gt;alert(1)") && !list.contains("<script"), "{list}");
    let id = post.messages().await[0]["id"].as_str().unwrap().to_owned();
    let page = reqwest::get(format!("{origin}/messages/{id}")).await.unwrap().text().await.unwrap();
    assert!(
        page.contains("<iframe title=\"HTML part\" sandbox=\"allow-popups allow-popups-to-escape-sandbox\"")
            && !page.contains("<script")
    );
    let part = reqwest::get(format!("{origin}/messages/{id}/html")).await.unwrap();
    let policy = part.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(
        policy.starts_with("sandbox ") && !policy.contains("allow-scripts") && policy.contains("default-src 'none'")
    );
    assert!(part.text().await.unwrap().contains("<head><base target=\"_blank\">"));
    for missing in ["messages/nonsense", "messages/00000000-0000-0000-0000-000000000000", "messages/../secret"] {
        assert!(reqwest::get(format!("{origin}/{missing}")).await.unwrap().status().is_client_error(), "{missing}");
    }
}

fn mailer(url: &str) -> SmtpMailer {
    let settings = SmtpSettings::read(url, "care@shop.example").unwrap();
    SmtpMailer::new(&settings).unwrap()
}

fn message() -> Message {
    Message {
        id: "1".to_owned(),
        to: "ann@shop.example".to_owned(),
        subject: "Hello".to_owned(),
        html: "<p>Hello</p>".to_owned(),
        text: "Hello".to_owned(),
        company: "Cardinal & Briar".to_owned(),
        reply_to: "care@shop.example".to_owned(),
        written_at: 0,
    }
}

/// A mail server without extensions. It answers each message with the next of `answers`, for which it waits.
struct AsciiServer {
    url: String,
    answers: UnboundedSender<&'static str>,
    /// What was said up to the end of each message.
    told: UnboundedReceiver<String>,
    _task: JoinSet<()>,
}

impl AsciiServer {
    async fn open() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("smtp://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let (answers, mut next) = unbounded_channel();
        let (tell, told) = unbounded_channel();
        let mut task = JoinSet::new();
        task.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                // The client may have gone away.
                let _ = converse(stream, &mut next, &tell).await;
            }
        });
        Self { url, answers, told, _task: task }
    }
}

async fn converse(
    stream: TcpStream,
    answers: &mut UnboundedReceiver<&'static str>,
    tell: &UnboundedSender<String>,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let (mut told, mut is_message) = (String::new(), false);
    stream.write_all(b"220 hello\r\n").await?;
    loop {
        let begin = told.len();
        if stream.read_line(&mut told).await? == 0 {
            return Ok(());
        }
        let reply = match told[begin..].trim_end() {
            "." if is_message => {
                is_message = false;
                let _ = tell.send(std::mem::take(&mut told));
                answers.recv().await.unwrap_or("421 nobody answers")
            }
            _ if is_message => continue,
            "DATA" => {
                is_message = true;
                "354 go on"
            }
            _ => "250 fine",
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
    }
}

/// A shop with a separate mailbox.
struct Post {
    app: App,
    shop: TestShop,
    /// The cookie of a staff member.
    staff: String,
    mailbox: Mailbox,
}

impl Post {
    /// Shares the database and the clock of the common shop: sending email changes nothing there that others look at.
    async fn open(shop: &TestShop) -> Self {
        let mailbox = Mailbox::start(&temporary_folder(), 0).await.unwrap();
        let mut config = Config::clone(&shop.app.config);
        config.mail = Some(mailbox.settings(&config.company.email));
        let rendering = config.rendering.clone();
        let site = tokio::task::spawn_blocking(move || Site::embedded(&shop::bundle::BUNDLE, &rendering))
            .await
            .unwrap()
            .unwrap();
        let clock = Arc::clone(&shop.clock) as Arc<dyn Clock>;
        let app = App::build(config, clock, shop.app.db.clone(), std::future::ready(Ok(site))).await.unwrap();
        let router = router(app.clone(), PAGES).unwrap();
        let shop = TestShop { app: app.clone(), router, ..shop.clone() };
        let staff = shop.sign_in("mail-staff", &["staff"]).await;
        Self { shop, staff, app, mailbox }
    }

    async fn send(&self, form: &str) -> Answer {
        let fields: Vec<(String, String)> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.shop.form("/test-email", &self.staff, "same-origin", &fields).await
    }

    async fn messages(&self) -> Vec<Value> {
        let url = format!("{}/messages.json", self.mailbox.origin());
        reqwest::get(url).await.unwrap().json().await.unwrap()
    }

    /// Sends all of it at once and reads until the other side closes the connection or stops responding.
    async fn talk(&self, raw: &[u8]) -> String {
        let mut stream = TcpStream::connect(self.mailbox.smtp_address()).await.unwrap();
        let (mut read, mut write) = stream.split();
        let speak = async {
            // The server may close the connection early.
            let _ = write.write_all(raw).await;
            let _ = write.shutdown().await;
        };
        let mut said = Vec::new();
        let listen = async { while read.read_buf(&mut said).await.is_ok_and(|read| read > 0) {} };
        tokio::join!(speak, listen);
        String::from_utf8_lossy(&said).into_owned()
    }
}
