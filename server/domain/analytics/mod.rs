//! Business figures: sales and visits by day in the shop's time zone, stored as roll-ups.
//!
//! Invariants: a day's figures are a function of its rows, so late, duplicate or reordered rows lead to the same figures. Sales figures are
//! recomputed for whole days; for visits each event is counted once, see [`visits::service`]. Days whose activity was deleted keep their
//! roll-up. Figures contain no personal data.
//!
//! Definitions:
//! - An order counts as soon as money was taken for it or if it costs nothing, on the day on which it was placed, until its payment is
//!   lost. A canceled order still counts; what was given back for it is part of *refunded*.
//! - *taken* is all captured money, including tax and shipping, on the day of the payment. *refunded* is the money given back, on the day
//!   of the refund; what the provider gave back without the shop is subtracted on the day of the payment.
//! - *lost disputes* is the money that banks took back because the shop lost or accepted the dispute, on the day on which it did. An open
//!   dispute changes nothing. Disputes are few, and a decision may be reversed, so they are summed up when they are read, not rolled up.
//! - *Revenue* is taken minus refunded minus lost disputes.
//! - Goods, discounts, shipping, tax, units and the average are those of the orders that count, before refunds.
//! - A product's amount is its price times its quantity less discounts, without tax and before refunds. Its category is the one at the time
//!   when the day was last rolled up, its title the current one.
//! - A *visit* is one session of a browser tab on one day; visitors who object to tracking are not counted. Its length is the time for
//!   which it was viewed, as reported by browsers; without a report, the time from its first event to its last. A visit has 100 time spans:
//!   of more, those with the shortest times between them are joined.
//! - The *funnel* counts how far visits got: a visit that reached a step also counts for all earlier steps.
//! - Pages, features and searches are counted by name; a day has 2,000 names of each, and one for the rest.
//! - A *cart* is a visit that put something into the cart; it was *abandoned* if neither that session nor the same user reached an order
//!   confirmation within 24 hours, which is known when the next day is over.

pub mod days;
pub mod figures;
pub mod jobs;
pub mod read;
pub mod sales;
pub mod service;
pub mod store;
pub mod visits;
