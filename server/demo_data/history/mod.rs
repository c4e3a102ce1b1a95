//! A simulated history of the demonstration shop for the 90 days before its first start, so that reports have data to show.
//!
//! It has no invented people, only numbered sample customers. A shop on the same database, whose clock starts 90 days ago, sells through
//! the regular code, to a stand-in that stores the payments: the resulting data satisfies all invariants of orders, stock and payments.

mod plan;
mod staff;
mod store;

use std::net::Ipv4Addr;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::json;
use tokio::net::TcpListener;
use url::Url;
use uuid::Uuid;

use self::plan::{Action, Planned, Purchase};
use crate::app::App;
use crate::bundle::BUNDLE;
use crate::router::KNOWN_PAGES;
use shop_base::address::Address;
use shop_base::clock::{Clock, ManualClock};
use shop_base::config::{Config, Rendering};
use shop_base::db::Db;
use shop_demo::square::{JOURNAL, Options, StandIn};
use shop_domain::activity::model::{ActivityReport, Reporter};
use shop_domain::sales::flows::pay::{Outcome, pay};
use shop_domain::sales::flows::payment::{Payer, Payment};
use shop_domain::sales::flows::quote::{QuoteRequest, quote};
use shop_domain::sales::records::payments::provider::ProviderName;
use shop_domain::{activity, analytics};
use shop_platform::jobs::worker::run_due;
use shop_platform::web::site::Site;

type Failure = Box<dyn std::error::Error + Send + Sync>;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
const DAYS: i64 = 90;
/// Fixed, so that every demonstration has the same history.
const SEED: u64 = 90;
/// Number of waiting events at which they are written: less than the queue's capacity.
const WAITING: usize = 1_500;

/// Creates the history once: a shop with orders is left as it is. Takes some seconds.
pub async fn seed_history(db: &Db, config: &Config, now: i64) -> Result<(), Failure> {
    if store::has_orders(&mut db.read().await?.conn()).await? {
        return Ok(());
    }
    let clock = Arc::new(ManualClock::at(now - DAYS * DAY_MS));
    let (app, _stand_in) = open(db, config, Arc::clone(&clock)).await?;
    let goods = store::list_goods(&mut db.read().await?.conn()).await?;
    let mut rng = StdRng::seed_from_u64(SEED);
    let planned = plan::plan(&mut rng, &goods, now - DAYS * DAY_MS, now, &config.company.time_zone);
    let orders = planned.iter().filter(|planned| matches!(planned.action, Action::Buy(_))).count();
    tracing::info!(orders, "lets the last 90 days of the demonstration happen; this is done once");
    let mut tx = db.begin().await?;
    store::receive(&mut tx.conn(), clock.as_ref(), &plan::needed(&planned)).await?;
    let rules = store::open_rules(&mut tx.conn(), "2026-01-01").await?;
    tx.commit().await?;
    perform(&app, &clock, &planned, now).await?;
    let mut tx = db.begin().await?;
    store::close_rules(&mut tx.conn(), &rules).await?;
    tx.commit().await?;
    app.parts.activity.queue.flush().await;
    analytics::service::refresh(&app).await?;
    Ok(())
}

/// A shop on this database with its own clock, which sends no mail.
async fn open(db: &Db, config: &Config, clock: Arc<ManualClock>) -> Result<(App, StandIn), Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let base_url: Url = format!("http://{}", listener.local_addr()?).parse()?;
    let journal = Some(config.data.folder.join(JOURNAL));
    let options = Options { refund_ms: 0, ..Options::kept_in(journal, None) };
    let stand_in = StandIn::start(listener, base_url, Arc::clone(&clock) as Arc<dyn Clock>, options).await?;
    let mut config = config.clone();
    config.square = Some(stand_in.config()?);
    config.mail = None;
    let rendering = Rendering { isolates: 1, warm_up_rounds: 0, ..config.rendering.clone() };
    let site = tokio::task::spawn_blocking(move || Site::embedded(&BUNDLE, &rendering)).await??;
    Ok((App::build(config, clock, db.clone(), std::future::ready(Ok(site))).await?, stand_in))
}

async fn perform(app: &App, clock: &ManualClock, planned: &[Planned], now: i64) -> Result<(), Failure> {
    let staff = staff::sign_in(app).await?;
    let mut orders = std::collections::HashMap::new();
    let mut waiting = 0;
    for Planned { at, action } in planned {
        clock.advance(at - clock.now_ms());
        match action {
            Action::Visit { events, network } => {
                waiting += events.len();
                if waiting > WAITING {
                    app.parts.activity.queue.flush().await;
                    waiting = events.len();
                }
                let visitor = Reporter { user_id: None, network: network.clone() };
                let (listing, report) = (app.parts.catalog.listing(), ActivityReport::Batch { events: events.clone() });
                activity::service::record(&app.intake(&listing, KNOWN_PAGES), &visitor, report)
                    .await
                    .map_err(|error| error.message())?;
                continue;
            }
            Action::Buy(purchase) => {
                if let Some(number) = buy(app, purchase).await? {
                    orders.insert(purchase.customer, number);
                }
            }
            Action::Ship(customer) => {
                if let Some(number) = orders.get(customer) {
                    staff::ship(app, &staff, number, *customer).await?;
                }
            }
            Action::Refund(customer) => {
                if let Some(number) = orders.get(customer) {
                    staff::refund(app, number).await?;
                }
            }
        }
        while run_due(&app.worker()).await? > 0 {}
    }
    clock.advance(now - clock.now_ms());
    while run_due(&app.worker()).await? > 0 {}
    Ok(())
}

/// Places an order as a shopper does; returns the order's number, unless the goods are unavailable.
async fn buy(app: &App, purchase: &Purchase) -> Result<Option<String>, Failure> {
    let email = format!("sample-{}@shop.example", purchase.customer);
    let (city, state, postal_code) = purchase.place;
    let address = Address {
        first_name: "Sample".to_owned(),
        last_name: format!("Customer {}", purchase.customer),
        line1: format!("{} High Street", purchase.customer),
        city: city.to_owned(),
        state: state.to_owned(),
        postal_code: postal_code.to_owned(),
        ..Address::default()
    };
    let request = QuoteRequest {
        checkout_id: None,
        held_by: None,
        items: purchase.items.clone(),
        promo_code: purchase.promo_code.map(str::to_owned),
        email: Some(email.clone()),
        state: Some(address.state.clone()),
        postal_code: Some(address.postal_code.clone()),
        shipping_method: Some("ground".to_owned()),
        or_first: false,
    };
    let quoted = quote(app, &mut app.db.read().await?.conn(), &request).await?;
    let payment = Payment {
        checkout_id: Uuid::now_v7(),
        click_id: Uuid::now_v7(),
        items: request.items,
        promo_code: quoted.promo.as_ref().map(|promo| promo.code.clone()),
        email,
        phone: String::new(),
        address,
        shipping_method: "ground".to_owned(),
        provider: ProviderName::Square,
        source: "cnon:card-nonce-ok".to_owned(),
        expected_total: quoted.price.total,
        expected_subtotal: None,
        expected_units: None,
    };
    let payer =
        Payer { user_id: None, age_proof: json!({ "by": "gate" }), network: purchase.network.clone(), staff: None };
    match pay(&app.payments(), &payer, &payment).await {
        Ok(Outcome::Placed { number, .. }) => Ok(Some(number)),
        Ok(Outcome::Pending | Outcome::ToConfirm) => Err("a payment of the history has no outcome".into()),
        Err(error) => {
            tracing::warn!(error = error.message(), "a sample customer could not buy");
            Ok(None)
        }
    }
}
