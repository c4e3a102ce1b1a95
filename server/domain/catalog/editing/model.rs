//! The staff-editable data of a product, and its validation.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shop_base::db::stored;
use shop_base::fields::{Faults, FieldErrors, one_line, visible};
use shop_base::weight::MAX_GRAMS;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::catalog::model::{Detail, OptionValue, ProductOption, StockLevel};
use crate::stock::adjust::MAX_ON_HAND;
use crate::stock::counts::Count;

stored! {
    /// Whether shoppers can see a product.
    ProductStatus {
        /// Not published yet.
        Draft = "draft",
        /// For sale.
        Active = "active",
        /// No longer sold; kept because of its orders.
        Archived = "archived",
    }
}

/// All staff-editable data of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProductContent {
    pub title: String,
    pub subtitle: String,
    /// The last part of its address: lowercase words joined by hyphens.
    pub handle: String,
    /// Paragraphs.
    pub description: Vec<String>,
    pub highlights: Vec<String>,
    pub details: Vec<Detail>,
    pub category_id: Uuid,
    pub material: String,
    pub compliance_class: String,
    /// If empty, the title is used.
    pub seo_title: String,
    /// If empty, the first paragraph is used.
    pub seo_description: String,
    pub status: ProductStatus,
    /// When a draft is published automatically, UTC milliseconds.
    pub publish_at: Option<i64>,
    pub options: Vec<ProductOption>,
    pub variants: Vec<VariantContent>,
    pub pictures: Vec<PictureContent>,
    /// Collections that contain it.
    pub collections: Vec<Uuid>,
}

/// The staff-editable data of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantContent {
    /// Null for a new variant.
    pub id: Option<Uuid>,
    pub sku: String,
    /// One value per option, in the order of the options.
    pub options: Vec<String>,
    /// Minor units.
    pub price: i64,
    /// Minor units, above the price.
    pub compare_at_price: Option<i64>,
    pub weight_grams: i64,
    /// Key of one of the product's pictures.
    pub picture: Option<String>,
    /// Initial stock of a new variant; otherwise null, since stock is changed by stock movements.
    pub on_hand: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PictureContent {
    /// As returned by the upload.
    pub key: String,
    /// Alternative text for users who cannot see the picture.
    pub alt: String,
}

/// A product as it is stored.
#[derive(Clone, Debug)]
pub struct StoredProduct {
    pub id: Uuid,
    pub version: i64,
    /// UTC milliseconds; 0 if it was never visible to shoppers.
    pub released_at: i64,
    pub updated_at: i64,
    pub content: ProductContent,
    /// Stock of the variants, in their order.
    pub stock: Vec<StockLevel>,
    /// Ids of the pictures, in their order.
    pub image_ids: Vec<Uuid>,
}

/// The data that products refer to, as it exists in the shop.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// Slugs by id.
    pub categories: BTreeMap<Uuid, String>,
    pub category_names: BTreeMap<Uuid, String>,
    pub compliance_classes: HashSet<String>,
    /// Handles by id.
    pub collections: BTreeMap<Uuid, String>,
    /// Width and height in pixels by key.
    pub pictures: BTreeMap<String, (i64, i64)>,
    pub skus: BTreeMap<String, SkuOwner>,
    /// Products by handle.
    pub handles: BTreeMap<String, Uuid>,
    /// Targets of retired paths; none if they are gone for good.
    pub retired_paths: BTreeMap<String, Option<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkuOwner {
    pub variant_id: Uuid,
    pub product_id: Uuid,
    pub product_title: String,
    pub is_archived: bool,
    pub stock: StockLevel,
}

/// A new stock of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recount {
    /// The variant's index in its product.
    pub at: usize,
    pub variant_id: Uuid,
    pub level: StockLevel,
    pub wanted: i64,
}

impl Recount {
    /// `adjustments` are the numbers of manual changes by variant.
    pub fn count(&self, adjustments: &BTreeMap<Uuid, i64>) -> Count {
        Count {
            variant_id: self.variant_id,
            seen: self.level.on_hand,
            wanted: self.wanted,
            adjustments: adjustments.get(&self.variant_id).copied().unwrap_or(0),
        }
    }
}

/// The limit of Shopify's files.
pub const MAX_OPTIONS: usize = 3;
const MAX_VALUES: usize = 60;
pub const MAX_VARIANTS: usize = 250;
const MAX_PICTURES: usize = 40;
pub(super) const MAX_PRICE: i64 = 100_000_000;

/// The address of a product's page.
pub fn product_path(handle: &str) -> String {
    format!("/product/{handle}")
}

impl ProductContent {
    /// Trims texts, without characters that show nothing, and removes empty lines from lists and collections that are named twice.
    pub fn tidy(&mut self) {
        let trim = |text: &mut String| *text = visible(text).trim().to_owned();
        let texts = [&mut self.title, &mut self.subtitle, &mut self.handle, &mut self.material];
        texts.into_iter().chain([&mut self.seo_title, &mut self.seo_description]).for_each(trim);
        // Each line is a paragraph; runs of whitespace collapse to one space, as in HTML.
        for list in [&mut self.description, &mut self.highlights] {
            *list = list.iter().flat_map(|text| text.lines()).map(one_line).filter(|line| !line.is_empty()).collect();
        }
        for detail in &mut self.details {
            trim(&mut detail.label);
            trim(&mut detail.value);
        }
        self.details.retain(|detail| !detail.label.is_empty() || !detail.value.is_empty());
        for option in &mut self.options {
            trim(&mut option.name);
            option.values.iter_mut().for_each(|value| trim(&mut value.value));
        }
        for variant in &mut self.variants {
            trim(&mut variant.sku);
            variant.options.iter_mut().for_each(trim);
        }
        self.pictures.iter_mut().for_each(|picture| trim(&mut picture.alt));
        let mut seen = HashSet::new();
        self.collections.retain(|collection| seen.insert(*collection));
        if self.status != ProductStatus::Draft {
            self.publish_at = None;
        }
    }

    /// Whether shoppers see it now or will after its scheduled publication.
    pub fn is_meant_for_shoppers(&self) -> bool {
        self.status == ProductStatus::Active || self.publish_at.is_some()
    }

    /// Errors within the product itself, which must be tidied first.
    pub fn problems(&self) -> FieldErrors {
        let mut problems = Faults::default();
        check_text(&mut problems, "title", &self.title, 1, 150);
        check_text(&mut problems, "subtitle", &self.subtitle, 0, 200);
        if !is_handle(&self.handle) {
            problems.say(
                "handle",
                "Use up to 100 lowercase letters, digits, and single hyphens, such as walnut-pipe-rack.",
            );
        }
        check_paragraphs(&mut problems, "description", &self.description, 20_000);
        check_paragraphs(&mut problems, "highlights", &self.highlights, 2_000);
        for (detail, at) in self.details.iter().zip(0..) {
            check_text(&mut problems, &format!("details[{at}].label"), &detail.label, 1, 60);
            if detail.label.contains(':') {
                problems.say(format!("details[{at}].label"), "Remove the colon.");
            }
            check_text(&mut problems, &format!("details[{at}].value"), &detail.value, 1, 200);
        }
        check_text(&mut problems, "material", &self.material, 0, 60);
        check_text(&mut problems, "seo_title", &self.seo_title, 0, 150);
        check_text(&mut problems, "seo_description", &self.seo_description, 0, 400);
        self.check_options(&mut problems);
        self.check_variants(&mut problems);
        self.check_pictures(&mut problems);
        problems.into_errors()
    }

    fn check_options(&self, problems: &mut Faults) {
        if self.options.len() > MAX_OPTIONS {
            problems.say("options", "A product can have at most three options.");
        }
        for (option, at) in self.options.iter().zip(0..) {
            let field = format!("options[{at}]");
            check_text(problems, &format!("{field}.name"), &option.name, 1, 40);
            if self.options.iter().take(at).any(|other| are_alike(&other.name, &option.name)) {
                problems.say(format!("{field}.name"), "Another option already has this name.");
            }
            if option.values.is_empty() || option.values.len() > MAX_VALUES {
                problems.say(format!("{field}.values"), "Add 1 to 60 values.");
            }
            for (value, nth) in option.values.iter().zip(0..) {
                let field = format!("{field}.values[{nth}]");
                check_text(problems, &field, &value.value, 1, 60);
                if option.values.iter().take(nth).any(|other| are_alike(&other.value, &value.value)) {
                    problems.say(&field, "This value is listed twice.");
                }
                if value.hex.as_ref().is_some_and(|hex| !is_color(hex)) {
                    problems.say(&field, "Enter the color as # and six hexadecimal digits.");
                }
            }
        }
    }

    fn check_variants(&self, problems: &mut Faults) {
        if self.variants.len() > MAX_VARIANTS {
            problems.say("variants", "A product can have at most 250 variants.");
        }
        let (mut skus, mut combinations) = (HashSet::new(), HashSet::new());
        for (variant, at) in self.variants.iter().zip(0..) {
            let field = |name: &str| format!("variants[{at}].{name}");
            if !is_sku(&variant.sku) {
                problems.say(field("sku"), "Enter 1 to 60 letters, digits, and . _ / - characters.");
            } else if !skus.insert(variant.sku.to_lowercase()) {
                problems
                    .say(field("sku"), format!("Another variant of this product already has the SKU {}.", variant.sku));
            }
            let fits = variant.options.len() == self.options.len()
                && variant.options.iter().zip(&self.options).all(|(value, option)| has_value(option, value));
            if !fits {
                problems.say(field("options"), "Choose one value for each option.");
            } else if !combinations.insert(&variant.options) {
                problems.say(field("options"), "Another variant already has the same values.");
            }
            if !(0..=MAX_PRICE).contains(&variant.price) {
                problems.say(field("price"), "Enter a price from 0 to 1,000,000.");
            }
            if variant.compare_at_price.is_some_and(|before| before <= variant.price || before > MAX_PRICE) {
                problems.say(field("compare_at_price"), "The compare-at price must be above the price, or blank.");
            }
            if !(0..=MAX_GRAMS).contains(&variant.weight_grams) {
                problems.say(field("weight_grams"), "Enter a weight of at most 2,204 lb, such as 12 oz or 1 lb 4 oz.");
            }
            if variant.on_hand.is_some_and(|count| !(0..=MAX_ON_HAND).contains(&count)) {
                problems.say(field("on_hand"), "Enter a number from 0 to 1,000,000.");
            }
            if variant.on_hand.is_some() && variant.id.is_some() {
                problems.say(field("on_hand"), "Update stock from the variant’s stock dialog.");
            }
            if variant.picture.as_ref().is_some_and(|key| !self.pictures.iter().any(|picture| picture.key == *key)) {
                problems.say(field("picture"), "Choose one of this product’s images.");
            }
        }
        if self.is_meant_for_shoppers() && self.variants.is_empty() {
            problems.say("variants", "Add a variant before publishing the product.");
        }
    }

    fn check_pictures(&self, problems: &mut Faults) {
        if self.pictures.len() > MAX_PICTURES {
            problems.say("pictures", "A product can have at most 40 images.");
        }
        for (picture, at) in self.pictures.iter().zip(0..) {
            check_text(problems, &format!("pictures[{at}].alt"), &picture.alt, 0, 300);
            if self.is_meant_for_shoppers() && picture.alt.is_empty() {
                let field = format!("pictures[{at}].alt");
                problems.say(&field, "Add alt text before publishing the product.");
            }
            if self.pictures.iter().take(at).any(|other| other.key == picture.key) {
                problems.say(format!("pictures[{at}].key"), "This image is listed twice.");
            }
        }
        if self.is_meant_for_shoppers() && self.pictures.is_empty() {
            problems.say("pictures", "Add an image before publishing the product.");
        }
    }

    /// For the audit log: each variant is a separate field, so that an entry lists only those that changed.
    pub fn for_audit(&self) -> Value {
        let mut fields = json!(self);
        if let Some(fields) = fields.as_object_mut() {
            fields.remove("variants");
            for variant in &self.variants {
                let VariantContent { options, price, compare_at_price, weight_grams, picture, on_hand, .. } = variant;
                let value = json!({ "options": options, "price": price, "compare_at_price": compare_at_price,
                    "weight_grams": weight_grams, "picture": picture, "on_hand": on_hand });
                fields.insert(format!("variant {}", variant.sku), value);
            }
            let order: Vec<&str> = self.variants.iter().map(|variant| variant.sku.as_str()).collect();
            fields.insert("variants".to_owned(), json!(order));
        }
        fields
    }

    /// The texts by which staff find it.
    pub fn searched(&self) -> Vec<&str> {
        let skus = self.variants.iter().map(|variant| variant.sku.as_str());
        [self.title.as_str(), self.handle.as_str()].into_iter().chain(skus).collect()
    }
}

impl StoredProduct {
    /// Whether it was ever visible to shoppers.
    pub fn was_released(&self) -> bool {
        self.released_at > 0
    }
}

impl Surroundings {
    /// The product's archived or just removed variant with this sku: it is reused.
    pub fn former(&self, product: Uuid, content: &ProductContent, sku: &str) -> Option<&SkuOwner> {
        let owner = self.skus.get(sku).filter(|owner| owner.product_id == product)?;
        let is_there = content.variants.iter().any(|variant| variant.id == Some(owner.variant_id));
        (!is_there).then_some(owner)
    }

    /// Former variants that are added again with another stock than they have.
    pub fn recounts(&self, before: Option<&StoredProduct>, content: &ProductContent) -> Vec<Recount> {
        let Some(before) = before else { return Vec::new() };
        let recount = |(at, variant): (usize, &VariantContent)| {
            let wanted = variant.on_hand.filter(|_| variant.id.is_none())?;
            let former = self.former(before.id, content, &variant.sku)?;
            let (variant_id, level) = (former.variant_id, former.stock);
            (level.on_hand != wanted).then_some(Recount { at, variant_id, level, wanted })
        };
        content.variants.iter().enumerate().filter_map(recount).collect()
    }

    /// Errors of a product in relation to the rest of the shop; `before` is its stored state.
    pub fn problems(&self, before: Option<&StoredProduct>, content: &ProductContent) -> FieldErrors {
        let mut problems = Faults::default();
        if !self.categories.contains_key(&content.category_id) {
            problems.say("category_id", "Choose a category.");
        }
        if !self.compliance_classes.contains(&content.compliance_class) {
            problems.say("compliance_class", "Choose a compliance class. Products without one can’t be sold.");
        }
        if content.collections.iter().any(|id| !self.collections.contains_key(id)) {
            problems.say("collections", "One of these collections was deleted. Remove the product from it.");
        }
        let own = before.map(|before| before.id);
        self.check_handle(before, content, &mut problems);
        for (picture, at) in content.pictures.iter().zip(0..) {
            if !self.pictures.contains_key(&picture.key) {
                problems.say(format!("pictures[{at}].key"), "This image isn’t in the shop. Upload it first.");
            }
        }
        for (variant, at) in content.variants.iter().zip(0..) {
            let is_stranger = |id: Uuid| !before.is_some_and(|b| b.content.variants.iter().any(|v| v.id == Some(id)));
            if variant.id.is_some_and(is_stranger) {
                problems.say(format!("variants[{at}].id"), "This variant no longer exists.");
            }
            let Some(owner) = self.skus.get(&variant.sku) else { continue };
            let field = format!("variants[{at}].sku");
            // Current variants may exchange skus. A removed variant keeps its sku, and is restored when it is added again.
            let is_there = content.variants.iter().any(|other| other.id == Some(owner.variant_id));
            if Some(owner.product_id) != own {
                problems.say(&field, format!("The SKU {} belongs to “{}”.", variant.sku, owner.product_title));
            } else if !is_there && variant.id.is_some() {
                problems.say(&field, format!("The SKU {} belongs to a discontinued variant.", variant.sku));
            }
        }
        problems.into_errors()
    }

    fn check_handle(&self, before: Option<&StoredProduct>, content: &ProductContent, problems: &mut Faults) {
        if self.handles.get(&content.handle).is_some_and(|owner| Some(*owner) != before.map(|before| before.id)) {
            problems.say("handle", "Another product already has this handle.");
        }
        let own = before.map(|before| product_path(&before.content.handle));
        let path = product_path(&content.handle);
        let leads_elsewhere = self.retired_paths.get(&path).is_some_and(|target| match target {
            Some(target) => Some(target) != own.as_ref(),
            None => Some(&path) != own.as_ref(),
        });
        if leads_elsewhere {
            problems.say("handle", "Links to this handle redirect to another product, which used it before.");
        }
    }
}

/// Validates a text field of a product.
fn check_text(faults: &mut Faults, field: &str, text: &str, least: usize, most: usize) {
    let length = text.chars().count();
    if length < least {
        faults.say(field, "Required.");
    } else if length > most {
        faults.say(field, format!("Use at most {most} characters."));
    } else if text.chars().any(char::is_control) {
        faults.say(field, "Use one line without control characters.");
    }
}

fn check_paragraphs(faults: &mut Faults, field: &str, paragraphs: &[String], most: usize) {
    if paragraphs.iter().map(|text| text.chars().count()).sum::<usize>() > most {
        faults.say(field, format!("Use at most {most} characters."));
    }
    if paragraphs.iter().any(|text| text.chars().any(char::is_control)) {
        faults.say(field, "Remove control characters.");
    }
}

/// Whether two names or two values of options differ in nothing but capitals.
pub fn are_alike(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}

fn has_value(option: &ProductOption, value: &str) -> bool {
    option.values.iter().any(|OptionValue { value: known, .. }| known == value)
}

/// Lowercase words joined by single hyphens.
pub fn is_handle(text: &str) -> bool {
    text.len() <= 100
        && text
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

fn is_sku(text: &str) -> bool {
    (1..=60).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte))
}

fn is_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()))
}
