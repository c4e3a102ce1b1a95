//! The emailed link that places an order to be paid in the store, or one for nothing: a page that shows the order, and the button that places
//! it. Opening the page changes nothing, since mail programs follow links by themselves.

pub mod pages;
