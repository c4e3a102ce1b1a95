//! `/test-email`: staff send themselves a mail and read what the mail server said.

pub mod pages;
