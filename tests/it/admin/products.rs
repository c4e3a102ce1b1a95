//! Staff edit products: shoppers see what was saved, and nothing is overwritten, lost or injected.

pub mod desk;
mod editing;
mod files;
mod import_conflicts;
mod import_undo;
mod imports;
mod lists;
mod pictures;
mod stock;

use editing::*;
use files::*;
use import_conflicts::*;
use import_undo::*;
use imports::*;
use lists::*;
use pictures::*;
use stock::*;

use crate::support::Test;
use crate::tests;

pub const TESTS: &[Test] = tests![
    a_product_is_made_published_moved_and_archived,
    a_product_without_a_description_is_described_by_its_subtitle,
    a_handle_may_look_like_an_id,
    nothing_is_overwritten,
    a_product_that_is_sent_again_is_created_once,
    more_is_looked_up_than_a_statement_takes,
    fields_at_fault_are_named,
    variants_come_and_go,
    a_draft_publishes_itself_on_every_node,
    a_copy_is_a_draft_of_its_own,
    a_copy_that_is_asked_for_again_is_created_once,
    pictures_are_made_anew_or_refused,
    a_file_takes_its_place_before_it_is_sent,
    what_is_exported_reads_back_as_unchanged,
    a_product_that_is_saved_during_an_export_is_in_it,
    a_shop_moves_in_from_shopify,
    a_line_of_an_export_leaves_the_rest_of_its_product_alone,
    the_line_with_the_title_may_be_any_of_its_product,
    a_file_without_titles_takes_nothing_away_from_a_product,
    blank_cells_beside_variants_or_pictures_are_ignored,
    a_file_says_that_it_changes_the_order_of_variants,
    an_option_that_a_file_renames_keeps_its_colors,
    a_value_that_a_file_renames_keeps_its_place_and_color,
    an_option_that_a_file_adds_gets_no_colors_of_another,
    a_value_that_no_variant_has_gives_way_to_other_capitals,
    a_variants_picture_becomes_one_of_its_product,
    pictures_without_a_position_stay_where_they_are,
    a_name_of_two_categories_is_none,
    a_file_may_have_its_weights_in_any_unit,
    a_count_needs_neither_sku_nor_price,
    a_file_with_errors_changes_nothing,
    a_file_with_an_open_quotation_mark_is_refused,
    the_lines_of_a_file_are_those_of_an_editor,
    an_option_may_be_called_as_shopify_calls_none,
    a_file_with_too_many_lines_is_refused,
    a_long_file_is_read_and_written,
    a_file_is_read_although_its_sender_has_left,
    what_was_read_outlasts_a_failure_of_the_database,
    an_import_that_is_killed_goes_on_where_it_was,
    two_workers_write_no_product_twice,
    an_import_that_nobody_works_on_goes_on_by_a_click,
    what_an_import_writes_shows_before_its_end,
    what_was_changed_meanwhile_is_left_and_named,
    an_import_tells_nobody_of_a_change_of_nothing,
    a_count_while_the_stock_is_read_is_not_overwritten,
    a_sale_meanwhile_does_not_make_an_import_stale,
    a_former_export_brings_back_nothing_that_was_sold,
    what_differs_by_nothing_visible_is_the_same,
    an_import_is_taken_back,
    an_import_that_is_taken_back_leaves_collections_in_order,
    what_an_undone_import_archived_is_sold_again_by_its_file,
    what_shopify_hides_becomes_a_draft,
    the_latest_imports_are_listed,
    a_variant_that_is_added_again_has_the_stock_of_its_file,
    an_import_is_taken_back_in_the_middle,
    shoppers_pay_while_a_file_is_imported,
    products_with_many_variants_are_written_a_few_at_once,
    what_a_later_commit_writes_is_not_read_before,
    a_collection_that_is_named_twice_is_joined_once,
    a_value_with_its_accents_apart_is_the_same,
    many_drafts_are_published_in_short_transactions,
    old_imports_are_forgotten,
    staff_find_sort_and_filter_products,
    the_list_reads_pictures_with_its_products,
    a_product_is_found_by_each_of_its_skus,
    many_products_change_as_was_told_or_not_at_all,
    a_bulk_change_is_of_few_variants,
    categories_and_collections_are_kept,
    a_category_that_no_list_has_yet_is_asked_for_again,
    a_category_takes_the_address_of_a_deleted_one,
    what_is_saved_stays_where_others_have_put_it,
    a_category_is_not_deleted_under_a_product,
    a_product_is_not_indexed_under_a_change,
    a_collection_beyond_its_limit_does_not_grow,
    what_a_product_joins_or_leaves_is_not_undone_by_a_collection,
    a_card_has_the_colors_of_its_variants,
    a_color_of_two_options_is_on_a_card_once,
    each_option_of_a_facet_is_a_filter_of_its_own,
    stock_changes_have_reasons_and_never_break_promises,
    a_count_leaves_sold_what_is_sold,
    a_count_notices_what_was_sold_or_sent_meanwhile,
];
