//! `/test-email`: staff send themselves a test mail and see the mail server's response.

pub mod pages;
