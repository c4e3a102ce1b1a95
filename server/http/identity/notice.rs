//! Messages shown to a visitor once, on the next page, about the account or a failed sign-in.

use axum::http::HeaderMap;
use serde::Serialize;
use shop_base::context::Context;
use shop_domain::identity::service::BLOCKED;
use utoipa::ToSchema;

use super::cookie;
use super::cookie::Name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    Canceled,
    Failed,
    Unavailable,
    SignedOut,
    Deleted,
    Blocked,
    Updated,
    /// A form was posted by a browser that was not signed in.
    Unsaved,
    /// A form was refused, and the age gate was over the page that says why.
    Unchanged,
}

/// A toast message.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoticeView {
    /// `success`, `info`, `warn` or `error`.
    #[schema(value_type = NoticeSeverity)]
    pub severity: &'static str,
    pub summary: &'static str,
}

/// Severity of a notice.
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
    const ALL: [Self; 9] = [
        Self::Canceled,
        Self::Failed,
        Self::Unavailable,
        Self::SignedOut,
        Self::Deleted,
        Self::Blocked,
        Self::Updated,
        Self::Unsaved,
        Self::Unchanged,
    ];

    pub fn code(self) -> &'static str {
        match self {
            Self::Canceled => "canceled",
            Self::Failed => "failed",
            Self::Unavailable => "unavailable",
            Self::SignedOut => "signed-out",
            Self::Deleted => "deleted",
            Self::Blocked => "blocked",
            Self::Updated => "updated",
            Self::Unsaved => "unsaved",
            Self::Unchanged => "unchanged",
        }
    }

    /// The notice that this browser has not shown yet.
    pub fn read(cx: &Context, headers: &HeaderMap) -> Option<Self> {
        let code = cookie::read(cx, headers, Name::Notice)?;
        Self::ALL.into_iter().find(|notice| notice.code() == code)
    }

    pub fn view(self) -> NoticeView {
        let (severity, summary) = match self {
            Self::Canceled => ("info", "Sign-in was canceled."),
            Self::Failed => ("error", "Sign-in didn’t work. Please try again."),
            Self::Unavailable => {
                ("error", "Sign-in isn’t available right now. You can still use the rest of the shop.")
            }
            Self::SignedOut => ("success", "You’re signed out."),
            Self::Deleted => ("success", "Your account has been deleted."),
            Self::Blocked => ("error", BLOCKED),
            Self::Updated => ("success", "Your account has been updated."),
            Self::Unsaved => ("warn", "You weren’t signed in, so nothing was saved. Please try again."),
            Self::Unchanged => ("warn", "Nothing was changed. Please try again."),
        };
        NoticeView { severity, summary }
    }
}
