//! What this shop does, noun by noun, whoever asks for it: no file here knows a handler or a call; links that shoppers follow are made here.
//!
//! The nouns in their order, kept by `make check` (`tests/structure/src/floors.rs`): each uses earlier ones alone.
//!
//! - [`identity`]: who is asking; [`age`]: who is 21; [`customers`]: accounts, addresses, preferences
//! - [`tax`], [`compliance`]: what states want; [`shipping`]: ways to send; [`stock`]: what is there; [`promotions`]: codes
//! - [`catalog`]: what is sold; [`cart`]: what a shopper means to buy
//! - [`activity`]: what visitors do; [`analytics`]: how the shop does, by day
//! - [`sales`]: from a cart to goods and money that have changed hands, or come back
//! - [`popularity`]: what sells, and what sells together; [`saved_views`]: lists of staff
//! - [`retention`]: how long each table is kept; [`privacy`]: what is handed out and erased of a person

pub mod activity;
pub mod age;
pub mod analytics;
pub mod cart;
pub mod catalog;
pub mod compliance;
pub mod customers;
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
