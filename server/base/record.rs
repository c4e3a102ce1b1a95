//! Lines of the log that somebody may need months later: the audit log's, and whose account was deleted. `shop serve` writes them however
//! little else is logged.

/// The target of these lines, by which they are told apart.
pub const RECORD: &str = "shop::record";
