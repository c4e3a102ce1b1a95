//! The cart. A guest's lives in the browser alone; the server only serves the page that shows it.

pub mod pages;
