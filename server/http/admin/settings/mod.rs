//! `/admin/settings`: prices, rules, codes and texts. Each part has a page of its own.

pub mod company;
pub mod compliance;
pub mod legal;
pub mod mail;
pub mod pages;
pub mod promotions;
pub mod regulatory_reports;
pub mod roles;
pub mod shipping;
pub mod tax;
pub mod webhooks;
