//! Dependencies and errors of the flows that move money.

use std::ops::Deref;
use std::sync::Arc;

use shop_base::context::Context;
use shop_base::db::DbError;
use shop_platform::jobs::model::JobError;
use tokio::sync::broadcast;
use uuid::Uuid;

use super::limits::NetworkLocks;
use crate::sales::records::payments::provider::{PaymentProvider, ProviderError, ProviderName};

/// Why a payment report could not be fetched or stored. The calling job retries.
#[derive(Debug, thiserror::Error)]
pub enum PaymentError {
    #[error(transparent)]
    Db(#[from] DbError),
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error("{0}")]
    NotYet(&'static str),
    #[error("no provider '{}' is configured", .0.text())]
    NoProvider(ProviderName),
}

impl From<PaymentError> for JobError {
    fn from(error: PaymentError) -> Self {
        match error {
            PaymentError::NotYet(_) => Self::Early(error.into()),
            _ => Self::Failed(error.into()),
        }
    }
}

/// The configured payment providers.
#[derive(Clone, Debug)]
pub struct Providers {
    pub square: Option<Arc<dyn PaymentProvider>>,
    pub pickup: Arc<dyn PaymentProvider>,
}

impl Providers {
    pub fn get(&self, name: ProviderName) -> Result<Arc<dyn PaymentProvider>, PaymentError> {
        match name {
            ProviderName::Square => self.square.clone().ok_or(PaymentError::NoProvider(name)),
            ProviderName::Pickup => Ok(Arc::clone(&self.pickup)),
        }
    }
}

/// Dependencies of the payment flows: the providers and this node's waiting requests. Cheap to clone.
#[derive(Clone)]
pub struct Payments {
    pub cx: Context,
    pub providers: Arc<Providers>,
    pub settled: Settled,
    pub network_locks: Arc<NetworkLocks>,
}

impl Deref for Payments {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.cx
    }
}

/// Notifies the requests on this node that wait for an attempt when it is settled.
#[derive(Clone, Debug)]
pub struct Settled(broadcast::Sender<Uuid>);

impl Default for Settled {
    fn default() -> Self {
        Self(broadcast::Sender::new(64))
    }
}

impl Settled {
    /// Call it after the transaction has been committed.
    pub fn notify(&self, attempt: Uuid) {
        // An error means that there is no receiver.
        drop(self.0.send(attempt));
    }

    pub fn listen(&self) -> Settlements {
        Settlements(self.0.subscribe())
    }
}

/// Settlements from now on.
#[derive(Debug)]
pub struct Settlements(broadcast::Receiver<Uuid>);

impl Settlements {
    /// Returns when this attempt was settled, or when messages were missed because the receiver lagged.
    pub async fn wait_for(&mut self, attempt: Uuid) {
        while let Ok(settled) = self.0.recv().await {
            if settled == attempt {
                return;
            }
        }
    }
}
