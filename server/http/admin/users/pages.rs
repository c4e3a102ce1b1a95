//! The page of a user.

use axum::extract::State;
use serde::Serialize;
use shop_base::clock::local_time;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_base::role::Role;
use shop_domain::customers::model::AddressView;
use shop_domain::identity::model::SessionView;
use shop_domain::sales::status::{FulfillmentStatus, PaymentStatus};
use shop_domain::{age, customers, identity};
use shop_platform::audit::model::Actor;
use shop_platform::web::extract::Id;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use super::queries;
use crate::admin::admin_meta;
use crate::admin::rights::Permission;

/// One user. Times are those of the shop's zone, amounts minor units.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserPage {
    pub id: Uuid,
    /// Must be sent with a change.
    pub version: i64,
    pub name: String,
    pub email: String,
    pub is_email_verified: bool,
    pub phone: String,
    pub role: Role,
    /// The roles that the identity provider lists.
    pub listed_roles: Vec<String>,
    /// The role that a super admin has assigned.
    pub assigned_role: Option<Role>,
    pub since: String,
    pub signed_in: String,
    pub blocked_since: Option<String>,
    pub block_reason: String,
    pub is_deleted: bool,
    pub age_proof: Option<AgeProofView>,
    pub sessions: Vec<SessionItem>,
    pub addresses: Vec<AddressView>,
    pub order_count: i64,
    pub spent: i64,
    /// The newest orders.
    pub orders: Vec<BoughtItem>,
    /// Whether there are older ones.
    pub has_older_orders: bool,
    /// Whether the signed-in user may change this account at all.
    pub may_manage: bool,
    pub may_change_role: bool,
}

impl PageProps for UserPage {
    const NAME: &'static str = "admin/user";
}

/// That the age was verified, and when; never a date of birth.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgeProofView {
    pub verified: String,
    pub expires: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SessionItem {
    pub id: Uuid,
    pub device: String,
    pub network: String,
    pub seen: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BoughtItem {
    pub number: String,
    pub placed: String,
    pub total: i64,
    pub status: String,
    pub payment_status: PaymentStatus,
    pub fulfillment_status: FulfillmentStatus,
}

/// Orders that the page of a user shows; the rest are in the list of orders.
const ORDERS: usize = 20;

/// `GET /admin/users/{id}`
pub async fn user(State(cx): State<Context>, actor: Actor, Id(id): Id) -> Result<Page, Error> {
    let now = cx.clock.now_ms();
    let zone = cx.zone();
    let path = format!("/admin/users/{id}");
    let missing = || Error::Refused { full_path: path.clone() };
    let account = identity::accounts::find(&cx, id).await?.ok_or_else(missing)?;
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let age_proof = age::service::find_age_proof(&mut conn, id, now).await?;
    let sessions = identity::service::list_sessions_of(&cx, &mut conn, id, Some(account.role), None).await?;
    let addresses = customers::service::list_addresses(&mut conn, id).await?;
    let (order_count, spent) = queries::find_totals(&mut conn, id).await?;
    let mut orders = queries::list_bought(&mut conn, id, ORDERS as i64 + 1).await?;
    drop(reader);
    let has_older_orders = orders.len() > ORDERS;
    orders.truncate(ORDERS);
    let is_other = id != actor.user_id && account.deleted_at.is_none();
    let outranks = actor.role == Role::SuperAdmin || account.role > actor.role;
    let session = |view: SessionView| SessionItem {
        id: view.id,
        device: view.device,
        network: view.network,
        seen: local_time(view.seen_at, zone),
    };
    let title = match (account.deleted_at, account.name.as_str()) {
        (Some(_), _) => "Deleted account".to_owned(),
        (None, "") => "Account".to_owned(),
        (None, name) => name.to_owned(),
    };
    let props = UserPage {
        id,
        version: account.version,
        name: account.name,
        email: account.email,
        is_email_verified: account.email_verified,
        phone: account.phone,
        role: account.role,
        listed_roles: serde_json::from_str(&account.roles).unwrap_or_default(),
        assigned_role: account.assigned_role.and_then(|role| role.try_into().ok()),
        since: local_time(account.created_at, zone),
        signed_in: local_time(account.signed_in_at, zone),
        // Of an erased account the time is left, but not why.
        blocked_since: account.blocked_at.filter(|_| account.deleted_at.is_none()).map(|at| local_time(at, zone)),
        block_reason: account.block_reason,
        is_deleted: account.deleted_at.is_some(),
        age_proof: age_proof.map(|proof| AgeProofView {
            verified: local_time(proof.verified_at, zone),
            expires: local_time(proof.expires_at, zone),
        }),
        sessions: sessions.into_iter().map(session).collect(),
        addresses,
        order_count,
        spent,
        orders: orders
            .into_iter()
            .map(|row| BoughtItem {
                number: row.number,
                placed: local_time(row.placed_at, zone),
                total: row.total,
                status: row.status,
                payment_status: row.payment_status,
                fulfillment_status: row.fulfillment_status,
            })
            .collect(),
        has_older_orders,
        may_manage: is_other && outranks && Permission::ManageUsers.is_held_by(Some(actor.role)),
        may_change_role: is_other && Permission::ChangeRoles.is_held_by(Some(actor.role)),
    };
    Page::new(path.clone(), &props, admin_meta(title))
}
