//! The email with the link that confirms a pickup order, or one that is shipped for nothing.

use shop_base::clock;
use shop_base::money::Money;
use shop_platform::mail::mailer::MailError;
use shop_platform::mail::model::{Mail, MailLine, PickupToConfirmMail};
use shop_platform::mail::service::MailService;
use uuid::Uuid;

use super::order::OrderMailError;
use crate::sales::links::PICKUPS;
use crate::sales::records::orders::service as orders;
use crate::sales::records::pickups::store;

/// Emails the link to the buyer, unless it is no longer valid. The email contains no text that a visitor typed: the recipient may not have
/// ordered anything.
pub async fn send(mails: &MailService, link: Uuid) -> Result<(), OrderMailError> {
    let cx = &mails.cx;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let Some(link) = store::find_link(&mut conn, link).await?.filter(|link| link.is_good(cx.clock.now_ms())) else {
        return Ok(());
    };
    let Some(order) = orders::find(&mut conn, link.order_id).await? else { return Ok(()) };
    let lines = orders::list_lines(&mut conn, order.id).await?;
    drop(reader);
    let path = PICKUPS.path(cx, link.id, &link.token_sealed);
    let ends = clock::timestamp(link.expires_at).to_zoned(cx.zone().clone());
    let mail = Mail::PickupToConfirm(PickupToConfirmMail {
        lines: lines
            .into_iter()
            .map(|line| MailLine {
                title: line.title,
                variant: line.variant_title,
                quantity: line.quantity,
                amount: Money::usd(line.unit_price * line.quantity),
            })
            .collect(),
        total: Money::usd(order.total),
        picked_up: order.picked_up,
        good_until: ends.strftime("%B %-d, %-I:%M %p %Z").to_string(),
        confirm_path: path.ok_or_else(|| MailError::Permanent("the link's secret cannot be read".to_owned()))?,
    });
    mails.deliver(&order.email, &mail, &link.id.to_string()).await?;
    Ok(())
}
