//! Emails to buyers about orders, draft orders and pickups.

pub mod discard;
pub mod draft_order;
pub mod order;
pub mod pickup;
pub mod resend;
