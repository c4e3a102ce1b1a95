//! `/admin/settings/promotions`: promo codes and how often they were used.

pub mod api;
pub mod list;
pub mod queries;
