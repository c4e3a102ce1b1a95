//! One draft order, and the form that changes it.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use shop_base::address::Address;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::identity;
use shop_domain::sales::flows::draft_step;
use shop_domain::sales::flows::quote::{Quote, quote};
use shop_domain::sales::links::DRAFTS;
use shop_domain::sales::records::draft_orders::model::DraftState;
use shop_domain::sales::records::draft_orders::rows::Draft;
use shop_domain::sales::records::{draft_orders, orders};
use shop_domain::sales::status::PaymentStatus;
use shop_platform::audit::model::Actor;
use shop_platform::settings::texts::Texts;
use shop_platform::web::extract::{Asked, Number};
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use crate::admin::admin_meta;
use crate::admin::orders::pages::{DraftAccount, DraftForm, DraftLine, NewOrderPage};
use crate::admin::rights::Permission;
use crate::admin::users::queries::list_names;

#[derive(Debug, Serialize, ToSchema)]
pub struct DraftPage {
    pub draft: DraftView,
}

impl PageProps for DraftPage {
    const NAME: &'static str = "admin/draft";
}

/// Times are those of the shop's time zone, `2026-11-21T12:00:05`.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftView {
    pub number: String,
    pub version: i64,
    pub state: DraftState,
    pub made: String,
    pub made_by: String,
    /// The last second in which it can be paid.
    pub expires: String,
    pub mailed: Option<String>,
    /// The account it was made for.
    pub user_id: Option<Uuid>,
    pub name: String,
    pub email: String,
    pub phone: String,
    /// None for pickup.
    pub address: Option<Address>,
    pub delivery: String,
    pub message: String,
    pub promo_code: Option<String>,
    pub lines: Vec<DraftLine>,
    /// Its total when its prices were promised, minor units.
    pub total: i64,
    /// What the buyer would be quoted now, as long as it can be paid.
    pub quote: Option<Quote>,
    /// Absolute; only for users who may send it.
    pub link: Option<String>,
    pub order: Option<DraftsOrder>,
    /// The signed-in user may change, send and withdraw it.
    pub may_change: bool,
}

/// The order placed from a draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftsOrder {
    pub number: String,
    pub payment_status: PaymentStatus,
}

/// `GET /admin/orders/drafts/{number}`
pub async fn draft(
    State(cx): State<Context>,
    actor: Actor,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let found = draft_orders::service::find_by_number(&mut conn, &number).await?;
    let draft = found.ok_or_else(|| asked.refused())?;
    let (zone, state) = (cx.zone(), draft.state(cx.clock.now_ms()));
    let may_manage = Permission::ManageOrders.is_held_by(Some(actor.role));
    let quote = match state {
        DraftState::Open => {
            let request = draft_step::own_request(&mut conn, &draft).await?;
            Some(quote(&cx, &mut conn, &request).await?.view)
        }
        DraftState::Expired | DraftState::Placed | DraftState::Withdrawn => None,
    };
    let order = match draft.order_id {
        Some(order) => orders::service::find(&mut conn, order).await?,
        None => None,
    };
    let names = list_names(&mut conn, &[draft.made_by]).await?;
    let path = DRAFTS.path(&cx, draft.id, &draft.token_sealed).filter(|_| may_manage && state == DraftState::Open);
    let address = draft.address()?;
    let delivery = queries::find_delivery(&mut conn, &draft.shipping_method).await?;
    let view = DraftView {
        lines: lines(queries::list_goods(&mut conn, draft.id).await?),
        state,
        made: local_time(draft.created_at, zone),
        made_by: names.get(&draft.made_by).cloned().unwrap_or_default(),
        expires: local_time(draft.expires_at - 1, zone),
        mailed: draft.mailed_at.map(|at| local_time(at, zone)),
        name: address.full_name(),
        address: (!draft.picked_up()).then_some(address),
        delivery: delivery.unwrap_or_else(|| draft.shipping_method.clone()),
        quote,
        link: path.map(|path| format!("{}{path}", cx.config.http.origin())),
        order: order.map(|order| DraftsOrder { number: order.number, payment_status: order.payment_status }),
        may_change: may_manage && matches!(state, DraftState::Open | DraftState::Expired),
        user_id: draft.user_id,
        email: draft.email,
        phone: draft.phone,
        message: draft.message,
        promo_code: draft.promo_code,
        total: draft.total,
        version: draft.version,
        number: draft.number,
    };
    drop(reader);
    let meta = admin_meta(format!("Draft order {}", view.number));
    Page::new(asked.path, &DraftPage { draft: view }, meta)
}

/// `GET /admin/orders/drafts/{number}/edit`
pub async fn edit(
    State(cx): State<Context>,
    State(texts): State<Arc<Texts>>,
    Number(number): Number,
    asked: Asked,
) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let now = cx.clock.now_ms();
    let is_editable = |draft: &Draft| matches!(draft.state(now), DraftState::Open | DraftState::Expired);
    let found = draft_orders::service::find_by_number(&mut conn, &number).await?.filter(is_editable);
    let draft = found.ok_or_else(|| asked.refused())?;
    let goods = queries::list_goods(&mut conn, draft.id).await?;
    drop(reader);
    let account = match draft.user_id {
        Some(id) => identity::accounts::find(&cx, id).await?,
        None => None,
    };
    // An erased one has neither name nor address, until its drafts let go of it.
    let account = account.filter(|account| account.deleted_at.is_none());
    let form = DraftForm {
        lines: lines(goods),
        address: draft.address()?,
        user_id: draft.user_id,
        account: account.map(|account| DraftAccount {
            name: account.name,
            email: account.email,
            email_verified: account.email_verified,
        }),
        email: draft.email,
        phone: draft.phone,
        shipping_method: draft.shipping_method,
        promo_code: draft.promo_code.unwrap_or_default(),
        message: draft.message,
        version: draft.version,
        number: draft.number,
    };
    let meta = admin_meta(format!("Change draft order {}", form.number));
    Page::new(asked.path, &NewOrderPage::of(&cx, &texts, Some(form)), meta)
}

fn lines(goods: Vec<queries::DraftGoods>) -> Vec<DraftLine> {
    let line = |goods: queries::DraftGoods| DraftLine {
        sku: goods.sku,
        title: goods.title,
        variant: goods.variant_title,
        quantity: goods.quantity,
        unit_price: goods.unit_price,
        price: goods.price,
    };
    goods.into_iter().map(line).collect()
}
