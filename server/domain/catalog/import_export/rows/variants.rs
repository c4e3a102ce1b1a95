//! The variants of one product, with its options and their stock.

use std::collections::BTreeMap;

use csv::StringRecord;
use shop_base::fields::visible;
use uuid::Uuid;

use super::numbers::{grams, minor_units, whole};
use super::{FileStock, Reading, Wanted};
use crate::catalog::editing::model::{VariantContent, are_alike};
use crate::catalog::import_export::columns::{self as c, NO_OPTION, OPTIONS};
use crate::catalog::model::{OptionValue, ProductOption};

impl Wanted {
    /// Orders the variants as they were, new ones last: a file with some of them does not say which comes first.
    fn keep_order(&mut self, old: &[VariantContent]) {
        let place = |variant: &VariantContent| {
            let former = old.iter().position(|former| variant.id.is_some() && former.id == variant.id);
            former.unwrap_or(old.len())
        };
        let mut order: Vec<usize> = (0..self.content.variants.len()).collect();
        order.sort_by_key(|at| place(&self.content.variants[*at]));
        self.content.variants = order.iter().map(|at| self.content.variants[*at].clone()).collect();
        self.variant_lines = reordered(&self.variant_lines, &order);
        self.counts = reordered(&self.counts, &order);
    }
}

/// The same by the new index, where `order` has the former ones.
fn reordered<T: Copy>(by_index: &BTreeMap<usize, T>, order: &[usize]) -> BTreeMap<usize, T> {
    order.iter().enumerate().filter_map(|(to, from)| Some((to, *by_index.get(from)?))).collect()
}

/// A value that no variant has is left out if one has the same in other capitals: that one gets the first of their places, and the color that
/// was entered for the other.
fn merge_unused(values: &mut Vec<OptionValue>, is_used: impl Fn(&OptionValue) -> bool) {
    let unused: Vec<OptionValue> = values.iter().filter(|value| !is_used(value)).cloned().collect();
    for old in unused {
        let alike = values.iter().position(|value| is_used(value) && are_alike(&value.value, &old.value));
        let own = values.iter().position(|value| value.value == old.value);
        if let (Some(alike), Some(own)) = (alike, own) {
            if old.hex.is_some() {
                values[alike].hex = old.hex;
            }
            values.swap(alike, alike.min(own));
            values.remove(alike.max(own));
        }
    }
}

/// The name or the value of an option as the shop stores it: what looks the same is the same.
fn tidied(cell: &str) -> String {
    visible(cell).trim().to_owned()
}

impl Reading<'_> {
    pub(super) fn variants(&mut self) {
        let has_variant = |row: &StringRecord| self.header.has_text(row, &c::ABOUT_VARIANT);
        let rows: Vec<(u64, &StringRecord)> =
            self.group.rows.iter().filter(|(_, row)| has_variant(row)).map(|(line, row)| (*line, row)).collect();
        if rows.is_empty() {
            return;
        }
        let names = self.option_names();
        let old: Vec<VariantContent> = std::mem::take(&mut self.wanted.content.variants);
        let mut taken = Vec::new();
        for (line, row) in rows {
            let cell = |column: &str| self.header.cell(row, column).filter(|cell| !cell.is_empty());
            let sku = self.header.identifier(row, c::SKU);
            let by_sku = old.iter().find(|old| old.sku == sku);
            // What the file omits stays as it is.
            let same = |at: usize| by_sku.and_then(|former| former.options.get(at)).cloned().unwrap_or_default();
            let options: Vec<String> = names
                .iter()
                .zip(OPTIONS)
                .zip(0..)
                .map(|((_, (_, column)), at)| cell(column).map_or_else(|| same(at), tidied))
                .collect();
            let former = by_sku.or_else(|| old.iter().find(|old| sku.is_empty() && old.options == options));
            if let Some(former) = former {
                taken.push(former.id);
            }
            let at = self.wanted.content.variants.len();
            let variant = self.variant(line, row, former, options, at);
            self.wanted.variant_lines.insert(at, line);
            self.wanted.content.variants.push(variant);
        }
        let missing: Vec<VariantContent> = old.iter().filter(|old| !taken.contains(&old.id)).cloned().collect();
        if !missing.is_empty()
            && names != self.wanted.content.options.iter().map(|o| o.name.clone()).collect::<Vec<_>>()
        {
            let skus: Vec<&str> = missing.iter().map(|variant| variant.sku.as_str()).collect();
            let message =
                format!("The options don’t match those of variants the file leaves out: {}.", skus.join(", "));
            self.error(self.wanted.line, message);
        }
        if !missing.is_empty() {
            self.wanted.content.variants.extend(missing);
            self.wanted.keep_order(&old);
        }
        self.wanted.content.options = self.options(names, &old);
    }

    /// The option names; the stored ones if the file has none, or not the line that names them.
    fn option_names(&self) -> Vec<String> {
        if self.head(c::OPTION1_NAME).is_none() {
            return self.wanted.content.options.iter().map(|option| option.name.clone()).collect();
        }
        let names: Vec<String> = OPTIONS
            .iter()
            .filter_map(|(column, _)| self.head(column))
            .map(tidied)
            .take_while(|name| !name.is_empty())
            .collect();
        let is_none = names.len() == 1 && names[0] == NO_OPTION.0 && self.head(c::OPTION1_VALUE) == Some(NO_OPTION.1);
        // An option of the shop may have this name, too.
        let is_stored = self.wanted.content.options.iter().any(|option| option.name == NO_OPTION.0);
        if is_none && !is_stored { Vec::new() } else { names }
    }

    /// The options with their values: existing ones in their order, then new ones.
    fn options(&self, names: Vec<String>, old: &[VariantContent]) -> Vec<ProductOption> {
        let former = &self.wanted.content.options;
        let variants = &self.wanted.content.variants;
        let is_renamed = |option: &ProductOption| !names.iter().any(|name| are_alike(name, &option.name));
        // The color that a value had in an option that the file renames: no column has colors.
        let color = |value: &str| {
            let renamed = former.iter().filter(|option| is_renamed(option));
            let mut values = renamed.flat_map(|option| &option.values);
            values.find(|known| known.value == value).and_then(|known| known.hex.clone())
        };
        let still_has = |option: &ProductOption, at: usize| {
            let mut values = variants.iter().filter_map(|variant| variant.options.get(at));
            values.any(|value| option.values.iter().any(|known| are_alike(&known.value, value)))
        };
        // If none was added or removed, an option with a new name is the one that was in its place, unless all values are new as well.
        let is_as_many = names.len() == former.len();
        let is_in_place =
            |at: usize| is_as_many && former.get(at).is_some_and(|option| is_renamed(option) && still_has(option, at));
        let values = |name: &String, at: usize| {
            let from = former.iter().position(|option| are_alike(&option.name, name));
            let from = from.or_else(|| is_in_place(at).then_some(at));
            let mut values = from.map(|from| self.kept_values(&former[from], from, at, old)).unwrap_or_default();
            for variant in variants {
                if let Some(value) = variant.options.get(at)
                    && !values.iter().any(|known| known.value == *value)
                {
                    values.push(OptionValue { value: value.clone(), hex: color(value) });
                }
            }
            merge_unused(&mut values, |known| {
                variants.iter().any(|variant| variant.options.get(at) == Some(&known.value))
            });
            values
        };
        names.iter().zip(0..).map(|(name, at)| ProductOption { name: name.clone(), values: values(name, at) }).collect()
    }

    /// The former values of an option that was at the index `from` and is now at `at`, with the new names of those that the file renames: they
    /// keep their place and their color.
    fn kept_values(&self, option: &ProductOption, from: usize, at: usize, old: &[VariantContent]) -> Vec<OptionValue> {
        let variants = &self.wanted.content.variants;
        let mut kept: Vec<OptionValue> = Vec::new();
        for known in &option.values {
            let had = old.iter().filter(|variant| variant.options.get(from) == Some(&known.value));
            let had: Vec<Option<Uuid>> = had.map(|variant| variant.id).collect();
            let is_used = variants.iter().any(|variant| variant.options.get(at) == Some(&known.value));
            // One that no variant had was entered in advance.
            if is_used || had.is_empty() {
                kept.push(known.clone());
                continue;
            }
            let same = variants.iter().filter(|variant| variant.id.is_some() && had.contains(&variant.id));
            let mut now = same.filter_map(|variant| variant.options.get(at));
            let Some(value) = now.next() else { continue };
            let is_known = option.values.iter().chain(&kept).any(|other| other.value == *value);
            if !is_known && now.all(|other| other == value) {
                kept.push(OptionValue { value: value.clone(), hex: known.hex.clone() });
            }
        }
        kept
    }

    fn variant(
        &mut self,
        line: u64,
        row: &StringRecord,
        former: Option<&VariantContent>,
        options: Vec<String>,
        at: usize,
    ) -> VariantContent {
        let header = self.header;
        let cell = |column: &str| header.cell(row, column).filter(|cell| !cell.is_empty());
        let mut number = |column: &str, read: fn(&str) -> Option<i64>, unset: i64| match cell(column) {
            None => unset,
            Some(text) => read(text).unwrap_or_else(|| {
                self.error(line, format!("{column}: “{text}” isn’t a valid number."));
                unset
            }),
        };
        let price = number(c::PRICE, minor_units, former.map_or(-1, |former| former.price));
        let compare_at = number(c::COMPARE_AT, minor_units, -1);
        let known_grams = number(c::GRAMS, |text| grams(text, "g"), former.map_or(0, |former| former.weight_grams));
        let quantity = number(c::QUANTITY, whole, -1);
        let exported = number(c::QUANTITY_AT_EXPORT, whole, -1);
        let adjustments = number(c::ADJUSTMENTS_AT_EXPORT, whole, -1);
        let weight_grams = match cell(c::WEIGHT).filter(|_| cell(c::GRAMS).is_none()) {
            None => known_grams,
            Some(text) => {
                let unit = cell(c::WEIGHT_UNIT).unwrap_or("oz");
                grams(text, unit).unwrap_or_else(|| {
                    self.error(line, format!("{}: “{text} {unit}” isn’t a valid weight.", c::WEIGHT));
                    known_grams
                })
            }
        };
        let compare_at_price = match header.has(c::COMPARE_AT) {
            true => Some(compare_at).filter(|amount| *amount > 0),
            false => former.and_then(|former| former.compare_at_price),
        };
        let picture = match header.cell(row, c::VARIANT_IMAGE) {
            None => former.and_then(|former| former.picture.clone()),
            Some("") => None,
            Some(source) => {
                self.variant_picture(line, source).or_else(|| former.and_then(|former| former.picture.clone()))
            }
        };
        if quantity >= 0 {
            let known = |number: i64| Some(number).filter(|number| *number >= 0);
            let stock = FileStock { quantity, exported: known(exported), adjustments: known(adjustments) };
            self.wanted.counts.insert(at, stock);
        }
        VariantContent {
            id: former.and_then(|former| former.id),
            sku: Some(header.identifier(row, c::SKU))
                .filter(|sku| !sku.is_empty())
                .or_else(|| former.map(|former| former.sku.clone()))
                .unwrap_or_default(),
            options,
            price,
            // An equal former price is not a discount.
            compare_at_price: compare_at_price.filter(|before| *before != price),
            weight_grams,
            picture,
            on_hand: Some(quantity).filter(|quantity| former.is_none() && *quantity >= 0),
        }
    }
}
