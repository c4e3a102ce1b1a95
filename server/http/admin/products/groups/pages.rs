//! The page of categories and collections.

use std::collections::HashMap;

use axum::extract::State;
use serde::Serialize;
use shop_base::context::Context;
use shop_base::error::Error;
use shop_domain::catalog::groups::categories::CategoryForm;
use shop_domain::catalog::groups::collections::CollectionForm;
use shop_domain::catalog::groups::queries;
use shop_domain::catalog::groups::rows::CategoryRow;
use shop_platform::web::extract::Asked;
use shop_platform::web::page::{Page, PageProps};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::admin_meta;

#[derive(Debug, Serialize, ToSchema)]
pub struct ProductGroupsPage {
    /// Each category after its parent, siblings in order.
    pub categories: Vec<CategoryItem>,
    pub collections: Vec<CollectionItem>,
}

impl PageProps for ProductGroupsPage {
    const NAME: &'static str = "admin/product-groups";
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryItem {
    pub id: Uuid,
    /// What it is, as a form that leaves it where it is.
    pub form: CategoryForm,
    /// Its position among its siblings, from 0.
    pub place: usize,
    /// Depth in the tree, 0 for the top.
    pub depth: usize,
    /// How many products it has, including those of all categories below it.
    pub products: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CollectionItem {
    pub id: Uuid,
    /// What it is, as a form that leaves it where it is, with the products that it has.
    pub form: CollectionForm,
    /// How many products it has.
    pub products: i64,
    /// Titles of the first of them, in order.
    pub titles: Vec<String>,
}

/// How many products of a collection are named.
const NAMED: i64 = 5;

/// `GET /admin/products/groups`
pub async fn show(State(cx): State<Context>, asked: Asked) -> Result<Page, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    let rows = queries::list_categories(&mut conn).await?;
    let counts: HashMap<Uuid, i64> = queries::count_products(&mut conn).await?.into_iter().collect();
    let shown = queries::list_collections(&mut conn).await?;
    let first_members = queries::list_first_members(&mut conn, NAMED).await?;
    drop(reader);
    let mut categories = Vec::with_capacity(rows.len());
    descend(&rows, None, 0, &counts, &mut categories);
    let mut members = HashMap::<Uuid, (i64, Vec<String>)>::new();
    for (collection, products, title) in first_members {
        let (count, titles) = members.entry(collection).or_default();
        *count = products;
        titles.push(title);
    }
    let collections = shown.into_iter().map(|row| {
        let (products, titles) = members.remove(&row.id).unwrap_or_default();
        CollectionItem { id: row.id, form: CollectionForm::of(row, None), products, titles }
    });
    let props = ProductGroupsPage { categories, collections: collections.collect() };
    Page::new(asked.path, &props, admin_meta("Categories and collections"))
}

/// Adds the categories below one, and returns how many products they have in total.
fn descend(
    rows: &[CategoryRow],
    parent: Option<Uuid>,
    depth: usize,
    counts: &HashMap<Uuid, i64>,
    out: &mut Vec<CategoryItem>,
) -> i64 {
    let mut all = 0;
    for (row, place) in rows.iter().filter(|row| row.parent_id == parent).zip(0..) {
        let form = CategoryForm {
            version: row.version,
            name: row.name.clone(),
            slug: row.slug.clone(),
            description: row.description.clone(),
            parent_id: row.parent_id,
            place: None,
        };
        let at = out.len();
        let products = counts.get(&row.id).copied().unwrap_or(0);
        out.push(CategoryItem { id: row.id, form, place, depth, products });
        let below = descend(rows, Some(row.id), depth + 1, counts, out);
        if let Some(item) = out.get_mut(at) {
            item.products += below;
            all += item.products;
        }
    }
    all
}
