//! Staff keep products: what they write is what shoppers see, and nothing is overwritten, lost or smuggled in.

pub mod desk;
mod editing;
mod pictures;
mod stock;

use crate::support::Test;
use crate::tests;
use editing::*;
use pictures::*;
use stock::*;

pub const TESTS: &[Test] = tests![
    a_product_is_made_published_moved_and_archived,
    nothing_is_overwritten,
    fields_at_fault_are_named,
    variants_come_and_go,
    a_draft_publishes_itself_on_every_node,
    a_copy_is_a_draft_of_its_own,
    pictures_are_made_anew_or_refused,
    stock_changes_have_reasons_and_never_break_promises,
];
