//! Bulk changes: previewed first, then applied to exactly the previewed versions, all or nothing.

use serde::{Deserialize, Serialize};
use shop_base::context::Context;
use shop_base::db::{Conn, DbError, stored};
use shop_base::error::Error;
use shop_platform::audit;
use shop_platform::audit::model::{Actor, Change};
use utoipa::ToSchema;
use uuid::Uuid;

use super::differences::{product_changes, variant_changes};
use super::model::{ProductContent, ProductStatus, StoredProduct};
use super::service::{Pen, Revision};
use super::{service, store};
use crate::catalog::service::PRODUCTS_EDITED;

/// The maximum number of products in a bulk change.
pub const MOST: usize = 500;
/// The maximum number of their variants: they are written in one transaction, and on SQLite payments wait for it.
const MOST_VARIANTS: i64 = 2_500;

/// The change applied to each product.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BulkChange {
    Publish,
    Unpublish,
    Archive,
    Category {
        category_id: Uuid,
    },
    ComplianceClass {
        code: String,
    },
    Price {
        /// In hundredths of a percent: -1000 is 10% less.
        #[serde(default)]
        percent: i64,
        /// In minor units, added after the percentage.
        #[serde(default)]
        amount: i64,
        rounding: Rounding,
    },
}

stored! {
    /// How a changed price is rounded.
    Rounding {
        Cent = "cent",
        /// To the nearest amount ending in 95 cents.
        NinetyFive = "95",
        /// To the nearest amount ending in 99 cents.
        NinetyNine = "99",
        Dollar = "dollar",
    }
}

/// A product at the version that was previewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BulkItem {
    pub id: Uuid,
    pub version: i64,
}

/// The previewed effect on a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct BulkEffect {
    pub id: Uuid,
    pub version: i64,
    pub title: String,
    /// Empty if nothing would change.
    pub what: Vec<String>,
    /// Why it cannot be applied; empty if it can.
    pub problem: String,
}

impl Rounding {
    /// What cannot be a price stays one that is refused.
    fn round(self, amount: i128) -> i64 {
        if amount < 0 {
            return i64::try_from(amount).unwrap_or(i64::MIN);
        }
        let nearest = |end: i128| ((amount - end + 50).div_euclid(100) * 100 + end).max(end);
        let rounded = match self {
            Self::Cent => amount,
            Self::NinetyFive => nearest(95),
            Self::NinetyNine => nearest(99),
            Self::Dollar => nearest(0),
        };
        i64::try_from(rounded).unwrap_or(i64::MAX)
    }
}

fn changed_price(price: i64, percent: i64, amount: i64, rounding: Rounding) -> i64 {
    let by_percent = i128::from(price) * (10_000 + i128::from(percent));
    // Rounded to the nearest minor unit.
    let price = (by_percent + 5_000).div_euclid(10_000);
    rounding.round(price + i128::from(amount))
}

impl BulkChange {
    fn apply(&self, content: &mut ProductContent) {
        match self {
            Self::Publish => (content.status, content.publish_at) = (ProductStatus::Active, None),
            Self::Unpublish => (content.status, content.publish_at) = (ProductStatus::Draft, None),
            Self::Archive => (content.status, content.publish_at) = (ProductStatus::Archived, None),
            Self::Category { category_id } => content.category_id = *category_id,
            Self::ComplianceClass { code } => content.compliance_class.clone_from(code),
            Self::Price { percent, amount, rounding } => {
                for variant in &mut content.variants {
                    variant.price = changed_price(variant.price, *percent, *amount, *rounding);
                    variant.compare_at_price = variant.compare_at_price.filter(|before| *before > variant.price);
                }
            }
        }
    }

    fn action(&self) -> &'static str {
        match self {
            Self::Publish => "product.publish",
            Self::Unpublish => "product.unpublish",
            Self::Archive => "product.archive",
            _ => "product.update",
        }
    }
}

/// A product, its new content, and the effect shown to staff.
struct Planned {
    before: StoredProduct,
    content: ProductContent,
    effect: BulkEffect,
}

/// Previews the effect on these products.
pub async fn preview(cx: &Context, change: &BulkChange, ids: &[Uuid]) -> Result<Vec<BulkEffect>, Error> {
    let mut reader = cx.db.read().await?;
    let mut conn = reader.conn();
    check_size(&mut conn, ids).await?;
    let planned = plan(&mut conn, change, ids).await?;
    Ok(planned.1.into_iter().map(|each| each.effect).collect())
}

/// Changes these products, if each still has the previewed version.
pub async fn apply(cx: &Context, actor: &Actor, change: &BulkChange, items: &[BulkItem]) -> Result<usize, Error> {
    let clock = cx.clock.as_ref();
    let ids: Vec<Uuid> = items.iter().map(|item| item.id).collect();
    check_size(&mut cx.db.read().await?.conn(), &ids).await?;
    let mut tx = cx.db.begin().await?;
    let mut conn = tx.conn();
    store::lock_all(&mut conn, &ids).await?;
    if let BulkChange::Category { category_id } = change {
        store::hold_categories(&mut conn, &[*category_id]).await?;
    }
    let (around, planned) = plan(&mut conn, change, &ids).await?;
    let is_as_told =
        |item: &BulkItem| planned.iter().any(|each| each.before.id == item.id && each.before.version == item.version);
    if !items.iter().all(is_as_told) {
        let message = "One of these products has changed since the preview, perhaps by an earlier try of yours whose answer was lost. \
            Check the list before you try again.";
        return Err(Error::conflict("changed_meanwhile", message));
    }
    if let Some(bad) = planned.iter().find(|each| !each.effect.problem.is_empty()) {
        return Err(Error::invalid("items", &format!("{}: {}", bad.effect.title, bad.effect.problem)));
    }
    let pen = Pen { clock, actor, around: &around };
    let revisions: Vec<Revision<'_>> = planned
        .iter()
        .filter(|each| !each.effect.what.is_empty())
        .map(|each| Revision { id: None, before: Some(&each.before), content: &each.content, places: None })
        .collect();
    let written = pen.write(&mut conn, change.action(), &revisions).await?;
    let (edited, changes): (Vec<Uuid>, Vec<Change>) = written.into_iter().map(|each| (each.id, each.change)).unzip();
    audit::service::record_all(&mut conn, clock, actor, &changes).await?;
    if !edited.is_empty() {
        conn.after_commit_about(PRODUCTS_EDITED, edited);
    }
    tx.commit().await?;
    Ok(changes.len())
}

async fn check_size(conn: &mut Conn<'_>, ids: &[Uuid]) -> Result<(), Error> {
    if !(1..=MOST).contains(&ids.len()) {
        return Err(Error::invalid("ids", "Select 1 to 500 products at a time. Use a filter to narrow them down."));
    }
    if store::count_variants(conn, ids).await? > MOST_VARIANTS {
        return Err(Error::invalid("ids", "These products have more than 2,500 variants. Select fewer at a time."));
    }
    Ok(())
}

async fn plan(
    conn: &mut Conn<'_>,
    change: &BulkChange,
    ids: &[Uuid],
) -> Result<(super::model::Surroundings, Vec<Planned>), DbError> {
    let products = service::list(conn, ids).await?;
    let mut planned: Vec<Planned> = products
        .into_iter()
        .map(|before| {
            let mut old = before.content.clone();
            old.tidy();
            let mut content = old.clone();
            change.apply(&mut content);
            let mut what = product_changes(&old, &content);
            for (old, new) in old.variants.iter().zip(&content.variants) {
                let words = variant_changes(old, new).into_iter();
                what.extend(words.map(|words| format!("{}: {words}", new.sku)));
            }
            let (id, version, title) = (before.id, before.version, content.title.clone());
            Planned { before, content, effect: BulkEffect { id, version, title, what, problem: String::new() } }
        })
        .collect();
    let contents: Vec<&ProductContent> = planned.iter().map(|each| &each.content).collect();
    let around = service::surroundings(conn, &contents).await?;
    for each in &mut planned {
        let problems = service::problems(&around, Some(&each.before), &each.content);
        each.effect.problem = problems.into_values().flatten().collect::<Vec<_>>().join(" ");
    }
    planned.sort_by(|a, b| a.effect.title.cmp(&b.effect.title));
    Ok((around, planned))
}

#[cfg(test)]
mod tests {
    use super::{Rounding, changed_price};
    use crate::catalog::editing::model::MAX_PRICE;

    #[test]
    fn prices_end_up_where_they_should() {
        let rounded = |rounding: Rounding| [1_234, 1_249, 1_251, 40].map(|amount| rounding.round(amount));
        assert_eq!(rounded(Rounding::Cent), [1_234, 1_249, 1_251, 40]);
        assert_eq!(rounded(Rounding::NinetyNine), [1_199, 1_299, 1_299, 99]);
        assert_eq!(rounded(Rounding::NinetyFive), [1_195, 1_295, 1_295, 95]);
        assert_eq!(rounded(Rounding::Dollar), [1_200, 1_200, 1_300, 0]);
    }

    #[test]
    fn a_change_below_nothing_is_no_price() {
        for rounding in Rounding::ALL.iter().copied() {
            assert!(changed_price(2_000, 0, -5_000, rounding) < 0, "{rounding:?}");
            assert!(changed_price(2_000, -10_000, -1, rounding) < 0, "{rounding:?}");
            assert!(changed_price(2_000, -10_000, 0, rounding) >= 0, "{rounding:?}");
        }
    }

    #[test]
    fn an_absurd_change_ends_beyond_every_price() {
        for rounding in Rounding::ALL.iter().copied() {
            for (percent, amount) in [(i64::MAX, i64::MAX), (i64::MAX, 0), (0, i64::MAX), (-1, i64::MAX)] {
                assert!(changed_price(1_000, percent, amount, rounding) > MAX_PRICE, "{percent} {amount} {rounding:?}");
            }
        }
    }
}
