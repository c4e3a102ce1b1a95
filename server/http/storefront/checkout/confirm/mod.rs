//! The link in an email, by which an order that is paid for in the store is placed: a page that shows it, and the button that does it. To
//! look at the page changes nothing, for mail programs follow links by themselves.

pub mod pages;
