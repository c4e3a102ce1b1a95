//! States of a return.

use shop_base::db::stored;

stored! {
    ReturnStatus {
        /// Requested by the buyer.
        Requested = "requested",
        /// Approved by staff.
        Approved = "approved",
        Rejected = "rejected",
        /// The goods have arrived.
        Received = "received",
        /// The money has been given back; without a refund of its own, the return was closed by staff.
        Refunded = "refunded",
    }
}

/// Actions of staff on a return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Approve,
    /// Also allowed for an approved return that never arrived.
    Reject,
    /// Also without an approval: what a carrier brought back is here, and nobody is asked to send it.
    Receive,
    Refund,
    /// Ends a return whose goods are here and for which no money is due.
    Close,
}

impl ReturnStatus {
    /// The status after a step; none if the step is not allowed.
    pub fn after(self, step: Step) -> Option<Self> {
        match (self, step) {
            (Self::Requested, Step::Approve) => Some(Self::Approved),
            (Self::Requested | Self::Approved, Step::Reject) => Some(Self::Rejected),
            (Self::Requested | Self::Approved, Step::Receive) => Some(Self::Received),
            (Self::Received, Step::Refund | Step::Close) => Some(Self::Refunded),
            _ => None,
        }
    }

    /// Whether staff have yet to end it.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Requested | Self::Approved | Self::Received)
    }

    /// Whether its goods count as returned or on their way back.
    pub fn counts(self) -> bool {
        self != Self::Rejected
    }
}

/// The received quantities of a line: `restocked` went back on the shelf, `written_off` did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub announced: i64,
    pub restocked: i64,
    pub written_off: i64,
}

impl Arrival {
    /// At most the announced quantity may arrive.
    pub fn is_sound(&self) -> bool {
        self.restocked >= 0
            && self.written_off >= 0
            && self.restocked.checked_add(self.written_off).is_some_and(|arrived| arrived <= self.announced)
    }

    pub fn arrived(&self) -> i64 {
        self.restocked + self.written_off
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Arrival, ReturnStatus as R, Step};

    #[test]
    fn a_return_goes_its_way() {
        assert_eq!(R::Requested.after(Step::Approve), Some(R::Approved));
        assert_eq!(R::Approved.after(Step::Receive), Some(R::Received));
        assert_eq!(R::Requested.after(Step::Receive), Some(R::Received), "a carrier brought it back");
        assert_eq!(R::Received.after(Step::Refund), Some(R::Refunded));
        assert_eq!(R::Received.after(Step::Close), Some(R::Refunded), "no money is due");
        assert_eq!(R::Refunded.after(Step::Close), None);
        assert_eq!(R::Approved.after(Step::Reject), Some(R::Rejected), "it never came");
        assert_eq!(R::Received.after(Step::Reject), None, "the goods are here");
        assert_eq!(R::Requested.after(Step::Refund), None, "nothing has come");
    }

    #[test]
    fn no_more_arrives_than_was_announced() {
        let sound = |restocked, written_off| Arrival { announced: 2, restocked, written_off }.is_sound();
        assert!(sound(1, 1) && sound(0, 0) && sound(2, 0) && sound(1, 0));
        assert!(!sound(2, 1) && !sound(-1, 1) && !sound(i64::MAX, 1));
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![Just(Step::Approve), Just(Step::Reject), Just(Step::Receive), Just(Step::Refund), Just(Step::Close)]
    }

    proptest! {
        #[test]
        fn money_follows_goods_and_both_come_once(steps in prop::collection::vec(step(), 0..30)) {
            let (mut status, mut approved, mut received, mut ended) = (R::Requested, 0, 0, 0);
            for step in steps {
                let Some(after) = status.after(step) else { continue };
                prop_assert!(after != status);
                match step {
                    Step::Approve => approved += 1,
                    Step::Receive => received += 1,
                    Step::Refund | Step::Close => ended += 1,
                    Step::Reject => prop_assert_eq!((received, ended), (0, 0), "what is here is not rejected"),
                }
                prop_assert!(ended <= received && received <= 1 && approved <= 1);
                status = after;
            }
            prop_assert_eq!(status == R::Refunded, ended == 1);
        }
    }
}
