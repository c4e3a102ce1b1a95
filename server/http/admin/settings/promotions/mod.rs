//! `/admin/settings/promotions`: promo codes and how often they were used.

pub mod api;
pub mod pages;
pub mod queries;
