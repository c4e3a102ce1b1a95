//! Forms in browsers without JavaScript.

pub mod account;
pub mod account_orders;
pub mod cart;
pub mod checkout;
