//! Payment in the store on pickup: nothing is held, the money is due.

use async_trait::async_trait;
use shop_base::money::Money;

use super::provider::{
    Authorization, Dispute, Page, PaymentProvider, ProviderError, ProviderName, ProviderPayment, ProviderRefund,
    ProviderStatus, RefundRequest, Sought,
};

#[derive(Debug)]
pub struct Pickup;

/// This provider has no records outside the shop's own database.
const NOT_HERE: &str = "payments in the store are recorded by staff";

#[async_trait]
impl PaymentProvider for Pickup {
    fn name(&self) -> ProviderName {
        ProviderName::Pickup
    }

    async fn authorize(&self, authorization: &Authorization) -> Result<ProviderPayment, ProviderError> {
        Ok(due(&authorization.reference, &authorization.amount))
    }

    async fn capture(&self, _: &str, _: Option<&str>) -> Result<ProviderPayment, ProviderError> {
        Err(rejected())
    }

    async fn void(&self, _: &str) -> Result<ProviderPayment, ProviderError> {
        Err(rejected())
    }

    async fn void_by_key(&self, _: &str) -> Result<(), ProviderError> {
        Ok(())
    }

    async fn find(&self, _: &str) -> Result<Option<ProviderPayment>, ProviderError> {
        Ok(None)
    }

    /// The money of an attempt whose process ended before it was told so is due all the same.
    async fn find_by_reference(&self, sought: &Sought) -> Result<Option<ProviderPayment>, ProviderError> {
        Ok(Some(due(&sought.reference, &sought.amount)))
    }

    async fn list_changed(&self, _: i64) -> Result<Page<ProviderPayment>, ProviderError> {
        Err(rejected())
    }

    async fn refund(&self, _: &RefundRequest) -> Result<ProviderRefund, ProviderError> {
        Err(rejected())
    }

    async fn find_refund(&self, _: &str) -> Result<Option<ProviderRefund>, ProviderError> {
        Ok(None)
    }

    async fn list_refunds_of(&self, _: &str) -> Result<Vec<ProviderRefund>, ProviderError> {
        Ok(Vec::new())
    }

    async fn list_changed_refunds(&self, _: i64) -> Result<Page<ProviderRefund>, ProviderError> {
        Err(rejected())
    }

    async fn find_dispute(&self, _: &str) -> Result<Option<Dispute>, ProviderError> {
        Ok(None)
    }
}

fn due(reference: &str, amount: &Money) -> ProviderPayment {
    ProviderPayment {
        id: reference.to_owned(),
        status: ProviderStatus::Due,
        reference: Some(reference.to_owned()),
        amount: amount.clone(),
        refunded: 0,
        version: None,
        card: None,
        decline: None,
        created_at: 0,
        updated_at: 0,
    }
}

fn rejected() -> ProviderError {
    ProviderError::Rejected { code: "IN_PERSON".to_owned(), detail: NOT_HERE.to_owned() }
}
