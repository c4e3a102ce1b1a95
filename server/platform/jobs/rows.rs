//! Rows of jobs.

use sqlx::FromRow;
use uuid::Uuid;

/// A job as staff see it.
#[derive(Clone, Debug, FromRow)]
pub struct Row {
    pub id: Uuid,
    pub name: String,
    pub payload: String,
    pub run_at: i64,
    pub attempts: i64,
    /// A node currently holds it.
    pub is_leased: bool,
    pub last_error: Option<String>,
    pub dead_at: Option<i64>,
}

/// A job that this node has taken; it is ours until its lease ends.
#[derive(Clone, Debug, FromRow)]
pub struct LeasedJob {
    pub id: Uuid,
    pub name: String,
    pub payload: String,
    /// See [`super::model::Job::group`]; zero if it has none, or a former release has added it.
    pub group_id: Uuid,
    pub lease: String,
    pub run_at: i64,
    /// Including this one.
    pub attempts: i64,
    pub additions: i64,
    /// A run of it has ended without telling whether it was done.
    pub may_be_done: bool,
}
