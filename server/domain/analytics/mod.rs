//! How the shop does: sales and visits by day of the shop's time zone, kept in roll-ups.
//!
//! Invariants: a day's figures are a function of the rows that concern it, so what arrives late, twice or in another order gives the same
//! figures. Those of sales are made anew as a whole; into those of visits each event is counted once, see [`visits::service`]. Days whose
//! activity is deleted keep their roll-up. Figures name nobody.
//!
//! What the figures mean:
//! - An order counts once money was taken for it or it costs nothing, on the day on which it was placed, until the payment is lost.
//! - *taken* is all money captured, tax and shipping included, on the day on which the shopper paid. *refunded* is what went back, on
//!   the day of the refund; what the provider gave back without the shop is off the day of the payment. *Revenue* is taken minus refunded.
//! - A product's amount is its price times its quantity less discounts, without tax and before refunds. Its category is that of the
//!   moment when the day was last rolled up.
//! - A *visit* is one session of a browser's tab on one day; who objects to being counted is not in it. Its length is the time for which
//!   it was looked at, as browsers report it; without a report, from its first event to its last.
//! - The *funnel* counts how far visits came: whoever came further counts for the steps before.
//! - A *cart* is a visit that put something into the cart; it was *abandoned* when neither that session nor the same user came to an
//!   order's confirmation within 24 hours of it, which is known when the day after is over.

pub mod days;
pub mod figures;
pub mod jobs;
pub mod read;
pub mod sales;
pub mod service;
pub mod store;
pub mod visits;
