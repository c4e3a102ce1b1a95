//! The email with the link to a draft order.

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_base::money::Money;
use shop_platform::mail::mailer::MailError;
use shop_platform::mail::model::{Mail, MailAmount, MailLine, MailTotals, OrderToPayMail};
use shop_platform::mail::service::MailService;
use uuid::Uuid;

use super::order::OrderMailError;
use crate::sales::flows::draft_step::own_request;
use crate::sales::flows::quote::{Quoted, quote};
use crate::sales::links::DRAFTS;
use crate::sales::records::draft_orders::model::DraftState;
use crate::sales::records::draft_orders::rows::Draft;
use crate::sales::records::draft_orders::store;

/// Emails the recipient of a draft order with its current state; `sending` is the same for every retry. A draft that is paid, expired or
/// withdrawn gets no email, and one that cannot be paid as it was promised gets it later: it would name fewer goods and another total.
pub async fn send(mails: &MailService, draft: Uuid, sending: Uuid) -> Result<(), OrderMailError> {
    let cx = &mails.cx;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let Some(draft) = store::find_draft(&mut conn, draft).await? else { return Ok(()) };
    if draft.state(cx.clock.now_ms()) != DraftState::Open {
        return Ok(());
    }
    let request = own_request(&mut conn, &draft).await?;
    let quoted = quote(cx, &mut conn, &request).await?;
    drop(reader);
    if let Some(problem) = quoted.view.problems.first() {
        return Err(MailError::Temporary(format!("the draft order cannot be paid: {}", problem.message)).into());
    }
    let path = DRAFTS.path(cx, draft.id, &draft.token_sealed);
    let path = path.ok_or_else(|| MailError::Permanent("the link's secret cannot be read".to_owned()))?;
    let mail = Mail::OrderToPay(order_to_pay(cx, &draft, &quoted, path)?);
    mails.deliver(&draft.email, &mail, &sending.to_string()).await?;
    Ok(())
}

fn order_to_pay(cx: &Context, draft: &Draft, quoted: &Quoted, pay_path: String) -> Result<OrderToPayMail, DbError> {
    let view = &quoted.view;
    let usd = Money::usd;
    let lines = quoted.goods.iter().map(|(variant, quantity)| MailLine {
        title: variant.title.clone(),
        variant: variant.variant_title.clone(),
        quantity: *quantity,
        amount: usd(variant.price * quantity),
    });
    let discounts = view
        .promo
        .iter()
        .filter(|_| view.discount > 0)
        .map(|promo| MailAmount { label: format!("Promo code {}", promo.code), amount: usd(-view.discount) });
    let taxes = view.taxes.iter().map(|tax| MailAmount { label: tax.name.clone(), amount: usd(tax.amount) });
    let totals = view.total.map(|total| MailTotals {
        subtotal: usd(view.subtotal),
        discounts: discounts.collect(),
        shipping: usd(view.shipping.unwrap_or_default()),
        taxes: taxes.collect(),
        total: usd(total),
    });
    Ok(OrderToPayMail {
        number: draft.number.clone(),
        message: draft.message.clone(),
        good_until: draft.last_day(cx.zone()),
        lines: lines.collect(),
        totals,
        shipping_method: quoted.option.as_ref().map(|option| option.name.clone()).unwrap_or_default(),
        address: if draft.picked_up() { Vec::new() } else { draft.address()?.lines() },
        adult_signature: view.adult_signature,
        pay_path,
    })
}
