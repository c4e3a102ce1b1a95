//! The benchmarks of the running shop, in one program, since linking V8 takes long: `cargo bench --bench shop -- NAME`.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot go on fails")]

mod admin;
mod checkout;
mod listing;
mod render;
mod support;

mod catalog {
    pub mod model {
        pub use shop_domain::catalog::model::Availability;
    }
}
#[path = "search/products.rs"]
mod products;
#[expect(dead_code, reason = "which products are meant is for another benchmark")]
#[path = "search/queries.rs"]
mod queries;
mod search {
    pub use shop_domain::catalog::search::SearchDocument;
}

use std::io::{Error, Result};

fn main() -> Result<()> {
    // Log errors.
    tracing_subscriber::fmt().with_max_level(tracing::Level::ERROR).with_writer(std::io::stderr).init();
    match std::env::args().skip(1).find(|argument| !argument.starts_with('-')).as_deref() {
        Some("admin") => admin::run(),
        Some("checkout") => checkout::run(),
        Some("listing") => listing::run(),
        Some("render") => render::run(),
        _ => Err(Error::other("name one of: admin, checkout, listing, render")),
    }
}
