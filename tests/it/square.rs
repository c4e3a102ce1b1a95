//! The Square client with the stand-in over real sockets, with every fault asserted to occur; the stand-in with Square's own client.

mod bench;
pub mod client;
pub mod faults;
pub mod stand_in;
pub mod webhooks;
