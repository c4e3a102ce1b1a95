//! What a dispute means for money, as SQL for rows of `disputes`. Their states are in the provider's words.

/// The bank has taken back the amount for good.
pub const IS_LOST: &str = "state IN ('LOST', 'ACCEPTED')";

/// The shop has not won. An inquiry takes nothing back yet.
pub const IS_RECLAIMED: &str = "state <> 'WON' AND state NOT LIKE 'INQUIRY%'";

/// What the shop has kept of a captured attempt `a`, minor units.
pub fn kept() -> String {
    format!(
        "a.amount - a.refunded
            - COALESCE((SELECT SUM(d.amount) FROM disputes d WHERE d.attempt_id = a.id AND d.{IS_LOST}), 0)"
    )
}
