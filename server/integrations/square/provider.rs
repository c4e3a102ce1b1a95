//! What the shop asks of its payment provider, in calls to Square.

use async_trait::async_trait;

use super::client::{Client, ClientError, Patience};
use super::wire::{
    CancelByKey, CompletePayment, CreatePayment, CreateRefund, Done, Empty, Payment, PaymentAnswer, PaymentsAnswer,
    RefundAnswer,
};
use crate::clock::timestamp;
use crate::config::SquareConfig;
use crate::payments::provider::{
    Authorization, PaymentProvider, ProviderError, ProviderName, ProviderPayment, ProviderRefund, ProviderStatus,
    RefundRequest,
};

/// What Square takes of a note, in characters.
const NOTE: usize = 500;

/// More pages of one list than any day of this shop fills.
const PAGES: usize = 1_000;

/// Card payments with Square, in one location of one account.
#[derive(Debug)]
pub struct Square {
    client: Client,
    location_id: String,
}

impl Square {
    pub fn new(config: &SquareConfig, patience: Patience) -> Result<Self, ClientError> {
        Ok(Self { client: Client::new(config, patience)?, location_id: config.location_id.clone() })
    }

    /// After a refusal: where the payment stands, when Square knows it. The refusal may come of a repetition, or of
    /// somebody else who was faster.
    async fn adopt(&self, payment_id: &str, refusal: ProviderError) -> Result<ProviderPayment, ProviderError> {
        if matches!(refusal, ProviderError::Unknown(_)) {
            return Err(refusal);
        }
        match self.find(payment_id).await {
            Ok(Some(payment)) if payment.status != ProviderStatus::Authorized => Ok(payment),
            Ok(_) | Err(ProviderError::Rejected { .. } | ProviderError::Declined(_)) => Err(refusal),
            Err(unknown) => Err(unknown),
        }
    }

    async fn complete(&self, payment_id: &str, version: Option<&str>) -> Result<ProviderPayment, ProviderError> {
        let path = format!("/v2/payments/{}/complete", segment(payment_id));
        let answer: PaymentAnswer = self.client.post(&path, &CompletePayment { version_token: version }).await?;
        read(answer.payment)
    }
}

#[async_trait]
impl PaymentProvider for Square {
    fn name(&self) -> ProviderName {
        ProviderName::Square
    }

    async fn authorize(&self, authorization: &Authorization) -> Result<ProviderPayment, ProviderError> {
        let note: String = authorization.note.chars().take(NOTE).collect();
        let answer: PaymentAnswer = self
            .client
            .create(
                "/v2/payments",
                &CreatePayment {
                    source_id: &authorization.source,
                    idempotency_key: &authorization.idempotency_key,
                    amount_money: &authorization.amount,
                    autocomplete: false,
                    delay_action: "CANCEL",
                    location_id: &self.location_id,
                    reference_id: &authorization.reference,
                    buyer_email_address: &authorization.buyer_email,
                    note: &note,
                },
            )
            .await?;
        let payment = read(answer.payment)?;
        if payment.amount != authorization.amount || payment.reference.as_ref() != Some(&authorization.reference) {
            tracing::error!(payment = payment.id, "Square answered with another payment than was asked for");
            return Err(ProviderError::Unknown(format!("the answer is about another payment: {}", payment.id)));
        }
        match payment.decline {
            Some(decline) => Err(ProviderError::Declined(decline)),
            None => Ok(payment),
        }
    }

    /// Gives the payment as it stands when it could not be captured because it no longer was authorized.
    async fn capture(&self, payment_id: &str, version: Option<&str>) -> Result<ProviderPayment, ProviderError> {
        match self.complete(payment_id, version).await {
            // Square's own risk checks, too, make a new version; the amount was ours to begin with.
            Err(ProviderError::Rejected { code, .. }) if code == "VERSION_MISMATCH" && version.is_some() => {
                match self.complete(payment_id, None).await {
                    Err(refusal) => self.adopt(payment_id, refusal).await,
                    captured => captured,
                }
            }
            Err(refusal) => self.adopt(payment_id, refusal).await,
            captured => captured,
        }
    }

    /// Gives the payment as it stands when it could not be voided because it no longer was authorized.
    async fn void(&self, payment_id: &str) -> Result<ProviderPayment, ProviderError> {
        let path = format!("/v2/payments/{}/cancel", segment(payment_id));
        match self.client.post::<PaymentAnswer>(&path, &Empty {}).await {
            Ok(answer) => read(answer.payment),
            Err(refusal) => self.adopt(payment_id, refusal).await,
        }
    }

    async fn void_by_key(&self, idempotency_key: &str) -> Result<(), ProviderError> {
        let Done {} = self.client.post("/v2/payments/cancel", &CancelByKey { idempotency_key }).await?;
        Ok(())
    }

    async fn find(&self, payment_id: &str) -> Result<Option<ProviderPayment>, ProviderError> {
        let path = format!("/v2/payments/{}", segment(payment_id));
        match found(self.client.get::<PaymentAnswer>(&path, &[]).await)? {
            Some(answer) => read(answer.payment).map(Some),
            None => Ok(None),
        }
    }

    async fn list(&self, from: i64, to: i64) -> Result<Vec<ProviderPayment>, ProviderError> {
        let mut query = vec![
            ("begin_time", timestamp(from).to_string()),
            ("end_time", timestamp(to).to_string()),
            ("location_id", self.location_id.clone()),
            ("sort_order", "ASC".to_owned()),
            ("limit", "100".to_owned()),
        ];
        let fixed = query.len();
        let mut payments = Vec::new();
        for _ in 0..PAGES {
            let page: PaymentsAnswer = self.client.get("/v2/payments", &query).await?;
            for payment in page.payments {
                payments.push(read(payment)?);
            }
            let Some(cursor) = page.cursor.filter(|cursor| !cursor.is_empty()) else { return Ok(payments) };
            query.truncate(fixed);
            query.push(("cursor", cursor));
        }
        Err(ProviderError::Unknown("the list of payments does not end".to_owned()))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<ProviderRefund, ProviderError> {
        let answer: RefundAnswer = self.client.create("/v2/refunds", &CreateRefund::from(request)).await?;
        let refund = answer.refund.read().map_err(ProviderError::Unknown)?;
        if refund.amount != request.amount || refund.payment_id != request.payment_id {
            tracing::error!(refund = refund.id, "Square answered with another refund than was asked for");
            return Err(ProviderError::Unknown(format!("the answer is about another refund: {}", refund.id)));
        }
        Ok(refund)
    }

    async fn find_refund(&self, refund_id: &str) -> Result<Option<ProviderRefund>, ProviderError> {
        let path = format!("/v2/refunds/{}", segment(refund_id));
        match found(self.client.get::<RefundAnswer>(&path, &[]).await)? {
            Some(answer) => answer.refund.read().map(Some).map_err(ProviderError::Unknown),
            None => Ok(None),
        }
    }
}

fn read(payment: Payment) -> Result<ProviderPayment, ProviderError> {
    payment.read().map_err(ProviderError::Unknown)
}

fn found<A>(answer: Result<A, ProviderError>) -> Result<Option<A>, ProviderError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(ProviderError::Rejected { code, .. }) if code == "NOT_FOUND" => Ok(None),
        Err(error) => Err(error),
    }
}

/// An id as one segment of a path, whatever is in it.
fn segment(id: &str) -> String {
    form_urlencoded::byte_serialize(id.as_bytes()).collect()
}
