//! Pages and calls of shoppers, a folder per noun: `pages` are pages, `api` calls, `form` what browsers without scripts send.

pub mod activity;
pub mod age;
pub mod cart;
pub mod catalog;
pub mod checkout;
pub mod customers;
pub mod home;
pub mod legal;
pub mod orders;
