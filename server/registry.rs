//! The one place that registers job handlers with the platform, which does not know what the jobs do.

use std::sync::Arc;

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_domain::analytics::jobs::RollUp;
use shop_domain::catalog::jobs::{ImportProducts, PublishProducts};
use shop_domain::catalog::{editing, import_export};
use shop_domain::popularity::jobs::RankProducts;
use shop_domain::retention::jobs::Clean;
use shop_domain::sales::flows::{capture, void};
use shop_domain::sales::records::draft_orders::jobs::SendDraftMail;
use shop_domain::sales::records::orders::jobs::SendOrderMail;
use shop_domain::sales::records::payments::jobs::{
    BeginComparison, CapturePayment, Compare, ProcessWebhook, Reconcile, ReleaseStock, SendRefund, SettlePayment,
    VoidPayment,
};
use shop_domain::sales::records::pickups::jobs::{RemindPickups, SendPickupMail};
use shop_domain::sales::records::{draft_orders, orders};
use shop_domain::sales::{flows, mail};
use shop_domain::{analytics, identity, popularity, retention};
use shop_platform::jobs::registry::Registry;
use shop_platform::jobs::state::Worker;
use shop_platform::mail::jobs::SendAccountMail;
use shop_platform::staff_search::jobs::FillSearchTerms;
use shop_platform::staff_search::model::Kind as Searched;
use shop_platform::statistics::jobs::UpdateStatistics;
use shop_platform::webhooks::jobs::SendDispatch;
use shop_platform::{staff_search, webhooks};

use crate::app::App;

impl App {
    /// The job worker of this node.
    pub fn worker(&self) -> Worker {
        let registry = Arc::new(jobs(self));
        Worker { cx: (**self).clone(), state: Arc::clone(&self.parts.jobs), registry }
    }
}

/// Every kind of job with its handler, and the jobs that each start adds.
fn jobs(app: &App) -> Registry {
    let mut jobs = Registry::default();
    register_money(&mut jobs, app);
    register_mail(&mut jobs, app);
    register_others(&mut jobs, app);

    jobs.at_start(Reconcile {});
    jobs.at_start(ReleaseStock {});
    jobs.at_start(RollUp {});
    jobs.at_start(BeginComparison {});
    jobs.at_start(Clean {});
    jobs.at_start(RemindPickups {});
    jobs.at_start(RankProducts {});
    jobs.at_start(UpdateStatistics {});
    for kind in [Searched::Order, Searched::Product, Searched::Customer] {
        jobs.at_start(FillSearchTerms { kind });
    }
    jobs
}

/// Indexes existing records for staff search, see [`staff_search::service::fill`].
pub async fn fill_search_terms(cx: &Context, kind: Searched) -> Result<(), DbError> {
    match kind {
        Searched::Order => staff_search::service::fill(cx, kind, orders::service::index).await,
        Searched::Product => staff_search::service::fill(cx, kind, editing::service::index).await,
        Searched::Customer => staff_search::service::fill(cx, kind, identity::service::index).await,
        Searched::Draft => staff_search::service::fill(cx, kind, draft_orders::service::index).await,
    }
}

fn register_money(jobs: &mut Registry, app: &App) {
    let cx = (**app).clone();
    let payments = app.payments();
    jobs.on(payments.clone(), |payments, CapturePayment { attempt }| async move {
        Ok(capture::capture(&payments, attempt).await?)
    });
    jobs.on(
        payments.clone(),
        |payments, VoidPayment { attempt }| async move { Ok(void::void(&payments, attempt).await?) },
    );
    jobs.on(payments.clone(), |payments, SendRefund { refund }| async move {
        Ok(flows::send_refund::send(&payments, refund).await?)
    });
    jobs.on(payments.clone(), |payments, ProcessWebhook { provider, event_id, kind }| async move {
        Ok(flows::payment_webhook::process(&payments, &provider, &event_id, &kind).await?)
    });
    jobs.on(
        payments.clone(),
        |payments, Reconcile {}| async move { Ok(flows::reconcile::reconcile(&payments).await?) },
    );
    jobs.on(cx, |cx, ReleaseStock {}| async move { Ok(flows::reconcile::release_stock(&cx).await?) });
    jobs.on(
        payments.clone(),
        |payments, BeginComparison {}| async move { Ok(flows::compare::begin(&payments).await?) },
    );
    jobs.on(payments.clone(), |payments, Compare { records, from }| async move {
        Ok(flows::compare::step(&payments, records, from).await?)
    });
    jobs.on(payments, |payments, SettlePayment { payment }| async move {
        Ok(flows::payment_webhook::settle_payment(&payments, &payment).await?)
    });
}

fn register_mail(jobs: &mut Registry, app: &App) {
    // Each email is rendered with the bundle that is being served when it is sent.
    jobs.on(app.clone(), |app, SendOrderMail { order, news, again }| async move {
        Ok(mail::order::send(&app.mail(), order, &news, again).await?)
    });
    jobs.on(app.clone(), |app, SendDraftMail { draft, sending }| async move {
        Ok(mail::draft_order::send(&app.mail(), draft, sending).await?)
    });
    jobs.on(
        app.clone(),
        |app, SendPickupMail { link }| async move { Ok(mail::pickup::send(&app.mail(), link).await?) },
    );
    jobs.on(app.clone(), |app, SendAccountMail { id, to, mail, .. }| async move {
        app.mail().deliver(&to, &mail, &id.to_string()).await?;
        Ok(())
    });
}

fn register_others(jobs: &mut Registry, app: &App) {
    let cx = (**app).clone();
    jobs.on((cx.clone(), Arc::clone(&app.parts.webhooks)), |(cx, sender), SendDispatch { dispatch, .. }| async move {
        Ok(webhooks::delivery::deliver(&cx, &sender, dispatch).await?)
    });
    jobs.on(cx.clone(), |cx, FillSearchTerms { kind }| async move { Ok(fill_search_terms(&cx, kind).await?) });
    jobs.on(cx.clone(), |cx, PublishProducts { .. }| async move { Ok(editing::service::publish_due(&cx).await?) });
    jobs.on(
        cx.clone(),
        |cx, ImportProducts { import, .. }| async move { Ok(import_export::work::run(&cx, import).await?) },
    );
    jobs.on(cx.clone(), |cx, RankProducts {}| async move { Ok(popularity::service::refresh(&cx).await?) });
    jobs.on(cx.clone(), |cx, UpdateStatistics {}| async move { Ok(cx.db.update_statistics().await.map(drop)?) });
    jobs.on(cx.clone(), |cx, RollUp {}| async move { Ok(analytics::service::refresh(&cx).await?) });
    jobs.on(
        cx.clone(),
        |cx, RemindPickups {}| async move { Ok(flows::remind_pickups::remind_and_release(&cx).await?) },
    );
    jobs.on(cx, |cx, Clean {}| async move { Ok(retention::service::clean_daily(&cx).await?) });
}
