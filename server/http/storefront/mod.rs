//! Pages and calls of shoppers, one folder per noun: `pages` has page handlers, `api` calls, `form` the forms posted by browsers without
//! scripts.

pub mod activity;
pub mod age;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod customers;
pub mod home;
pub mod legal;
pub mod orders;
