//! The state of an attempt, and its consequences for the order. All payment reports (the provider's answer, the reconciliation, a webhook)
//! are processed here.

use shop_base::db::stored;

use super::provider::ProviderStatus;
use crate::sales::status::{OrderStatus, PaymentStatus};

stored! {
    AttemptStatus {
        /// Stored, possibly sent.
        Sending = "sending",
        /// Sent, outcome unknown.
        Unknown = "unknown",
        /// To be paid in person.
        Due = "due",
        /// Held on the card.
        Authorized = "authorized",
        Captured = "captured",
        Declined = "declined",
        /// Held or possibly held, but not wanted.
        Voiding = "voiding",
        Voided = "voided",
    }
}

stored! {
    /// Money given back.
    RefundStatus {
        /// Stored, possibly sent.
        Pending = "pending",
        Settled = "settled",
        Failed = "failed",
    }
}

stored! {
    /// Provider records that are compared with ours.
    Records {
        Payments = "payments",
        Refunds = "refunds",
    }
}

stored! {
    /// How money changes hands in the store.
    Tender {
        Cash = "cash",
        /// By card, at the terminal.
        Terminal = "terminal",
    }
}

impl Tender {
    pub fn words(self) -> &'static str {
        match self {
            Self::Cash => "in cash",
            Self::Terminal => "by card",
        }
    }
}

impl AttemptStatus {
    /// Whether its outcome is not known yet.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Sending | Self::Unknown)
    }

    /// The status after a report of the provider. Reports may arrive late, twice and in any order; a status only moves forward.
    pub fn after(self, seen: ProviderStatus) -> Self {
        use ProviderStatus as P;
        match (self, seen) {
            // Captured is final: refunds are counted, they are not a status.
            (Self::Captured, _) | (_, P::Captured) => Self::Captured,
            // The payment was created although we had given it up.
            (Self::Declined | Self::Voided | Self::Voiding, P::Authorized) => Self::Voiding,
            (_, P::Authorized) => Self::Authorized,
            (Self::Sending | Self::Unknown, P::Pending) => Self::Unknown,
            (Self::Sending | Self::Unknown, P::Due) => Self::Due,
            (Self::Sending | Self::Unknown, P::Failed) => Self::Declined,
            (Self::Sending | Self::Unknown | Self::Due | Self::Authorized | Self::Voiding, P::Voided | P::Failed) => {
                Self::Voided
            }
            (status, _) => status,
        }
    }
}

/// What an order must do after a report about one of its attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    Nothing,
    /// The money is certain, or due in person: sell the stock and place the order.
    Place,
    /// Money is held or taken for an order that does not want it.
    GiveBack,
    /// The payment of a placed order was lost.
    PaymentLost,
}

/// The order's state as input for the consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub order: OrderStatus,
    /// Whether this attempt is the one that placed the order.
    pub placed_by_this: bool,
    /// Whether the draft still has the contents that this attempt is for: a later attempt may have changed them.
    pub is_current: bool,
}

/// What follows when an attempt moves to `after`.
pub fn consequence(standing: Standing, before: AttemptStatus, after: AttemptStatus) -> Consequence {
    let places = standing.order == OrderStatus::Draft && standing.is_current;
    let wanted = places || (standing.order == OrderStatus::Placed && standing.placed_by_this);
    match after {
        AttemptStatus::Due | AttemptStatus::Authorized | AttemptStatus::Captured if places => Consequence::Place,
        AttemptStatus::Due | AttemptStatus::Authorized | AttemptStatus::Captured if !wanted && before != after => {
            Consequence::GiveBack
        }
        AttemptStatus::Voiding if before != after => Consequence::GiveBack,
        AttemptStatus::Voided | AttemptStatus::Declined
            if standing.order == OrderStatus::Placed && standing.placed_by_this && before != after =>
        {
            Consequence::PaymentLost
        }
        _ => Consequence::Nothing,
    }
}

/// An attempt as input for the payment status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paid {
    pub status: AttemptStatus,
    /// Minor units.
    pub amount: i64,
    pub refunded: i64,
    /// Whether it was refused: it ends void if the provider refused the shop, not the card.
    pub is_refused: bool,
}

/// The payment status that follows from the attempts. An order that costs nothing is paid once it was placed, also after its cancellation:
/// like the others that were paid, it stays in the figures.
pub fn payment_status(attempts: &[Paid], total: i64, was_placed: bool) -> PaymentStatus {
    let any = |status: AttemptStatus| attempts.iter().any(|attempt| attempt.status == status);
    let is_void = |attempt: &Paid| matches!(attempt.status, AttemptStatus::Voided | AttemptStatus::Voiding);
    let captured = attempts.iter().filter(|attempt| attempt.status == AttemptStatus::Captured);
    let (taken, refunded) =
        captured.fold((0, 0), |(taken, refunded), attempt| (taken + attempt.amount, refunded + attempt.refunded));
    if taken > 0 {
        return match (refunded, taken) {
            (1.., _) if refunded >= taken => PaymentStatus::Refunded,
            (1.., _) => PaymentStatus::PartiallyRefunded,
            _ if taken >= total => PaymentStatus::Paid,
            _ => PaymentStatus::PartiallyPaid,
        };
    }
    if was_placed && total == 0 {
        return PaymentStatus::Paid;
    }
    if any(AttemptStatus::Authorized) {
        PaymentStatus::Authorized
    } else if any(AttemptStatus::Unknown) {
        PaymentStatus::RequiresAction
    } else if any(AttemptStatus::Sending) || any(AttemptStatus::Due) || attempts.is_empty() {
        PaymentStatus::NotPaid
    } else if attempts.iter().any(|attempt| is_void(attempt) && !attempt.is_refused) {
        PaymentStatus::Voided
    } else {
        PaymentStatus::Failed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{AttemptStatus as A, Consequence, Paid, Standing, consequence, payment_status};
    use crate::sales::records::payments::provider::ProviderStatus as P;
    use crate::sales::status::{OrderStatus, PaymentStatus};

    #[test]
    fn news_moves_an_attempt_forward_only() {
        assert_eq!(A::Sending.after(P::Authorized), A::Authorized);
        assert_eq!(A::Unknown.after(P::Captured), A::Captured);
        assert_eq!(A::Captured.after(P::Authorized), A::Captured);
        assert_eq!(A::Captured.after(P::Voided), A::Captured);
        assert_eq!(A::Voided.after(P::Authorized), A::Voiding, "it came to be after all");
        assert_eq!(A::Voiding.after(P::Voided), A::Voided);
        assert_eq!(A::Authorized.after(P::Pending), A::Authorized);
        assert_eq!(A::Declined.after(P::Failed), A::Declined);
    }

    #[test]
    fn orders_answer_to_news() {
        let draft = Standing { order: OrderStatus::Draft, placed_by_this: false, is_current: true };
        let outdated = Standing { is_current: false, ..draft };
        let mine = Standing { order: OrderStatus::Placed, placed_by_this: true, is_current: false };
        let anothers = Standing { placed_by_this: false, ..mine };
        let canceled = Standing { order: OrderStatus::Canceled, ..anothers };
        assert_eq!(consequence(draft, A::Sending, A::Authorized), Consequence::Place);
        assert_eq!(consequence(draft, A::Sending, A::Due), Consequence::Place);
        assert_eq!(consequence(draft, A::Sending, A::Declined), Consequence::Nothing);
        assert_eq!(consequence(outdated, A::Voided, A::Captured), Consequence::GiveBack, "it was for other contents");
        assert_eq!(consequence(outdated, A::Captured, A::Captured), Consequence::Nothing);
        assert_eq!(consequence(mine, A::Authorized, A::Captured), Consequence::Nothing);
        assert_eq!(consequence(mine, A::Authorized, A::Voided), Consequence::PaymentLost);
        assert_eq!(consequence(anothers, A::Unknown, A::Authorized), Consequence::GiveBack);
        assert_eq!(consequence(canceled, A::Unknown, A::Captured), Consequence::GiveBack);
        assert_eq!(consequence(canceled, A::Voided, A::Voiding), Consequence::GiveBack);
        assert_eq!(consequence(canceled, A::Captured, A::Captured), Consequence::Nothing, "given back once");
    }

    /// A provider's payment in its true state, and an order with its attempts, driven by the rules above.
    #[derive(Clone, Copy, Debug)]
    struct Payment {
        real: P,
        ours: A,
        refunded: bool,
        /// The order's total when the payment was made.
        total: u32,
    }

    #[derive(Debug)]
    struct Shop {
        order: OrderStatus,
        total: u32,
        placed_by: Option<usize>,
        payments: Vec<Payment>,
        stock_is_gone: bool,
    }

    impl Shop {
        fn hear(&mut self, index: usize, seen: P) {
            let before = self.payments[index].ours;
            let after = before.after(seen);
            self.payments[index].ours = after;
            let standing = Standing {
                order: self.order,
                placed_by_this: self.placed_by == Some(index),
                is_current: index + 1 == self.payments.len(),
            };
            match consequence(standing, before, after) {
                Consequence::Nothing => {}
                Consequence::Place if self.stock_is_gone => {
                    self.order = OrderStatus::Canceled;
                    self.give_back(index);
                }
                Consequence::Place => {
                    self.order = OrderStatus::Placed;
                    self.placed_by = Some(index);
                }
                Consequence::GiveBack => self.give_back(index),
                Consequence::PaymentLost => self.order = OrderStatus::Canceled,
            }
        }

        fn give_back(&mut self, index: usize) {
            match self.payments[index].ours {
                A::Captured => self.payments[index].refunded = true,
                A::Due => self.payments[index].ours = A::Voided,
                _ => self.payments[index].ours = A::Voiding,
            }
        }

        /// Runs the jobs until nothing is left to do.
        fn settle(&mut self) {
            for index in 0..self.payments.len() {
                let payment = &mut self.payments[index];
                match (payment.ours, payment.real) {
                    (A::Voiding, P::Authorized) => payment.real = P::Voided,
                    (A::Authorized, P::Authorized) => payment.real = P::Captured,
                    _ => {}
                }
                let real = payment.real;
                self.hear(index, real);
                // A fenced attempt whose payment was never created.
                if self.payments[index].ours.is_open() && real == P::Pending {
                    self.payments[index].ours = A::Voided;
                }
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        NewAttempt(u32),
        ProviderDecides(usize, P),
        WeHear(usize),
        WeHearOldNews(usize, P),
        GiveUp(usize),
        StockGoes,
        Abandon,
    }

    fn step() -> impl Strategy<Value = Step> {
        let decided = prop_oneof![Just(P::Authorized), Just(P::Failed), Just(P::Captured), Just(P::Voided)];
        prop_oneof![
            3 => (1u32..4).prop_map(Step::NewAttempt),
            4 => (0usize..4, decided.clone()).prop_map(|(index, status)| Step::ProviderDecides(index, status)),
            6 => (0usize..4).prop_map(Step::WeHear),
            2 => (0usize..4, decided).prop_map(|(index, status)| Step::WeHearOldNews(index, status)),
            1 => (0usize..4).prop_map(Step::GiveUp),
            1 => Just(Step::StockGoes),
            1 => Just(Step::Abandon),
        ]
    }

    /// Whether a provider's payment may make this transition.
    fn may_become(from: P, to: P) -> bool {
        matches!((from, to), (P::Pending, P::Authorized | P::Failed) | (P::Authorized, P::Captured | P::Voided))
    }

    fn rank(status: P) -> u8 {
        match status {
            P::Pending | P::Due => 0,
            P::Authorized => 1,
            _ => 2,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn money_and_orders_always_meet(steps in prop::collection::vec(step(), 1..40)) {
            let mut shop = Shop { order: OrderStatus::Draft, total: 0, placed_by: None, payments: Vec::new(), stock_is_gone: false };
            for step in steps {
                match step {
                    // A new card is tried only after the previous one was definitely refused or voided.
                    Step::NewAttempt(total) if shop.order == OrderStatus::Draft && shop.payments.iter().all(|payment| !payment.ours.is_open()) => {
                        shop.total = total;
                        shop.payments.push(Payment { real: P::Pending, ours: A::Sending, refunded: false, total });
                    }
                    Step::ProviderDecides(index, status) => {
                        if let Some(payment) = shop.payments.get_mut(index) && may_become(payment.real, status) {
                            payment.real = status;
                        }
                    }
                    Step::WeHear(index) if index < shop.payments.len() => {
                        let real = shop.payments[index].real;
                        shop.hear(index, real);
                    }
                    Step::WeHearOldNews(index, old) => {
                        // A report can only contain a state that was true at some time.
                        if let Some(payment) = shop.payments.get(index)
                            && payment.real != P::Pending
                            && (rank(old) < rank(payment.real) && payment.real != P::Failed || old == payment.real)
                        {
                            shop.hear(index, old);
                        }
                    }
                    // After the fence (cancel by key), a payment that did not exist can no longer be created.
                    Step::GiveUp(index) => {
                        if let Some(payment) = shop.payments.get_mut(index) && payment.ours.is_open() && payment.real == P::Pending {
                            payment.real = P::Failed;
                            payment.ours = A::Voided;
                        }
                    }
                    Step::StockGoes => shop.stock_is_gone = true,
                    Step::Abandon if shop.order == OrderStatus::Draft && shop.payments.iter().all(|payment| !payment.ours.is_open()) => {
                        shop.order = OrderStatus::Canceled;
                    }
                    _ => {}
                }
            }
            for _ in 0..3 {
                shop.settle();
            }
            let kept: Vec<usize> = (0..shop.payments.len())
                .filter(|index| shop.payments[*index].real == P::Captured && !shop.payments[*index].refunded)
                .collect();
            match shop.order {
                OrderStatus::Placed => {
                    let by = shop.placed_by.expect("placed by an attempt");
                    prop_assert_eq!(shop.payments[by].total, shop.total, "another total than the order's");
                    prop_assert_eq!(kept, vec![by]);
                }
                _ => prop_assert!(kept.is_empty(), "money without an order: {shop:?}"),
            }
            prop_assert!(shop.payments.iter().all(|payment| payment.real != P::Authorized), "money held for nothing: {shop:?}");
        }
    }

    fn status(attempts: &[(A, i64, i64)]) -> PaymentStatus {
        let attempts: Vec<Paid> = attempts
            .iter()
            .map(|&(status, amount, refunded)| Paid { status, amount, refunded, is_refused: status == A::Declined })
            .collect();
        payment_status(&attempts, 100, true)
    }

    #[test]
    fn the_payment_status_follows_from_the_attempts() {
        assert_eq!(status(&[]), PaymentStatus::NotPaid);
        assert_eq!(status(&[(A::Sending, 100, 0)]), PaymentStatus::NotPaid);
        assert_eq!(status(&[(A::Due, 100, 0)]), PaymentStatus::NotPaid);
        assert_eq!(status(&[(A::Unknown, 100, 0)]), PaymentStatus::RequiresAction);
        assert_eq!(status(&[(A::Declined, 100, 0)]), PaymentStatus::Failed);
        assert_eq!(status(&[(A::Declined, 100, 0), (A::Authorized, 100, 0)]), PaymentStatus::Authorized);
        assert_eq!(status(&[(A::Voiding, 100, 0)]), PaymentStatus::Voided);
        assert_eq!(status(&[(A::Declined, 100, 0), (A::Voided, 100, 0)]), PaymentStatus::Voided);
        assert_eq!(status(&[(A::Captured, 100, 0)]), PaymentStatus::Paid);
        assert_eq!(status(&[(A::Captured, 60, 0)]), PaymentStatus::PartiallyPaid);
        assert_eq!(status(&[(A::Captured, 100, 30)]), PaymentStatus::PartiallyRefunded);
        assert_eq!(status(&[(A::Captured, 100, 100)]), PaymentStatus::Refunded);
    }

    #[test]
    fn what_the_provider_refuses_the_shop_has_failed() {
        let of = |status: A, is_refused: bool| Paid { status, amount: 100, refunded: 0, is_refused };
        let (by_shop, declined) = (of(A::Voided, true), of(A::Declined, true));
        assert_eq!(payment_status(&[by_shop], 100, false), PaymentStatus::Failed);
        assert_eq!(payment_status(&[by_shop, declined], 100, false), PaymentStatus::Failed);
        assert_eq!(payment_status(&[by_shop, of(A::Voided, false)], 100, true), PaymentStatus::Voided);
    }

    #[test]
    fn an_order_for_nothing_is_paid_once_it_is_placed() {
        assert_eq!(payment_status(&[], 0, true), PaymentStatus::Paid);
        assert_eq!(payment_status(&[], 0, false), PaymentStatus::NotPaid);
    }
}
