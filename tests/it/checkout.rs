//! From cart to paid order, through the router, against a Square stand-in on a real socket.

pub mod bench;
pub mod books;
pub mod buying;
pub mod comparing;
pub mod crowd;
pub mod disputes;
pub mod emails;
pub mod faults;
pub mod limits;
pub mod order_links;
pub mod pairs;
pub mod pickup_limits;
pub mod pickups;
pub mod promo_codes;
pub mod races;
pub mod refunding;
pub mod slow;
pub mod webhook_load;
pub mod webhooks;
