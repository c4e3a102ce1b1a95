//! The cart's page, and the forms that change the cart without scripts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shop_base::db::LazyReader;
use shop_base::error::Error;
use shop_domain::cart::model::{CartLine, Contents, Edit};
use shop_domain::cart::service;
use shop_domain::catalog::model::ProductCard;
use shop_domain::catalog::service::Catalog;
use shop_domain::sales::flows::quote;
use shop_domain::sales::flows::quote::{Quote, QuoteRequest};
use shop_platform::web::cookies::SignedCookies;
use shop_platform::web::extract::OwnForm;
use shop_platform::web::page::{Meta, Page, PageProps};
use shop_platform::web::reusable::Reusable;
use utoipa::ToSchema;
use uuid::Uuid;

use super::edits::{carry_out, contents, promo_edit};
use super::unfinished;
use crate::identity::extract::Visitor;

/// Larger quantities are reduced to this, which is more than anybody may order.
const MOST_TYPED: i64 = 9_999;
/// How many popular products an empty cart shows.
const POPULAR: usize = 6;

/// Props of the cart, as far as the server knows it. The browser may know more.
#[derive(Debug, Serialize, ToSchema)]
pub struct CartPage {
    /// What is to be bought and its cost; null when there is nothing to buy.
    pub quote: Option<Quote>,
    /// Lines saved for later.
    pub saved: Vec<CartLine>,
    pub promo_code: Option<String>,
    /// Problems with the last change.
    pub problems: Vec<String>,
    /// Popular products, when there is nothing to buy.
    #[schema(value_type = Vec<ProductCard>)]
    pub popular: Vec<Reusable<ProductCard>>,
}

impl PageProps for CartPage {
    const NAME: &'static str = "cart";
}

/// `GET /cart`
pub async fn cart(
    State(cookies): State<SignedCookies>,
    State(catalog): State<Arc<Catalog>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Page, Error> {
    let mut reader = cookies.db.read_lazily();
    let contents = contents(&cookies, &mut reader, &visitor, &headers).await?;
    page(&cookies, &mut reader, &catalog, &visitor, &headers, &contents, Vec::new()).await
}

async fn page(
    cookies: &SignedCookies,
    reader: &mut LazyReader<'_>,
    catalog: &Catalog,
    visitor: &Visitor,
    headers: &HeaderMap,
    contents: &Contents,
    problems: Vec<String>,
) -> Result<Page, Error> {
    let buying = contents.buying();
    let quote = if buying.is_empty() {
        None
    } else {
        let request = QuoteRequest {
            checkout_id: unfinished::read(cookies, headers),
            items: buying,
            promo_code: contents.promo_code.clone(),
            ..QuoteRequest::default()
        };
        Some(quote::quote(cookies, &mut reader.conn().await?, &request).await?.view)
    };
    let saved = if contents.items.iter().any(|item| item.saved) {
        let mut conn = reader.conn().await?;
        // It matters to these lines alone: the quote has read by itself what is held for its own.
        let held = unfinished::list_held(cookies, &mut conn, visitor.user_id(), headers).await?;
        service::list_saved(&mut conn, contents, &held).await?
    } else {
        Vec::new()
    };
    let meta = Meta {
        title: "Your cart".to_owned(),
        description: "The items in your cart.".to_owned(),
        canonical: Some("/cart".to_owned()),
        robots: Some("noindex, follow".to_owned()),
        ..Meta::default()
    };
    let popular = match &quote {
        Some(quote) if !quote.lines.is_empty() => Vec::new(),
        _ => catalog.listing().popular(None).take(POPULAR).cloned().collect(),
    };
    let props = CartPage { quote, saved, promo_code: contents.promo_code.clone(), problems, popular };
    Ok(Page::new("/cart", &props, meta)?.personal())
}

/// A form of the cart or of a product's page; the pressed button determines the action.
#[derive(Debug, Deserialize)]
pub struct CartForm {
    /// `add`, `set` (to the entered quantity) or `set:3`, `remove`, `save`, `move`, `apply` or `drop`.
    #[serde(rename = "do")]
    act: String,
    /// Id of the variant.
    id: Option<Uuid>,
    /// As entered.
    qty: Option<String>,
    /// A promo code, as entered.
    code: Option<String>,
}

impl CartForm {
    fn edit(&self) -> Result<Edit, Error> {
        let malformed = || Error::BadRequest { detail: "This form was not made by the shop.".to_owned() };
        let id = self.id.ok_or_else(malformed);
        let (act, to) = self.act.split_once(':').unwrap_or((&self.act, self.qty.as_deref().unwrap_or("1")));
        // An invalid quantity becomes negative, and is ignored.
        let qty = to.trim().parse().unwrap_or(-1).min(MOST_TYPED);
        Ok(match act {
            "add" => Edit::Add { id: id?, qty: qty.max(1) },
            "set" => Edit::SetQuantity { id: id?, qty },
            "remove" => Edit::SetQuantity { id: id?, qty: 0 },
            "save" => Edit::SetSaved { id: id?, saved: true },
            "move" => Edit::SetSaved { id: id?, saved: false },
            act => promo_edit(act, self.code.as_deref())
                .map_err(|problem| Error::invalid("code", &problem.to_string()))?
                .ok_or_else(malformed)?,
        })
    }
}

/// `POST /cart`
pub async fn edit(
    State(cookies): State<SignedCookies>,
    State(catalog): State<Arc<Catalog>>,
    visitor: Visitor,
    headers: HeaderMap,
    OwnForm(form): OwnForm<CartForm>,
) -> Result<Response, Error> {
    let edit = match form.edit() {
        Err(Error::Invalid { errors }) => {
            let mut reader = cookies.db.read_lazily();
            let contents = contents(&cookies, &mut reader, &visitor, &headers).await?;
            let problems = errors.into_values().flatten().collect();
            let page = page(&cookies, &mut reader, &catalog, &visitor, &headers, &contents, problems).await?;
            return Ok(page.with_status(StatusCode::UNPROCESSABLE_ENTITY).into_response());
        }
        edit => edit?,
    };
    let edited = carry_out(&cookies, &visitor, &headers, &edit).await?;
    // What has become of a code is said in the summary, which small screens have below all lines.
    let location = if matches!(edit, Edit::SetPromoCode(_)) { "/cart#summary" } else { "/cart" };
    let mut response = if edited.changes.is_empty() {
        (StatusCode::SEE_OTHER, [(header::LOCATION, HeaderValue::from_static(location))]).into_response()
    } else {
        let problems = edited.changes.into_iter().map(|change| change.message).collect();
        let mut reader = cookies.db.read_lazily();
        let page = page(&cookies, &mut reader, &catalog, &visitor, &headers, &edited.contents, problems).await?;
        page.with_status(StatusCode::UNPROCESSABLE_ENTITY).into_response()
    };
    if let Some(cookie) = edited.cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
