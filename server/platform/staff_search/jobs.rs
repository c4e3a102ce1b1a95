//! Background jobs of staff search.

use serde::{Deserialize, Serialize};

use super::model::Kind as Searched;
use crate::jobs::model::{Job, Kind, Lane};

/// Indexes existing records for staff search. Added at each start; finishes at once when an earlier run has completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillSearchTerms {
    /// By its former name, nodes of a former release would take the job, and do nothing.
    #[serde(rename = "searched", alias = "kind")]
    pub kind: Searched,
}

impl Job for FillSearchTerms {
    const KIND: Kind = Kind::new("fill_search_terms", Lane::Maintenance, 36);
}
