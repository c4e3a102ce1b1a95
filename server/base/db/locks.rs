//! The order in which transactions take locks that others may wait for. Taking them in the same order prevents deadlocks. See
//! `docs/decisions/014-lock-order.md`.

use uuid::Uuid;

/// The locks of a transaction, in this order; within one kind by ascending id. Rows that belong to an order (lines, attempts, refunds,
/// reservations, parcels, returns) are changed only while the order is locked, so they need no lock of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    Order(Uuid),
    DraftOrder(Uuid),
    /// Of names of payers, sorted.
    Payer,
    /// Of names of buyers who pick up, sorted.
    PickupBuyer,
    PromoCode(Uuid),
    /// Of a variant's row.
    StockLevel(Uuid),
    /// Of a user's cart, with its items.
    Cart(Uuid),
    Account(Uuid),
    /// Of rows of one account's sessions.
    Session,
    /// One for the whole shop, so it is taken last and held for the shortest time.
    AuditLog,
}

/// The locks that a transaction has taken so far. Tracked in debug builds only.
#[derive(Debug, Default)]
pub(super) struct Held {
    #[cfg(debug_assertions)]
    locks: std::collections::BTreeSet<Lock>,
}

impl Held {
    #[cfg(debug_assertions)]
    pub fn has(&self, lock: Lock) -> bool {
        self.locks.contains(&lock)
    }

    pub fn add(&mut self, lock: Lock) {
        #[cfg(debug_assertions)]
        {
            // A lock that is already held can be taken again.
            let is_in_order = self.locks.last().is_none_or(|last| *last <= lock) || self.locks.contains(&lock);
            assert!(is_in_order, "{lock:?} is taken after {:?}: see docs/decisions/014-lock-order.md", self.locks);
            self.locks.insert(lock);
        }
        #[cfg(not(debug_assertions))]
        let _ = lock;
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{Held, Lock};

    const A: Uuid = Uuid::from_u128(1);
    const B: Uuid = Uuid::from_u128(2);

    #[test]
    fn one_order_for_all() {
        let mut held = Held::default();
        for lock in [
            Lock::Order(B),
            Lock::PickupBuyer,
            Lock::PromoCode(B),
            Lock::StockLevel(A),
            Lock::StockLevel(B),
            Lock::StockLevel(A),
            Lock::Order(B),
            Lock::Account(A),
            Lock::Session,
            Lock::Account(A),
            Lock::AuditLog,
        ] {
            held.add(lock);
        }
    }

    #[test]
    #[should_panic(expected = "is taken after")]
    fn nothing_follows_the_audit_log() {
        let mut held = Held::default();
        held.add(Lock::AuditLog);
        held.add(Lock::StockLevel(A));
    }

    #[test]
    #[should_panic(expected = "is taken after")]
    fn an_account_comes_before_its_sessions() {
        let mut held = Held::default();
        held.add(Lock::Session);
        held.add(Lock::Account(A));
    }

    #[test]
    #[should_panic(expected = "is taken after")]
    fn ids_ascend() {
        let mut held = Held::default();
        held.add(Lock::StockLevel(B));
        held.add(Lock::StockLevel(A));
    }
}
