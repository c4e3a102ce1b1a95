//! A saved view of a list.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SavedView {
    pub id: Uuid,
    pub name: String,
    /// The list's address.
    pub href: String,
    pub is_shared: bool,
    /// Whether the current user may delete it: their own, or as an admin a shared one.
    pub may_delete: bool,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct NewView {
    /// The list's path, such as `/admin/orders`.
    pub list: String,
    pub name: String,
    /// The query of the list's address, without the question mark.
    pub query: String,
    pub is_shared: bool,
    /// Whether to replace the caller's view of this name, if there is one.
    #[serde(default)]
    pub replace: bool,
}

pub const MAX_NAME_CHARS: usize = 60;
pub const MAX_QUERY_BYTES: usize = 2_000;
/// Per user and list.
pub const MAX_VIEWS: i64 = 50;
/// Per list, of all users.
pub const MAX_SHARED: i64 = 150;
