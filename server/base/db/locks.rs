//! The order in which transactions take what others may wait for. Two that take things in the same order never wait for each other in
//! a circle. See `docs/decisions/014-lock-order.md`.

use uuid::Uuid;

/// What a transaction takes, in this order; within one kind by ascending id. The rows that belong to an order (lines, attempts, refunds,
/// reservations, parcels, returns) are changed only by who holds the order, so they have no place of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    Order(Uuid),
    DraftOrder(Uuid),
    PromoCode(Uuid),
    /// Of a variant.
    StockLevel(Uuid),
    /// Of a user, with its items.
    Cart(Uuid),
    Account(Uuid),
    /// One for the whole shop, so it is held for the shortest time.
    AuditLog,
}

/// What a transaction has taken so far. Only debug builds keep it.
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
            // What is held already can be taken again.
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
            Lock::PromoCode(B),
            Lock::StockLevel(A),
            Lock::StockLevel(B),
            Lock::StockLevel(A),
            Lock::Order(B),
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
    fn ids_ascend() {
        let mut held = Held::default();
        held.add(Lock::StockLevel(B));
        held.add(Lock::StockLevel(A));
    }
}
