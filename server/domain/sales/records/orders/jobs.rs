//! Background jobs of orders.

use serde::{Deserialize, Serialize};
use shop_platform::jobs::model::{Job, Kind, Lane};
use uuid::Uuid;

use super::model::OrderNews;

/// Emails an order's buyer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SendOrderMail {
    pub order: Uuid,
    pub news: OrderNews,
    /// Identifies an additional sending of the same news.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Uuid>,
}

impl Job for SendOrderMail {
    const KIND: Kind = Kind::new("order_mail", Lane::Mail, 36);
}
