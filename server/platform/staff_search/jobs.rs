//! What the search of staff leaves to the worker.

use serde::{Deserialize, Serialize};

use super::model::Kind as Searched;
use crate::jobs::model::{Job, Kind, Lane};

/// Makes what staff search for findable by its words. Added at each start, and done at once where that was done before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillSearchTerms {
    pub kind: Searched,
}

impl Job for FillSearchTerms {
    const KIND: Kind = Kind::new("fill_search_terms", Lane::Maintenance, 36);
}
