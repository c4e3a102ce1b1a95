//! From a cart to goods and money that have changed hands, or come back.
//!
//! - [`records`]: orders, payments, parcels, returns, pickups and draft orders. A record knows no flow and no other record.
//! - [`flows`]: what happens, one verb per file. Who begins a flow begins and commits its transaction; a flow of which others make use says
//!   that it works in theirs.
//! - [`status`]: an order's three states; [`pricing`], [`tax_lines`]: arithmetic, which stores nothing
//! - [`view`]: an order as its buyer sees it; [`mail`]: what a buyer is written; [`privacy`]: what an order tells of its buyer, and when that goes.
//!
//! The order of locks is that of `docs/decisions/014-lock-order.md`.

pub mod flows;
pub mod mail;
pub mod pricing;
pub mod privacy;
pub mod records;
pub mod status;
pub mod tax_lines;
pub mod view;
