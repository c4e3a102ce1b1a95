//! The pages of the demonstration's identity provider. They fit a window of 400 × 600 and need no scripts.

use std::fmt::Write;

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::IntoResponse;
use shop_base::html::Escaped;

use super::state::Account;

/// How many accounts are offered at once; the newest come first.
const MOST: usize = 8;

/// The accounts to choose from and a form for a new one.
pub fn sign_in(
    shop: &str,
    accounts: &[Account],
    request: &str,
    new: bool,
    problem: Option<&str>,
) -> impl IntoResponse + use<> {
    let request = Escaped(request);
    let hidden = format!("<input type=\"hidden\" name=\"request\" value=\"{request}\">");
    let mut html =
        String::from("<h1>Sign in</h1><p class=\"note\">This is a demo. Pick any account. No password needed.</p>");
    let mut list = String::new();
    // The four built-in accounts, then the newest.
    let (own, signed_up) = accounts.split_at(accounts.len().min(4));
    for account in own.iter().chain(signed_up.iter().rev().take(MOST - own.len())) {
        let role = account.roles.first().map_or("no role", String::as_str).replace('_', " ");
        // Writing to a String cannot fail.
        let _ = write!(
            list,
            "<li><button name=\"account\" value=\"{}\"><b>{}</b><span>{}</span><i>{role}</i></button></li>",
            Escaped(&account.sub),
            Escaped(&account.name),
            Escaped(&account.email)
        );
    }
    let accounts = format!("<form method=\"post\" action=\"/sign-in\">{hidden}<ul>{list}</ul></form>");
    let problem = problem.map(|text| format!("<p role=\"alert\" class=\"problem\">{text}</p>")).unwrap_or_default();
    let open = if new { " open" } else { "" };
    let form = format!(
        "<details{open}><summary>Create an account</summary><form method=\"post\" action=\"/sign-in\">{hidden}{problem}\
         <label>Name<input name=\"name\" autocomplete=\"name\" required maxlength=\"80\"></label>\
         <label>Email<input name=\"email\" type=\"email\" autocomplete=\"email\" required></label>\
         <button class=\"main\">Create account</button></form></details>"
    );
    html.push_str(&if new { form + &accounts } else { accounts + &form });
    let _ = write!(
        html,
        "<form method=\"post\" action=\"/sign-in\">{hidden}<button class=\"quiet\" name=\"cancel\" value=\"1\">Cancel</button></form>"
    );
    page("Sign in", &html, shop)
}

/// The signed-in account. A demonstration has nothing to change here, unlike a real provider.
pub fn account(account: Option<&Account>, shop: &str) -> impl IntoResponse + use<> {
    let who = match account {
        Some(Account { name, email, .. }) => {
            format!("<p><b>{}</b><br>{}</p>", Escaped(name), Escaped(email))
        }
        None => "<p>You are not signed in here.</p>".to_owned(),
    };
    let html = format!(
        "<h1>Your sign-in account</h1>{who}<p class=\"note\">A demonstration: your identity provider lets you change your email, \
         your password and your connected accounts on this page.</p><p><a href=\"{shop}/account\">Back to the shop</a></p>"
    );
    page("Your sign-in account", &html, "")
}

/// A page with one sentence.
pub fn refused(message: &str) -> impl IntoResponse + use<> {
    page("Sign in", &format!("<h1>Sign in</h1><p>{message}</p>"), "")
}

fn page(title: &str, body: &str, shop: &str) -> impl IntoResponse + use<> {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} (demo)</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"stylesheet\" href=\"/style.css\"></head><body><main>{body}</main></body></html>"
    );
    // The policy also applies to the redirect that follows the form, so it includes the shop.
    let policy = format!(
        "default-src 'none'; style-src 'self'; form-action 'self' {shop}; frame-ancestors 'none'; base-uri 'none'"
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'")),
        ),
        (HeaderName::from_static("referrer-policy"), HeaderValue::from_static("same-origin")),
    ];
    (headers, html)
}

/// `GET /style.css`
pub async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("text/css"))], include_str!("style.css"))
}
