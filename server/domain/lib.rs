//! The shop's domain logic, one module per noun, independent of the transport: no file here knows an HTTP handler or API call; links for
//! shoppers are built here.
//!
//! The modules in dependency order, enforced by `make check` (`tests/structure/src/floors.rs`): each uses only earlier ones.
//!
//! - [`disputes`]: what a dispute of a payment means for money
//! - [`identity`]: authentication; [`age`]: age verification; [`customers`]: accounts, addresses, preferences
//! - [`tax`], [`compliance`]: state tax and sales rules; [`shipping`]: shipping options; [`stock`]: inventory; [`promotions`]: promo codes
//! - [`catalog`]: products; [`cart`]: shopping carts
//! - [`activity`]: visitor events; [`analytics`]: daily figures
//! - [`sales`]: from the cart to delivered goods and settled payments, returns included
//! - [`popularity`]: best sellers and related products; [`saved_views`]: saved lists of staff
//! - [`retention`]: how long each table is kept; [`privacy`]: export and erasure of personal data
//! - [`encrypted`]: what is stored encrypted

pub mod activity;
pub mod age;
pub mod analytics;
pub mod cart;
pub mod catalog;
pub mod compliance;
pub mod customers;
pub mod disputes;
pub mod encrypted;
pub mod identity;
pub mod popularity;
pub mod privacy;
pub mod promotions;
pub mod retention;
pub mod sales;
pub mod saved_views;
pub mod shipping;
pub mod stock;
pub mod tax;
