//! Writes one product as a whole, within a transaction that holds it.

mod store;

use std::collections::HashMap;

use uuid::Uuid;

use self::store::VariantRow;
pub use self::store::{find_retired_path, publish_due, restore_path, retire_path};
use super::model::{
    PictureContent, ProductContent, ProductStatus, StoredProduct, Surroundings, VariantContent, product_path,
};
use super::notification;
use super::store::list_known_variants;
use crate::audit::model::{Actor, Change, Subject};
use crate::clock::Clock;
use crate::db::{Conn, DbError};
use crate::ids::new_id;
use crate::jobs::{self, model::Job};
use crate::notifications::model::NotificationKind;
use crate::search_terms::{self, model::Kind};
use crate::stock;

/// Who writes, when, and among what.
pub struct Pen<'a> {
    pub clock: &'a dyn Clock,
    pub actor: &'a Actor,
    pub around: &'a Surroundings,
}

impl Pen<'_> {
    /// Makes a product, or what `before` was into `content`, which has no problems. Answers with its id and with what the caller
    /// has to record.
    pub async fn write(
        &self,
        conn: &mut Conn<'_>,
        action: &'static str,
        before: Option<&StoredProduct>,
        content: &ProductContent,
    ) -> Result<(Uuid, Change), DbError> {
        let now = self.clock.now_ms();
        let was_released = before.map_or(0, |before| before.released_at);
        let released_at = if was_released == 0 && content.status == ProductStatus::Active { now } else { was_released };
        let id = match before {
            Some(before) => {
                store::update_product(conn, before.id, content, released_at, now).await?;
                self.move_paths(conn, before, content).await?;
                before.id
            }
            None => {
                let id = new_id(self.clock);
                store::insert_product(conn, id, content, released_at, now).await?;
                id
            }
        };
        let image_ids = self.write_pictures(conn, id, before, content).await?;
        self.write_variants(conn, id, before, content, &image_ids).await?;
        let had = before.map_or(&[][..], |before| &before.content.collections);
        store::replace_collections(conn, id, &content.collections, had).await?;
        if before.is_none_or(|before| before.content.searched() != content.searched()) {
            search_terms::service::put(conn, Kind::Product, id, &content.searched()).await?;
        }
        if let Some(at) = content.publish_at {
            jobs::service::add_at(conn, self.clock, &Job::PublishProducts { at }, at).await?;
        }
        let kind = if before.is_some() { NotificationKind::ProductUpdated } else { NotificationKind::ProductCreated };
        notification::tell(conn, self.clock, kind, &[id]).await?;
        let subject = Subject::new("product", id, &content.title);
        let change = match before {
            Some(before) => Change::of(action, subject, &before.content.for_audit(), &content.for_audit()),
            None => Change::new(action, subject, content.for_audit()),
        };
        Ok((id, change))
    }

    /// Links that shoppers may have lead to where the product is now.
    async fn move_paths(
        &self,
        conn: &mut Conn<'_>,
        before: &StoredProduct,
        content: &ProductContent,
    ) -> Result<(), DbError> {
        let (old, new) = (product_path(&before.content.handle), product_path(&content.handle));
        let was_archived = before.content.status == ProductStatus::Archived;
        let is_archived = content.status == ProductStatus::Archived;
        if !before.was_released() || (old == new && was_archived == is_archived) {
            return Ok(());
        }
        store::restore_path(conn, &new).await?;
        if old != new {
            store::retire_path(conn, &old, Some(&new)).await?;
        }
        if is_archived {
            store::retire_path(conn, &new, None).await?;
        }
        Ok(())
    }

    /// Answers with the ids of the pictures by their keys. A picture that stays keeps its id.
    async fn write_pictures<'c>(
        &self,
        conn: &mut Conn<'_>,
        id: Uuid,
        before: Option<&StoredProduct>,
        content: &'c ProductContent,
    ) -> Result<HashMap<&'c str, Uuid>, DbError> {
        let had: HashMap<&str, Uuid> = before.map_or_else(HashMap::new, |before| {
            before.content.pictures.iter().map(|picture| picture.key.as_str()).zip(before.image_ids.clone()).collect()
        });
        let pictures: Vec<_> = content
            .pictures
            .iter()
            .map(|picture| {
                let id = had.get(picture.key.as_str()).copied().unwrap_or_else(|| new_id(self.clock));
                let size = self.around.pictures.get(&picture.key).copied();
                size.map(|size| (id, picture, size)).ok_or(DbError::Inconsistent("a picture of a product is unknown"))
            })
            .collect::<Result<_, _>>()?;
        let had: &[PictureContent] = before.map_or(&[], |before| &before.content.pictures);
        if had != content.pictures {
            store::replace_pictures(conn, id, &pictures, before.is_some()).await?;
        }
        Ok(pictures.into_iter().map(|(id, picture, _)| (picture.key.as_str(), id)).collect())
    }

    async fn write_variants(
        &self,
        conn: &mut Conn<'_>,
        product: Uuid,
        before: Option<&StoredProduct>,
        content: &ProductContent,
        image_ids: &HashMap<&str, Uuid>,
    ) -> Result<(), DbError> {
        let now = self.clock.now_ms();
        let had: &[VariantContent] = before.map_or(&[], |before| &before.content.variants);
        if let Some(before) = before
            && before.content.variants == content.variants
            && before.content.options == content.options
            && before.content.pictures == content.pictures
        {
            return Ok(());
        }
        let rows: Vec<(VariantRow<'_>, bool)> = content
            .variants
            .iter()
            .zip(0_i64..)
            .map(|(variant, position)| {
                let image_id = variant.picture.as_ref().and_then(|key| image_ids.get(key.as_str()).copied());
                let known = variant.id.or_else(|| self.former(product, content, &variant.sku));
                let id = known.unwrap_or_else(|| new_id(self.clock));
                (VariantRow { id, content: variant, image_id, position }, known.is_none())
            })
            .collect();
        let gone: Vec<Uuid> =
            had.iter().filter_map(|old| old.id).filter(|id| !rows.iter().any(|(row, _)| row.id == *id)).collect();
        self.remove_variants(conn, &gone).await?;
        // Two variants may swap their skus.
        for (row, _) in &rows {
            if had.iter().any(|old| old.id == Some(row.id) && old.sku != row.content.sku) {
                store::free_sku(conn, row.id).await?;
            }
        }
        for (row, _) in rows.iter().filter(|(_, is_new)| !is_new) {
            store::update_variant(conn, row, now).await?;
        }
        let (new, _): (Vec<_>, Vec<_>) = rows.iter().partition(|(_, is_new)| *is_new);
        let new_rows: Vec<VariantRow<'_>> = new.iter().map(|(row, _)| VariantRow { ..*row }).collect();
        store::insert_variants(conn, product, &new_rows, now).await?;
        let counts: Vec<(Uuid, i64)> = new_rows.iter().map(|row| (row.id, row.content.on_hand.unwrap_or(0))).collect();
        stock::service::open(conn, self.clock, self.actor, &counts).await?;
        let has_same_values =
            |row: &VariantRow<'_>| had.iter().any(|old| old.id == Some(row.id) && old.options == row.content.options);
        let is_linked = before.is_some_and(|before| before.content.options == content.options)
            && rows.iter().all(|(row, _)| has_same_values(row));
        if is_linked {
            return Ok(());
        }
        let value_ids = store::replace_options(conn, self.clock, product, &content.options, before.is_some()).await?;
        let mut links = Vec::new();
        for (row, _) in &rows {
            for ((option, ids), value) in content.options.iter().zip(&value_ids).zip(&row.content.options) {
                let at = option.values.iter().position(|known| known.value == *value);
                links.extend(at.and_then(|at| ids.get(at)).map(|value_id| (row.id, *value_id)));
            }
        }
        store::insert_variant_values(conn, &links).await
    }

    /// The variant of the product that has this sku already, archived or just taken out: it is the same one again.
    fn former(&self, product: Uuid, content: &ProductContent, sku: &str) -> Option<Uuid> {
        let owner = self.around.skus.get(sku)?;
        let is_there = content.variants.iter().any(|variant| variant.id == Some(owner.variant_id));
        (owner.product_id == product && !is_there).then_some(owner.variant_id)
    }

    /// Archives the variants that something else knows, deletes the others.
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
