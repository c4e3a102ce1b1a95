//! Implements the shop's payment provider as calls to Square.

use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shop_base::clock::timestamp;
use shop_base::config::SquareConfig;
use shop_domain::sales::records::payments::provider::{
    Authorization, Dispute, Page, PaymentProvider, ProviderError, ProviderName, ProviderPayment, ProviderRefund,
    ProviderStatus, RefundRequest, Sought,
};

use super::client::{Client, ClientError, Patience};
use super::errors::of_payment;
use super::wire::{
    CancelByKey, CompletePayment, CreatePayment, CreateRefund, DisputeAnswer, Done, Empty, ListAnswer, Payment,
    PaymentAnswer, Refund, RefundAnswer, unreadable,
};

/// Maximum length of a note, in characters.
const NOTE: usize = 500;

/// Square's maximum page size.
const PAGE: usize = 100;
/// Maximum number of pages: more than payments of one amount in an hour, or changes within one millisecond, can fill.
const PAGES: usize = 100;

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

    /// After an error: the payment's current state, if Square knows it. The error may result from a retry, or from another request that was
    /// faster.
    async fn adopt(&self, payment_id: &str, refusal: ProviderError) -> Result<ProviderPayment, ProviderError> {
        if matches!(refusal, ProviderError::Unknown(_) | ProviderError::NotAuthorized { .. }) {
            return Err(refusal);
        }
        match self.find(payment_id).await {
            Ok(Some(payment)) if payment.status != ProviderStatus::Authorized => Ok(payment),
            Ok(_) | Err(ProviderError::Rejected { .. } | ProviderError::Declined(_)) => Err(refusal),
            Err(unknown) => Err(unknown),
        }
    }

    async fn page(
        &self,
        path: &str,
        query: &[(&'static str, String)],
        cursor: Option<String>,
    ) -> Result<ListAnswer, ProviderError> {
        let cursor = cursor.map(|cursor| ("cursor", cursor));
        let query: Vec<(&str, String)> = query.iter().cloned().chain(cursor).collect();
        self.client.get(path, &query).await
    }

    /// The records changed at `from` or later. The cursor is followed only while a whole page changed in the same millisecond: records that
    /// change in the meantime move to the end of the list, and the cursor's position would shift with them.
    async fn changed<W: DeserializeOwned, T>(
        &self,
        path: &str,
        from: i64,
        read: fn(W) -> Result<T, String>,
        updated_at: fn(&T) -> i64,
    ) -> Result<Page<T>, ProviderError> {
        let query = vec![
            ("updated_at_begin_time", timestamp(from).to_string()),
            ("location_id", self.location_id.clone()),
            ("sort_field", "UPDATED_AT".to_owned()),
            ("sort_order", "ASC".to_owned()),
            ("limit", PAGE.to_string()),
        ];
        let mut page = Page { records: Vec::new(), unreadable: Vec::new(), newest: None, is_last: false };
        let mut cursor = None;
        for _ in 0..PAGES {
            let answer = self.page(path, &query, cursor).await?;
            for record in &answer.records {
                let changed_at = match understood(record, read) {
                    Ok(record) => {
                        let at = updated_at(&record);
                        page.records.push(record);
                        Some(at)
                    }
                    Err(problem) => {
                        let unreadable = unreadable(record, problem);
                        let at = unreadable.updated_at;
                        page.unreadable.push(unreadable);
                        at
                    }
                };
                page.newest = page.newest.max(changed_at);
            }
            cursor = answer.cursor.filter(|cursor| !cursor.is_empty());
            page.is_last = cursor.is_none();
            if page.is_last || page.newest.is_some_and(|newest| newest > from) {
                return Ok(page);
            }
        }
        Err(endless())
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
            .await
            .map_err(of_payment)?;
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

    /// If the payment could not be captured because it was no longer authorized, returns its current state.
    async fn capture(&self, payment_id: &str, version: Option<&str>) -> Result<ProviderPayment, ProviderError> {
        match self.complete(payment_id, version).await {
            // Square's own risk checks also create a new version; the amount was ours to begin with.
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

    /// If the payment could not be voided because it was no longer authorized, returns its current state.
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

    async fn find_by_reference(&self, sought: &Sought) -> Result<Option<ProviderPayment>, ProviderError> {
        // Square cannot search by reference. Few payments have the same amount within the same minutes.
        let query = vec![
            ("begin_time", timestamp(sought.from).to_string()),
            ("end_time", timestamp(sought.to).to_string()),
            ("location_id", self.location_id.clone()),
            ("sort_order", "ASC".to_owned()),
            ("total", sought.amount.amount.to_string()),
            ("limit", PAGE.to_string()),
        ];
        let mut cursor = None;
        for _ in 0..PAGES {
            let answer = self.page("/v2/payments", &query, cursor).await?;
            let is_it = |record: &&Value| record["reference_id"].as_str() == Some(&sought.reference);
            if let Some(record) = answer.records.iter().find(is_it) {
                return understood(record, Payment::read).map(Some).map_err(ProviderError::Unknown);
            }
            cursor = answer.cursor.filter(|cursor| !cursor.is_empty());
            if cursor.is_none() {
                return Ok(None);
            }
        }
        Err(endless())
    }

    async fn list_changed(&self, from: i64) -> Result<Page<ProviderPayment>, ProviderError> {
        self.changed("/v2/payments", from, Payment::read, |payment| payment.updated_at).await
    }

    async fn refund(&self, request: &RefundRequest) -> Result<ProviderRefund, ProviderError> {
        let answer: RefundAnswer = self.client.create("/v2/refunds", &CreateRefund::from(request)).await?;
        let refund = answer.refund.read().map_err(ProviderError::Unknown)?;
        if refund.amount != request.amount || refund.payment_id.as_ref() != Some(&request.payment_id) {
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

    async fn list_refunds_of(&self, payment_id: &str) -> Result<Vec<ProviderRefund>, ProviderError> {
        let path = format!("/v2/payments/{}", segment(payment_id));
        let mut refunds = Vec::new();
        if let Some(answer) = found(self.client.get::<PaymentAnswer>(&path, &[]).await)? {
            for id in answer.payment.refund_ids {
                refunds.extend(self.find_refund(&id).await?);
            }
        }
        Ok(refunds)
    }

    async fn list_changed_refunds(&self, from: i64) -> Result<Page<ProviderRefund>, ProviderError> {
        self.changed("/v2/refunds", from, Refund::read, |refund| refund.updated_at).await
    }

    async fn find_dispute(&self, dispute_id: &str) -> Result<Option<Dispute>, ProviderError> {
        let path = format!("/v2/disputes/{}", segment(dispute_id));
        match found(self.client.get::<DisputeAnswer>(&path, &[]).await)? {
            Some(answer) => answer.dispute.read().map(Some).map_err(ProviderError::Unknown),
            None => Ok(None),
        }
    }
}

/// Deserializes a record, or says why that failed.
fn understood<W: DeserializeOwned, T>(record: &Value, read: fn(W) -> Result<T, String>) -> Result<T, String> {
    serde_json::from_value::<W>(record.clone()).map_err(|error| error.to_string()).and_then(read)
}

fn endless() -> ProviderError {
    ProviderError::Unknown("the list does not end".to_owned())
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

/// An id escaped as a single path segment.
fn segment(id: &str) -> String {
    form_urlencoded::byte_serialize(id.as_bytes()).collect()
}
