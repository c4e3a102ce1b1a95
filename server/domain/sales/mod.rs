//! Sales: from the cart to delivered goods and settled payments, returns included.
//!
//! - [`records`]: orders, payments, parcels, returns, pickups and draft orders. A record knows no flow and no other record.
//! - [`flows`]: the operations on a sale, one verb per file. A flow begins and commits its own transaction; one that is shared by other
//!   flows states that it runs in the caller's transaction.
//! - [`status`]: an order's three states; [`pricing`], [`tax_lines`]: arithmetic, which stores nothing; [`links`], [`order_links`]: secrets in
//!   addresses
//! - [`view`]: an order as its buyer sees it; [`mail`]: emails to the buyer; [`privacy`]: personal data in an order, and when it is erased.
//!
//! Locks are taken in the order of `docs/decisions/014-lock-order.md`.

pub mod flows;
pub mod links;
pub mod mail;
pub mod order_links;
pub mod pricing;
pub mod privacy;
pub mod records;
pub mod status;
pub mod tax_lines;
pub mod view;
