//! Ports for programs of a test.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// They end below the system's ephemeral ports, which any connection may take at any time.
const FIRST: u32 = 20_000;
const COUNT: u32 = 11_900;

pub fn free_port() -> u16 {
    free_ports(1)
}

/// The first of so many consecutive ports. No other test gets them, even while nobody listens: the program there may be about to start again.
pub fn free_ports(count: u16) -> u16 {
    // Test processes that run at the same time mostly begin far apart.
    static START: LazyLock<u32> = LazyLock::new(|| rand::random_range(0..COUNT));
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let at = *START + NEXT.fetch_add(u32::from(count), Ordering::Relaxed);
        let first = u16::try_from(FIRST + at % COUNT).unwrap();
        if (first..first + count).all(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()) {
            return first;
        }
    }
}
