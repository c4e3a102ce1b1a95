//! Who does what the platform only knows to be done: the one place that registers it.

use std::sync::Arc;

use crate::app::App;
use crate::catalog::jobs::{ImportProducts, PublishProducts, RankProducts};
use crate::context::Context;
use crate::db::DbError;
use crate::drafts::jobs::SendDraftMail;
use crate::jobs::registry::Registry;
use crate::jobs::state::Worker;
use crate::mail::jobs::SendAccountMail;
use crate::notifications::jobs::SendDispatch;
use crate::orders::jobs::SendOrderMail;
use crate::payments::jobs::{
    BeginComparison, CapturePayment, Compare, ProcessWebhook, Reconcile, ReleaseStock, SendRefund, SettlePayment,
    VoidPayment,
};
use crate::pickups::jobs::{RemindPickups, SendPickupMail};
use crate::reports::jobs::RollUp;
use crate::retention::jobs::Clean;
use crate::search_terms::jobs::FillSearchTerms;
use crate::search_terms::model::Kind as Searched;
use crate::{catalog, drafts, identity, notifications, orders, payments, pickups, reports, retention, search_terms};

impl App {
    /// What does the jobs of this node.
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
    for kind in [Searched::Order, Searched::Product, Searched::Customer] {
        jobs.at_start(FillSearchTerms { kind });
    }
    jobs
}

/// Makes what staff search for findable, see [`search_terms::service::fill`].
pub async fn fill_search_terms(cx: &Context, kind: Searched) -> Result<(), DbError> {
    match kind {
        Searched::Order => search_terms::service::fill(cx, kind, orders::service::put_terms).await,
        Searched::Product => search_terms::service::fill(cx, kind, catalog::desk::service::put_terms).await,
        Searched::Customer => search_terms::service::fill(cx, kind, identity::service::put_terms).await,
        Searched::Draft => search_terms::service::fill(cx, kind, drafts::service::put_terms).await,
    }
}

fn register_money(jobs: &mut Registry, app: &App) {
    let cx = (**app).clone();
    let payments = app.payments();
    jobs.on(payments.clone(), |payments, CapturePayment { attempt }| async move {
        Ok(payments::service::capture(&payments, attempt).await?)
    });
    jobs.on(payments.clone(), |payments, VoidPayment { attempt }| async move {
        Ok(payments::service::void(&payments, attempt).await?)
    });
    jobs.on(payments.clone(), |payments, SendRefund { refund }| async move {
        Ok(payments::refunds::send(&payments, refund).await?)
    });
    jobs.on(payments.clone(), |payments, ProcessWebhook { provider, event_id, kind }| async move {
        Ok(payments::webhooks::process(&payments, &provider, &event_id, &kind).await?)
    });
    jobs.on(
        payments.clone(),
        |payments, Reconcile {}| async move { Ok(payments::reconcile::reconcile(&payments).await?) },
    );
    jobs.on(cx, |cx, ReleaseStock {}| async move { Ok(payments::reconcile::release_stock(&cx).await?) });
    jobs.on(
        payments.clone(),
        |payments, BeginComparison {}| async move { Ok(payments::compare::begin(&payments).await?) },
    );
    jobs.on(payments.clone(), |payments, Compare { records, from }| async move {
        Ok(payments::compare::step(&payments, records, from).await?)
    });
    jobs.on(payments, |payments, SettlePayment { payment }| async move {
        Ok(payments::webhooks::settle_payment(&payments, &payment).await?)
    });
}

fn register_mail(jobs: &mut Registry, app: &App) {
    // Each letter is written with the bundle that is in service when it is sent.
    jobs.on(app.clone(), |app, SendOrderMail { order, news, again }| async move {
        Ok(orders::mail::send(&app.mail(), order, &news, again).await?)
    });
    jobs.on(app.clone(), |app, SendDraftMail { draft, sending }| async move {
        Ok(drafts::mail::send(&app.mail(), draft, sending).await?)
    });
    jobs.on(
        app.clone(),
        |app, SendPickupMail { link }| async move { Ok(pickups::mail::send(&app.mail(), link).await?) },
    );
    jobs.on(app.clone(), |app, SendAccountMail { id, to, mail }| async move {
        app.mail().deliver(&to, &mail, &id.to_string()).await?;
        Ok(())
    });
}

fn register_others(jobs: &mut Registry, app: &App) {
    let cx = (**app).clone();
    jobs.on((cx.clone(), Arc::clone(&app.parts.webhooks)), |(cx, sender), SendDispatch { dispatch }| async move {
        Ok(notifications::delivery::deliver(&cx, &sender, dispatch).await?)
    });
    jobs.on(cx.clone(), |cx, FillSearchTerms { kind }| async move { Ok(fill_search_terms(&cx, kind).await?) });
    jobs.on(
        cx.clone(),
        |cx, PublishProducts { .. }| async move { Ok(catalog::desk::service::publish_due(&cx).await?) },
    );
    jobs.on(cx.clone(), |cx, ImportProducts { import, .. }| async move {
        Ok(catalog::transfer::work::run(&cx, import).await?)
    });
    jobs.on(cx.clone(), |cx, RankProducts {}| async move { Ok(catalog::ranking::refresh(&cx).await?) });
    jobs.on(cx.clone(), |cx, RollUp {}| async move { Ok(reports::service::refresh(&cx).await?) });
    jobs.on(cx.clone(), |cx, RemindPickups {}| async move { Ok(pickups::waiting::remind_and_release(&cx).await?) });
    jobs.on((cx, Arc::clone(&app.parts.audit_head)), |(cx, audit_head), Clean {}| async move {
        audit_head.log(&cx.db).await?;
        Ok(retention::service::clean(&cx).await?)
    });
}
