//! What a page shows about its visitor in addition to its own contents.

use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use shop_base::context::Context;
use shop_domain::identity::model::UserView;
use shop_platform::web::cookies::SignedCookies;

use crate::identity::cookie;
use crate::identity::cookie::Name;
use crate::identity::extract::Visitor;
use crate::identity::notice::Notice;
use crate::storefront::age;

#[derive(Clone, Debug)]
pub struct Visit {
    pub age_verified: bool,
    pub user: Option<UserView>,
    pub notice: Option<Notice>,
}

impl Visit {
    pub fn of(cookies: &SignedCookies, headers: &HeaderMap, visitor: Option<&Visitor>) -> Self {
        Self {
            age_verified: age::cookie::is_verified(cookies, headers),
            user: visitor.and_then(|visitor| visitor.user.as_ref()).map(UserView::from),
            notice: Notice::read(cookies, headers),
        }
    }

    /// Apart from the age gate, the page is the same for all such visitors: it may come from the cache and be stored in it.
    pub fn is_anonymous(&self) -> bool {
        self.user.is_none() && self.notice.is_none()
    }

    /// Keeps a personal page out of all caches, and prevents a notice from being shown twice.
    pub fn mark(&self, cx: &Context, response: &mut Response) {
        if self.is_anonymous() {
            return;
        }
        keep_out_of_caches(response);
        if self.notice.is_some() {
            response.headers_mut().append(header::SET_COOKIE, cookie::clear(cx, Name::Notice));
        }
    }
}

/// For responses that are specific to one visitor.
pub fn keep_out_of_caches(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.remove(header::ETAG);
}
