//! Actions of the demonstration's staff on the orders of its history.

use shop_base::role::Role;
use shop_domain::identity::model::{Profile, SignIn};
use shop_domain::identity::service::{Device, start_session};
use shop_domain::sales::flows::add_refund;
use shop_domain::sales::flows::ship::{Shipment, ship as ship_parcel};
use shop_domain::sales::records::fulfillment::model::LineQuantity;
use shop_domain::sales::records::orders::service as orders;
use shop_domain::sales::records::payments::attempts;
use shop_platform::audit::model::Actor;

use super::Failure;
use crate::app::App;

/// Creates the account of a staff member by signing in once.
pub async fn sign_in(app: &App) -> Result<Actor, Failure> {
    let issuer = app.config.identity.as_ref().map(|identity| identity.issuer.to_string()).unwrap_or_default();
    let profile = Profile {
        issuer,
        subject: "demo-staff".to_owned(),
        email: "staff@cardinal-and-briar.example".to_owned(),
        email_verified: true,
        name: "Sample Staff".to_owned(),
        roles: vec![Role::Staff.name().to_owned()],
    };
    let authenticated_at = app.clock.now_ms();
    let sign_in = SignIn { profile, authenticated_at, methods: Vec::new(), provider_session: None, tokens: None };
    let device = Device { name: "Firefox on Linux".to_owned(), network: "127.0.0.0".to_owned() };
    start_session(app, &app.parts.identity, &sign_in, authenticated_at, &device)
        .await
        .map_err(|error| error.message())?;
    let user_id = super::store::find_user(&mut app.db.read().await?.conn(), "demo-staff").await?;
    Ok(Actor { user_id, role: Role::Staff, network: device.network, device: device.name })
}

pub async fn ship(app: &App, staff: &Actor, number: &str, customer: u32) -> Result<(), Failure> {
    let mut reader = app.db.read().await?;
    let mut conn = reader.conn();
    let order = orders::find_by_number(&mut conn, number).await?.ok_or("an order of the history is gone")?;
    let lines = orders::list_lines(&mut conn, order.id).await?;
    drop(reader);
    let shipment = Shipment {
        version: order.version,
        lines: lines.iter().map(|line| LineQuantity { line_id: line.id, quantity: line.quantity }).collect(),
        carrier: "Sample Parcel Ground".to_owned(),
        tracking_number: format!("SAMPLE{customer:06}"),
        tracking_url: None,
        adult_signature: true,
        label: true,
        confirm_rules: None,
    };
    ship_parcel(app, number, staff, &shipment).await.map_err(|error| error.message().into())
}

/// Refunds an order in full.
pub async fn refund(app: &App, number: &str) -> Result<(), Failure> {
    let mut tx = app.db.begin().await?;
    let mut conn = tx.conn();
    let order = orders::find_by_number(&mut conn, number).await?.ok_or("an order of the history is gone")?;
    for mut attempt in attempts::list(&mut conn, order.id).await? {
        add_refund::add_rest(&mut conn, app, &order, &mut attempt, "Sent back by the customer", None, None).await?;
    }
    tx.commit().await?;
    Ok(())
}
