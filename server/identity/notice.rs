//! What a visitor is told once, on the next page, about a sign-in that did not come about.

use axum::http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::cookie::{self, Name};
use super::service::BLOCKED;
use crate::app::App;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    Cancelled,
    Failed,
    Unavailable,
    SignedOut,
    Deleted,
    Blocked,
}

/// A toast.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticeView {
    /// `success`, `info`, `warn` or `error`.
    #[schema(value_type = NoticeSeverity)]
    pub severity: &'static str,
    pub summary: &'static str,
}

/// How much a notice matters.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum NoticeSeverity {
    Success,
    Info,
    Warn,
    Error,
}

impl Notice {
    const ALL: [Self; 6] =
        [Self::Cancelled, Self::Failed, Self::Unavailable, Self::SignedOut, Self::Deleted, Self::Blocked];

    pub fn code(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::Unavailable => "unavailable",
            Self::SignedOut => "signed-out",
            Self::Deleted => "deleted",
            Self::Blocked => "blocked",
        }
    }

    /// The notice that this browser has not seen yet.
    pub fn read(app: &App, headers: &HeaderMap) -> Option<Self> {
        let code = cookie::read(app, headers, Name::Notice)?;
        Self::ALL.into_iter().find(|notice| notice.code() == code)
    }

    pub fn view(self) -> NoticeView {
        let (severity, summary) = match self {
            Self::Cancelled => ("info", "Sign-in was cancelled."),
            Self::Failed => ("error", "Sign-in did not work. Please try again."),
            Self::Unavailable => ("error", "Sign-in is not available right now. The rest of the shop is."),
            Self::SignedOut => ("success", "You are signed out."),
            Self::Deleted => ("success", "Your account is deleted."),
            Self::Blocked => ("error", BLOCKED),
        };
        NoticeView { severity, summary }
    }
}
