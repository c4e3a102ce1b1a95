//! Writes whole products, within a transaction that has locked them. The number of statements does not depend on the number of products.

mod store;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

use self::store::{OptionRow, PictureRow, ProductRow, VariantRow};
pub use self::store::{publish_due, restore_path, retire_path};
use super::model::{ProductContent, ProductStatus, StoredProduct, Surroundings, VariantContent, product_path};
use super::notification;
use super::store::list_known_variants;
use crate::catalog::jobs::PublishProducts;
use crate::stock;
use shop_base::clock::Clock;
use shop_base::db::{Conn, DbError};
use shop_base::ids::new_id;
use shop_platform::audit::model::{Actor, Change, Subject};
use shop_platform::staff_search::model::Kind;
use shop_platform::webhooks::model::NotificationKind;
use shop_platform::{jobs, staff_search};

/// The context of a write.
pub struct Pen<'a> {
    pub clock: &'a dyn Clock,
    pub actor: &'a Actor,
    pub around: &'a Surroundings,
}

/// A new revision of a product.
#[derive(Clone, Copy, Debug)]
pub struct Revision<'a> {
    /// The id of a new one, if its creator has chosen it.
    pub id: Option<Uuid>,
    /// The stored product, locked by the transaction; none for a new one.
    pub before: Option<&'a StoredProduct>,
    /// Already validated.
    pub content: &'a ProductContent,
    /// Positions in collections that it is to join again. It joins others at their end.
    pub places: Option<&'a Positions>,
}

/// Positions in collections, by their ids.
pub type Positions = BTreeMap<Uuid, i64>;

/// A product that was written.
#[derive(Debug)]
pub struct Revised {
    pub id: Uuid,
    /// For the caller to record.
    pub change: Change,
    /// Where it was in the collections that it has left.
    pub left: Positions,
}

/// Ids and texts by which staff find products.
fn searched<'a>(rows: &[&'a ProductRow<'_>]) -> Vec<(Uuid, Vec<&'a str>)> {
    rows.iter().map(|row| (row.id, row.content.searched())).collect()
}

/// Ids of pictures by product and key.
type PictureIds<'a> = HashMap<(Uuid, &'a str), Uuid>;

impl Pen<'_> {
    /// Creates or updates products; each may occur only once. Returns them in the same order.
    pub async fn write(
        &self,
        conn: &mut Conn<'_>,
        action: &'static str,
        revisions: &[Revision<'_>],
    ) -> Result<Vec<Revised>, DbError> {
        let now = self.clock.now_ms();
        let rows: Vec<ProductRow<'_>> = revisions
            .iter()
            .map(|Revision { id, before, content, places }| {
                let was_released = before.map_or(0, |before| before.released_at);
                let is_released = was_released == 0 && content.status == ProductStatus::Active;
                let released_at = if is_released { now } else { was_released };
                let id = before.map(|before| before.id).or(*id).unwrap_or_else(|| new_id(self.clock));
                ProductRow { id, before: *before, content, released_at, places: *places }
            })
            .collect();
        store::insert_products(conn, &rows, now).await?;
        store::update_products(conn, &rows, now).await?;
        for row in &rows {
            self.move_paths(conn, row).await?;
        }
        let picture_ids = self.write_pictures(conn, &rows).await?;
        self.write_variants(conn, &rows, &picture_ids).await?;
        let mut left = move_between_collections(conn, &rows).await?;
        let is_found_otherwise =
            |row: &&ProductRow<'_>| row.before.is_none_or(|before| before.content.searched() != row.content.searched());
        let (known, new): (Vec<_>, Vec<_>) =
            rows.iter().filter(is_found_otherwise).partition(|row| row.before.is_some());
        staff_search::service::put_all(conn, Kind::Product, &searched(&known)).await?;
        staff_search::service::add_all(conn, Kind::Product, &searched(&new)).await?;
        for at in rows.iter().filter_map(|row| row.content.publish_at).collect::<BTreeSet<i64>>() {
            jobs::service::add_at(conn, self.clock, &PublishProducts { at }, at).await?;
        }
        let (changed, made): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.before.is_some());
        for (kind, rows) in [(NotificationKind::ProductCreated, made), (NotificationKind::ProductUpdated, changed)] {
            let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
            notification::announce(conn, self.clock, kind, &ids).await?;
        }
        let revised = |row: &ProductRow<'_>| {
            let subject = Subject::new("product", row.id, &row.content.title);
            let change = match row.before {
                Some(before) => Change::of(action, subject, &before.content.for_audit(), &row.content.for_audit()),
                None => Change::new(action, subject, row.content.for_audit()),
            };
            Revised { id: row.id, change, left: left.remove(&row.id).unwrap_or_default() }
        };
        Ok(rows.iter().map(revised).collect())
    }

    /// Makes links that shoppers may have lead to the product's current address.
    async fn move_paths(&self, conn: &mut Conn<'_>, row: &ProductRow<'_>) -> Result<(), DbError> {
        let Some(before) = row.before else { return Ok(()) };
        let (old, new) = (product_path(&before.content.handle), product_path(&row.content.handle));
        let was_archived = before.content.status == ProductStatus::Archived;
        let is_archived = row.content.status == ProductStatus::Archived;
        if !before.was_released() || (old == new && was_archived == is_archived) {
            return Ok(());
        }
        store::restore_path(conn, &new).await?;
        if old != new {
            store::retire_path(conn, &old, Some(&new)).await?;
        }
        if is_archived {
            store::suspend_path(conn, &new).await?;
        }
        Ok(())
    }

    /// A picture that is kept keeps its id.
    async fn write_pictures<'c>(
        &self,
        conn: &mut Conn<'_>,
        rows: &[ProductRow<'c>],
    ) -> Result<PictureIds<'c>, DbError> {
        let (mut ids, mut emptied, mut pictures) = (HashMap::new(), Vec::new(), Vec::new());
        for row in rows {
            let had = row.before.map_or(&[][..], |before| &before.content.pictures);
            let had_ids = row.before.map_or(&[][..], |before| &before.image_ids);
            let is_other = had != row.content.pictures;
            if is_other && !had.is_empty() {
                emptied.push(row.id);
            }
            for (picture, position) in row.content.pictures.iter().zip(0..) {
                let known = had.iter().zip(had_ids).find(|(old, _)| old.key == picture.key);
                let id = known.map_or_else(|| new_id(self.clock), |(_, id)| *id);
                ids.insert((row.id, picture.key.as_str()), id);
                if is_other {
                    let size = self.around.pictures.get(&picture.key).copied();
                    let size = size.ok_or(DbError::Inconsistent("a picture of a product is unknown"))?;
                    pictures.push(PictureRow { id, product_id: row.id, picture, size, position });
                }
            }
        }
        store::replace_pictures(conn, &emptied, &pictures).await?;
        Ok(ids)
    }

    async fn write_variants(
        &self,
        conn: &mut Conn<'_>,
        rows: &[ProductRow<'_>],
        picture_ids: &PictureIds<'_>,
    ) -> Result<(), DbError> {
        let now = self.clock.now_ms();
        let (mut gone, mut freed, mut variants, mut opened) = (Vec::new(), Vec::new(), Vec::new(), BTreeMap::new());
        let (mut emptied, mut options, mut links) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows.iter().filter(|row| !has_same_variants(row)) {
            let had: &[VariantContent] = row.before.map_or(&[], |before| &before.content.variants);
            let first = variants.len();
            for (variant, position) in row.content.variants.iter().zip(0_i64..) {
                let key = variant.picture.as_ref().map(|key| (row.id, key.as_str()));
                let image_id = key.and_then(|key| picture_ids.get(&key).copied());
                // The caller applies the stock of a former variant as a count.
                let former = || self.around.former(row.id, row.content, &variant.sku);
                let known = variant.id.or_else(|| former().map(|former| former.variant_id));
                let id = known.unwrap_or_else(|| new_id(self.clock));
                if known.is_none() {
                    opened.insert(id, variant.on_hand.unwrap_or(0));
                }
                variants.push(VariantRow { id, product_id: row.id, content: variant, image_id, position });
            }
            let own = &variants[first..];
            let is_there = |id: Uuid| own.iter().any(|variant| variant.id == id);
            gone.extend(had.iter().filter_map(|old| old.id).filter(|id| !is_there(*id)));
            // Two variants may swap their skus.
            let passes_on = |old: &&VariantContent| {
                own.iter().any(|variant| old.id == Some(variant.id) && old.sku != variant.content.sku)
            };
            freed.extend(had.iter().filter(passes_on).filter_map(|old| old.id));
            let has_same_values = |variant: &VariantRow<'_>| {
                had.iter().any(|old| old.id == Some(variant.id) && old.options == variant.content.options)
            };
            let has_same_options = row.before.is_some_and(|before| before.content.options == row.content.options);
            if has_same_options && own.iter().all(has_same_values) {
                continue;
            }
            if row.before.is_some() {
                emptied.push(row.id);
            }
            let new_options = self.option_rows(row);
            for variant in own {
                for (option, value) in new_options.iter().zip(&variant.content.options) {
                    let at = option.option.values.iter().position(|known| known.value == *value);
                    links.extend(at.and_then(|at| option.value_ids.get(at)).map(|value_id| (variant.id, *value_id)));
                }
            }
            options.extend(new_options);
        }
        self.remove_variants(conn, &gone).await?;
        for id in freed {
            store::free_sku(conn, id).await?;
        }
        let (new, known): (Vec<_>, Vec<_>) = variants.into_iter().partition(|row| opened.contains_key(&row.id));
        store::update_variants(conn, &known, now).await?;
        store::insert_variants(conn, &new, now).await?;
        let opened: Vec<(Uuid, i64)> = opened.into_iter().collect();
        stock::service::open(conn, self.clock, self.actor, &opened).await?;
        store::replace_options(conn, &emptied, &options).await?;
        store::insert_variant_values(conn, &links).await
    }

    fn option_rows<'c>(&self, row: &ProductRow<'c>) -> Vec<OptionRow<'c>> {
        let new = |(option, position): (&'c crate::catalog::model::ProductOption, i64)| OptionRow {
            id: new_id(self.clock),
            product_id: row.id,
            option,
            value_ids: option.values.iter().map(|_| new_id(self.clock)).collect(),
            position,
        };
        row.content.options.iter().zip(0..).map(new).collect()
    }

    /// Archives variants that are referenced elsewhere, deletes the others.
    async fn remove_variants(&self, conn: &mut Conn<'_>, gone: &[Uuid]) -> Result<(), DbError> {
        let known = list_known_variants(conn, gone).await?;
        for id in gone {
            if known.contains(id) {
                store::archive_variant(conn, *id, self.clock.now_ms()).await?;
            } else {
                store::delete_variant(conn, *id).await?;
            }
        }
        Ok(())
    }
}

fn has_same_variants(row: &ProductRow<'_>) -> bool {
    row.before.is_some_and(|before| {
        before.content.variants == row.content.variants
            && before.content.options == row.content.options
            && before.content.pictures == row.content.pictures
    })
}

/// Returns by product where it was in the collections that it has left.
async fn move_between_collections(
    conn: &mut Conn<'_>,
    rows: &[ProductRow<'_>],
) -> Result<HashMap<Uuid, Positions>, DbError> {
    let (mut left, mut joined) = (BTreeSet::new(), BTreeMap::<Uuid, Vec<(Uuid, Option<i64>)>>::new());
    for row in rows {
        let had = row.before.map_or(&[][..], |before| &before.content.collections);
        // An import that a former release has read may name one twice.
        let has: BTreeSet<Uuid> = row.content.collections.iter().copied().collect();
        left.extend(had.iter().filter(|id| !has.contains(*id)).map(|collection| (*collection, row.id)));
        for collection in has.into_iter().filter(|id| !had.contains(id)) {
            let place = row.places.and_then(|places| places.get(&collection)).copied();
            joined.entry(collection).or_default().push((row.id, place));
        }
    }
    // A form of the collection that was opened before would restore its former products. Collections are locked before their members.
    let changed: BTreeSet<Uuid> = left.iter().map(|(id, _)| *id).chain(joined.keys().copied()).collect();
    for collection in changed {
        if !store::raise_collection_version(conn, collection).await? {
            // It was deleted in the meantime, and its members with it.
            joined.remove(&collection);
        }
    }
    let mut places: HashMap<Uuid, Positions> = HashMap::new();
    for (collection, product) in left {
        if let Some(place) = store::leave_collection(conn, collection, product).await? {
            places.entry(product).or_default().insert(collection, place);
        }
    }
    for (collection, products) in joined {
        store::join_collection(conn, collection, &products).await?;
    }
    Ok(places)
}
