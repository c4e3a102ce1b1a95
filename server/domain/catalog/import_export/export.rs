//! Products as lines of a file.

use std::collections::BTreeMap;

use shop_base::clock::timestamp;
use shop_base::money::Money;
use uuid::Uuid;

pub use super::columns::ALL as HEADER;
use super::columns::{NO_OPTION, OPTIONS};
use super::{columns as c, html};
use crate::catalog::editing::model::{ProductStatus, StoredProduct, Surroundings};

/// A product's lines: the larger of the numbers of its variants and pictures, at least one. `origin` is the shop's own, `adjustments` the
/// numbers of manual stock changes by variant.
pub fn lines(
    product: &StoredProduct,
    around: &Surroundings,
    adjustments: &BTreeMap<Uuid, i64>,
    origin: &str,
) -> Vec<Vec<String>> {
    let content = &product.content;
    let address = |key: &str| format!("{origin}/images/{key}-1280.webp");
    let money = |amount: i64| Money::usd(amount).decimal();
    let count = content.variants.len().max(content.pictures.len()).max(1);
    (0..count)
        .map(|at| {
            let mut cells: Vec<String> = vec![String::new(); HEADER.len()];
            let mut put = |column: &str, text: String| {
                if let Some(place) = HEADER.iter().position(|known| *known == column) {
                    cells[place] = text;
                }
            };
            put(c::HANDLE, content.handle.clone());
            if at == 0 {
                let category = around.category_names.get(&content.category_id).cloned().unwrap_or_default();
                let detail = |detail: &crate::catalog::model::Detail| format!("{}: {}", detail.label, detail.value);
                let handle = |id| around.collections.get(id).cloned();
                put(c::TITLE, content.title.clone());
                put(c::BODY, html::written(&content.description));
                put(c::TYPE, category);
                put(c::PUBLISHED, if content.status == ProductStatus::Active { "TRUE" } else { "FALSE" }.to_owned());
                put(c::GIFT_CARD, "FALSE".to_owned());
                put(c::SEO_TITLE, content.seo_title.clone());
                put(c::SEO_DESCRIPTION, content.seo_description.clone());
                put(c::STATUS, content.status.text().to_owned());
                put(c::CATEGORY, around.categories.get(&content.category_id).cloned().unwrap_or_default());
                put(c::COMPLIANCE_CLASS, content.compliance_class.clone());
                put(c::SUBTITLE, content.subtitle.clone());
                put(c::MATERIAL, content.material.clone());
                put(c::HIGHLIGHTS, content.highlights.join("\n"));
                put(c::DETAILS, content.details.iter().map(detail).collect::<Vec<_>>().join("\n"));
                put(c::COLLECTIONS, content.collections.iter().filter_map(handle).collect::<Vec<_>>().join(", "));
                put(c::PUBLISH_AT, content.publish_at.map(|at| timestamp(at).to_string()).unwrap_or_default());
                if content.options.is_empty() {
                    put(c::OPTION1_NAME, NO_OPTION.0.to_owned());
                }
                for (option, (name, _)) in content.options.iter().zip(OPTIONS) {
                    put(name, option.name.clone());
                }
            }
            if let Some(variant) = content.variants.get(at) {
                if content.options.is_empty() {
                    put(c::OPTION1_VALUE, NO_OPTION.1.to_owned());
                }
                for (value, (_, column)) in variant.options.iter().zip(OPTIONS) {
                    put(column, value.clone());
                }
                put(c::SKU, variant.sku.clone());
                put(c::GRAMS, variant.weight_grams.to_string());
                put(c::TRACKER, "shopify".to_owned());
                let on_hand = product.stock.get(at).map(|level| level.on_hand.to_string()).unwrap_or_default();
                let adjusted = variant.id.and_then(|id| adjustments.get(&id)).copied().unwrap_or(0);
                put(c::QUANTITY, on_hand.clone());
                put(c::QUANTITY_AT_EXPORT, on_hand);
                put(c::ADJUSTMENTS_AT_EXPORT, adjusted.to_string());
                put(c::POLICY, "deny".to_owned());
                put(c::FULFILLMENT, "manual".to_owned());
                put(c::PRICE, money(variant.price));
                put(c::COMPARE_AT, variant.compare_at_price.map(money).unwrap_or_default());
                put(c::REQUIRES_SHIPPING, "TRUE".to_owned());
                put(c::TAXABLE, "TRUE".to_owned());
                put(c::WEIGHT_UNIT, "oz".to_owned());
                put(c::VARIANT_IMAGE, variant.picture.as_deref().map(address).unwrap_or_default());
            }
            if let Some(picture) = content.pictures.get(at) {
                put(c::IMAGE, address(&picture.key));
                put(c::IMAGE_POSITION, (at + 1).to_string());
                put(c::IMAGE_ALT, picture.alt.clone());
            }
            cells
        })
        .collect()
}
