//! The Square client against the stand-in over real sockets, every fault fired and counted; the stand-in against Square's
//! own client.

mod bench;
pub mod client;
pub mod faults;
pub mod stand_in;
pub mod webhooks;
