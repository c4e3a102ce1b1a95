//! Descriptions of changes for staff.

use shop_base::money::Money;
use shop_base::weight::pounds_and_ounces;
use uuid::Uuid;

use super::model::{ProductContent, VariantContent};

/// The differences between two states of a product; of its variants only their order.
pub fn product_changes(old: &ProductContent, new: &ProductContent) -> Vec<String> {
    let mut words = Vec::new();
    if old.title != new.title {
        words.push(format!("title “{}” → “{}”", old.title, new.title));
    }
    if old.status != new.status {
        words.push(format!("status {} → {}", old.status.text(), new.status.text()));
    }
    for (name, differs) in [
        ("subtitle", old.subtitle != new.subtitle),
        ("description", old.description != new.description),
        ("highlights", old.highlights != new.highlights),
        ("details", old.details != new.details),
        ("category", old.category_id != new.category_id),
        ("material", old.material != new.material),
        ("compliance class", old.compliance_class != new.compliance_class),
        ("SEO title", old.seo_title != new.seo_title),
        ("SEO description", old.seo_description != new.seo_description),
        ("schedule", old.publish_at != new.publish_at),
        ("options", old.options != new.options),
        ("collections", old.collections != new.collections),
        ("image order", order(old) != order(new)),
        ("variant order", common_variants(old, new) != common_variants(new, old)),
    ] {
        if differs {
            words.push(name.to_owned());
        }
    }
    words
}

/// The keys of the pictures, in order.
fn order(content: &ProductContent) -> Vec<&str> {
    content.pictures.iter().map(|picture| picture.key.as_str()).collect()
}

/// The ids of the variants that the other state has as well, in order.
fn common_variants(content: &ProductContent, other: &ProductContent) -> Vec<Uuid> {
    let is_in_both = |id: &Uuid| other.variants.iter().any(|variant| variant.id == Some(*id));
    content.variants.iter().filter_map(|variant| variant.id).filter(is_in_both).collect()
}

/// The differences between two states of a variant.
pub fn variant_changes(old: &VariantContent, new: &VariantContent) -> Vec<String> {
    let dollars = |amount: i64| Money::usd(amount).dollars();
    let mut words = Vec::new();
    if old.price != new.price {
        words.push(format!("price {} → {}", dollars(old.price), dollars(new.price)));
    }
    if old.compare_at_price != new.compare_at_price {
        let say = |amount: Option<i64>| amount.map_or("none".to_owned(), dollars);
        words.push(format!("compare-at price {} → {}", say(old.compare_at_price), say(new.compare_at_price)));
    }
    if old.weight_grams != new.weight_grams {
        words.push(format!("weight {} → {}", pounds_and_ounces(old.weight_grams), pounds_and_ounces(new.weight_grams)));
    }
    if old.sku != new.sku {
        words.push(format!("SKU {} → {}", old.sku, new.sku));
    }
    if old.options != new.options {
        words.push(format!("{} → {}", old.options.join(", "), new.options.join(", ")));
    }
    if old.picture != new.picture {
        words.push("image".to_owned());
    }
    words
}
