//! The merchant's dashboard of the demonstration: payments and refunds, newest first, and test cards to use.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use shop_base::clock::timestamp;
use shop_base::html::Escaped;
use shop_base::money::Money;

use super::bank::Bank;

/// Rows of each table.
const SHOWN: usize = 200;

const STYLE: &str = include_str!("browser/dashboard.css");

const HEAD: &str = "<h1>Square stand-in</h1>
<p>What Square's dashboard would show for the demo shop. No money moves, and real cards don't work.</p>
<p>Test cards: <code>4111 1111 1111 1111</code> is approved, <code>4000 0000 0000 0002</code> is declined, \
<code>5248 4800 0021 0034</code> asks for verification code <code>123456</code>. Any future date, security code \
<code>111</code> (<code>911</code> fails), any ZIP code (<code>99999</code> fails), expiration <code>01/40</code> fails.</p>";

/// `GET /`
pub async fn page(State(bank): State<Arc<Bank>>) -> impl IntoResponse {
    let ledger = bank.ledger();
    let mut rows = String::new();
    for payment in ledger.payments.sorted().rev().take(SHOWN) {
        let card = format!("{} {}", payment.card.brand, payment.card.last_4);
        let note = payment.note.as_deref().unwrap_or_default();
        let refunded = if payment.refunded > 0 { dollars(payment.refunded) } else { String::new() };
        row(
            &mut rows,
            payment.status.name(),
            payment.created_at,
            &payment.amount,
            [&refunded, &card, note],
            &payment.id,
        );
    }
    let payments = table(
        "Payments",
        &["Status", "Time (UTC)", "Amount", "Refunded", "Card", "Note", "Id"],
        &rows,
        "No payments yet.",
    );
    let mut rows = String::new();
    for refund in ledger.refunds.sorted().rev().take(SHOWN) {
        let reason = refund.reason.as_deref().unwrap_or_default();
        row(&mut rows, refund.status.name(), refund.created_at, &refund.amount, [reason], &refund.id);
    }
    let refunds = table("Refunds", &["Status", "Time (UTC)", "Amount", "Reason", "Id"], &rows, "No refunds yet.");
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Square stand-in</title><style>{STYLE}</style></head><body><main>{HEAD}\
         {payments}{refunds}</main></body></html>"
    );
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
    ([(header::CONTENT_SECURITY_POLICY, policy), (header::CACHE_CONTROL, "no-store")], Html(page))
}

fn dollars(amount: i64) -> String {
    format!("${}", Money::usd(amount).decimal())
}

fn table(title: &str, columns: &[&str], rows: &str, empty: &str) -> String {
    if rows.is_empty() {
        return format!("<h2>{title}</h2><p>{empty}</p>");
    }
    let head: String = columns.iter().map(|column| format!("<th scope=\"col\">{column}</th>")).collect();
    format!(
        "<h2>{title}</h2><div class=\"scroll\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

fn row<const N: usize>(out: &mut String, status: &str, at: i64, amount: &Money, texts: [&str; N], id: &str) {
    let cells: String = texts.iter().map(|text| format!("<td>{}</td>", Escaped(text))).collect();
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "<tr><td><span class=\"status {status}\">{status}</span></td><td>{}</td><td class=\"money\">{}</td>{cells}\
         <td><code>{}</code></td></tr>",
        timestamp(at).strftime("%Y-%m-%d %H:%M:%S"),
        dollars(amount.amount),
        Escaped(id),
    );
}
