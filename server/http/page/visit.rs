//! What a page shows about its visitor in addition to its own contents.

use std::ops::Deref;

use axum::http::{Extensions, HeaderMap, HeaderValue, header};
use axum::response::Response;
use moka::sync::Cache;
use serde::Serialize;
use shop_base::context::Context;
use shop_domain::identity::model::{Session, UserView};
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::reusable::Reusable;

use crate::identity::cookie;
use crate::identity::cookie::Name;
use crate::identity::extract::Visitor;
use crate::identity::notice::Notice;
use crate::storefront::age;

#[derive(Clone, Debug)]
pub struct Visit {
    pub age_verified: bool,
    pub user: Option<User>,
    pub notice: Option<Notice>,
}

/// Whether the visitor's age is verified, in a request whose cookie has been read: its signature is verified once.
#[derive(Clone, Copy, Debug)]
pub struct AgeVerified(bool);

impl AgeVerified {
    pub fn of(cookies: &SignedCookies, headers: &HeaderMap) -> Self {
        Self(age::cookie::is_verified(cookies, headers))
    }
}

/// The signed-in visitor, as the envelope shows them.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum User {
    /// On pages that are kept for all who are signed in.
    Reusable(Reusable<UserView>),
    Whole(UserView),
}

impl Deref for User {
    type Target = UserView;

    fn deref(&self) -> &UserView {
        match self {
            Self::Reusable(user) => user,
            Self::Whole(user) => user,
        }
    }
}

/// Visitors whom kept pages have shown lately, so that the HTML about each is rendered once.
#[derive(Clone, Debug)]
pub struct Users(Cache<UserView, Reusable<UserView>>);

/// Of some 500 bytes each.
const MAX_USERS: u64 = 10_000;

impl Default for Users {
    fn default() -> Self {
        Self(Cache::new(MAX_USERS))
    }
}

impl Users {
    fn of(&self, user: UserView) -> User {
        match self.0.get(&user) {
            Some(known) => User::Reusable(known),
            None => match Reusable::new(user.clone()) {
                Ok(new) => {
                    self.0.insert(user, new.clone());
                    User::Reusable(new)
                }
                Err(error) => {
                    tracing::error!(%error, "a visitor could not be written");
                    User::Whole(user)
                }
            },
        }
    }
}

impl Visit {
    /// Of the visitor as the extensions of the request or its response have them.
    pub fn of(cookies: &SignedCookies, headers: &HeaderMap, known: &Extensions) -> Self {
        let age = known.get().copied().unwrap_or_else(|| AgeVerified::of(cookies, headers));
        Self::new(cookies, headers, age, known.get::<Visitor>().and_then(|visitor| visitor.user.as_ref()))
    }

    pub fn new(cookies: &SignedCookies, headers: &HeaderMap, age: AgeVerified, user: Option<&Session>) -> Self {
        let user = user.map(UserView::from).map(User::Whole);
        // Behind the age gate nobody could read it: it waits for the page after that.
        let notice = Notice::read(cookies, headers).filter(|_| age.0);
        Self { age_verified: age.0, user, notice }
    }

    /// For a page that may be kept.
    #[must_use]
    pub fn reusable(self, users: &Users) -> Self {
        let user = self.user.map(|user| match user {
            User::Whole(user) => users.of(user),
            user @ User::Reusable(_) => user,
        });
        Self { user, ..self }
    }

    /// Of whom a page that is kept shows something.
    pub fn shown(&self) -> Option<&Reusable<UserView>> {
        match &self.user {
            Some(User::Reusable(user)) => Some(user),
            _ => None,
        }
    }

    /// The page shows nothing about its visitor, except that it may have the age gate.
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
