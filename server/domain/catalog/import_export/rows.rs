//! Parses the rows of one product.

use std::collections::BTreeMap;

use csv::StringRecord;
use shop_base::weight;

use super::columns::{Header, NO_OPTION, OPTIONS};
use super::{columns as c, html};
use crate::catalog::editing::model::{
    PictureContent, ProductContent, ProductStatus, StoredProduct, Surroundings, VariantContent,
};
use crate::catalog::model::{Detail, OptionValue, ProductOption};

/// The rows of a file that belong to one product, with their line numbers.
#[derive(Debug)]
pub struct Group {
    pub handle: String,
    pub rows: Vec<(u64, StringRecord)>,
}

/// The result of parsing a product.
#[derive(Debug)]
pub struct Wanted {
    pub content: ProductContent,
    /// Line numbers of variants and pictures, by their index in the product.
    pub variant_lines: BTreeMap<usize, u64>,
    pub picture_lines: BTreeMap<usize, u64>,
    /// The stock of variants, by index.
    pub counts: BTreeMap<usize, FileStock>,
    pub errors: Messages,
    pub notes: Messages,
}

/// A variant's stock on hand according to a file.
#[derive(Clone, Copy, Debug)]
pub struct FileStock {
    pub quantity: i64,
    /// The stock on hand when the shop wrote the file: its author meant a change of this, and goods were sold since.
    exported: Option<i64>,
    /// The number of manual changes of the stock at that time.
    adjustments: Option<i64>,
}

impl FileStock {
    /// The file's change of the stock when it was exported; none for a file without that.
    pub fn change(self) -> Option<i64> {
        self.exported.map(|exported| self.quantity - exported)
    }

    /// The stock to set, where this many are on hand.
    pub fn wanted(self, on_hand: i64) -> i64 {
        self.change().map_or(self.quantity, |change| on_hand + change)
    }

    /// Whether staff have changed the stock since the export.
    pub fn is_outdated(self, adjustments: i64) -> bool {
        self.exported.is_some() && self.adjustments.is_some_and(|then| then != adjustments)
    }
}

/// Messages by line.
pub type Messages = BTreeMap<u64, Vec<String>>;

/// The picture key from the address of one of the shop's pictures, or a bare key.
pub fn picture_key(cell: &str) -> Option<String> {
    let file = cell.rsplit_once("/images/").map_or(cell, |(_, file)| file);
    let key: String = file.chars().take_while(char::is_ascii_hexdigit).collect();
    let rest = file.strip_prefix(key.as_str())?;
    (key.len() == 20 && (rest.is_empty() || rest.starts_with('-'))).then(|| key.to_ascii_lowercase())
}

impl Group {
    /// All picture keys in its rows.
    pub fn picture_keys(&self, header: &Header) -> Vec<String> {
        let cells =
            self.rows.iter().flat_map(|(_, row)| [header.cell(row, c::IMAGE), header.cell(row, c::VARIANT_IMAGE)]);
        cells.flatten().filter_map(picture_key).collect()
    }

    pub fn read(&self, header: &Header, before: Option<&StoredProduct>, around: &Surroundings) -> Wanted {
        let mut reading = Reading { group: self, header, before, around, wanted: Wanted::from(self, before) };
        reading.widths();
        reading.texts();
        reading.state();
        reading.place();
        reading.pictures();
        reading.variants();
        reading.readiness();
        reading.wanted.content.tidy();
        reading.wanted
    }
}

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

    fn from(group: &Group, before: Option<&StoredProduct>) -> Self {
        let mut content = before.map_or_else(empty, |before| before.content.clone());
        content.handle.clone_from(&group.handle);
        Self {
            content,
            variant_lines: BTreeMap::new(),
            picture_lines: BTreeMap::new(),
            counts: BTreeMap::new(),
            errors: Messages::new(),
            notes: Messages::new(),
        }
    }
}

/// The same by the new index, where `order` has the former ones.
fn reordered<T: Copy>(by_index: &BTreeMap<usize, T>, order: &[usize]) -> BTreeMap<usize, T> {
    order.iter().enumerate().filter_map(|(to, from)| Some((to, *by_index.get(from)?))).collect()
}

fn empty() -> ProductContent {
    ProductContent {
        title: String::new(),
        subtitle: String::new(),
        handle: String::new(),
        description: Vec::new(),
        highlights: Vec::new(),
        details: Vec::new(),
        category_id: uuid::Uuid::nil(),
        material: String::new(),
        compliance_class: String::new(),
        seo_title: String::new(),
        seo_description: String::new(),
        status: ProductStatus::Draft,
        publish_at: None,
        options: Vec::new(),
        variants: Vec::new(),
        pictures: Vec::new(),
        collections: Vec::new(),
    }
}

struct Reading<'a> {
    group: &'a Group,
    header: &'a Header,
    before: Option<&'a StoredProduct>,
    around: &'a Surroundings,
    wanted: Wanted,
}

impl<'a> Reading<'a> {
    /// A cell of the product's first row. Without a title, that is a further line of an export whose first one was taken out of the file:
    /// what it leaves blank was not in it.
    fn first(&self, column: &str) -> Option<&'a str> {
        let (_, row) = self.group.rows.first()?;
        let is_further = self.header.cell(row, c::TITLE) == Some("");
        self.header.cell(row, column).filter(|cell| !(is_further && cell.is_empty()))
    }

    fn first_line(&self) -> u64 {
        self.group.rows.first().map_or(0, |(line, _)| *line)
    }

    fn error(&mut self, line: u64, message: impl Into<String>) {
        self.wanted.errors.entry(line).or_default().push(message.into());
    }

    fn note(&mut self, line: u64, message: impl Into<String>) {
        self.wanted.notes.entry(line).or_default().push(message.into());
    }

    fn widths(&mut self) {
        for (line, row) in &self.group.rows {
            if self.header.is_exceeded(row) {
                self.error(*line, "More cells than columns. Put text that contains a comma in quotation marks.");
            }
        }
    }

    fn texts(&mut self) {
        let lines = |cell: &str| cell.lines().map(str::to_owned).collect::<Vec<_>>();
        if let Some(title) = self.first(c::TITLE).filter(|title| !title.is_empty()) {
            self.wanted.content.title = title.to_owned();
        }
        if let Some(body) = self.first(c::BODY) {
            self.wanted.content.description = html::paragraphs(body);
        }
        if let Some(highlights) = self.first(c::HIGHLIGHTS) {
            self.wanted.content.highlights = lines(highlights);
        }
        if let Some(details) = self.first(c::DETAILS) {
            let detail = |line: &str| {
                let (label, value) = line.split_once(':').unwrap_or((line, ""));
                Detail { label: label.trim().to_owned(), value: value.trim().to_owned() }
            };
            self.wanted.content.details = details.lines().map(detail).collect();
        }
        let (subtitle, material) = (self.first(c::SUBTITLE), self.first(c::MATERIAL));
        let (seo_title, seo_description) = (self.first(c::SEO_TITLE), self.first(c::SEO_DESCRIPTION));
        let content = &mut self.wanted.content;
        for (cell, text) in [
            (subtitle, &mut content.subtitle),
            (material, &mut content.material),
            (seo_title, &mut content.seo_title),
            (seo_description, &mut content.seo_description),
        ] {
            if let Some(cell) = cell {
                *text = cell.to_owned();
            }
        }
    }

    fn state(&mut self) {
        let line = self.first_line();
        let status = self.first(c::STATUS).filter(|cell| !cell.is_empty());
        let published = self.first(c::PUBLISHED).filter(|cell| !cell.is_empty());
        let is_hidden = published.is_some_and(|cell| cell.eq_ignore_ascii_case("false"));
        let is_archived = self.before.is_some_and(|before| before.content.status == ProductStatus::Archived);
        match (status, published) {
            (Some(status), _) => match status.to_ascii_lowercase().parse() {
                // Shopify hides an active product that is not published; an export of this shop has its own column for that.
                Ok(ProductStatus::Active) if is_hidden && !self.header.has(c::PUBLISH_AT) => {
                    self.wanted.content.status = ProductStatus::Draft;
                    self.note(line, format!("It’s a draft, because {} is FALSE.", c::PUBLISHED));
                }
                Ok(status) => self.wanted.content.status = status,
                Err(_) => self.error(line, format!("{}: use active, draft, or archived.", c::STATUS)),
            },
            (None, Some(published)) if self.before.is_none() => {
                let is_live = published.eq_ignore_ascii_case("true");
                self.wanted.content.status = if is_live { ProductStatus::Active } else { ProductStatus::Draft };
            }
            // As after an import that was undone.
            (None, Some(published)) if is_archived && published.eq_ignore_ascii_case("true") => {
                self.wanted.content.status = ProductStatus::Active;
            }
            (None, None) if is_archived => {
                self.note(line, format!("It is archived. Set {} to active to sell it again.", c::STATUS));
            }
            _ => {}
        }
        match self.first(c::PUBLISH_AT) {
            Some("") => self.wanted.content.publish_at = None,
            Some(at) => match at.parse::<jiff::Timestamp>() {
                Ok(at) => self.wanted.content.publish_at = Some(at.as_millisecond()),
                Err(_) => self.error(line, format!("{}: use a time such as 2026-12-01T09:00:00Z.", c::PUBLISH_AT)),
            },
            None => {}
        }
    }

    /// Category, compliance class and collections.
    fn place(&mut self) {
        let line = self.first_line();
        let categories = &self.around.categories;
        let by_slug = |wanted: &str| categories.iter().find(|(_, slug)| slug.as_str() == wanted).map(|(id, _)| *id);
        // Categories in different places may have the same name, which then says nothing.
        let by_name = |wanted: &str| {
            let wanted = wanted.rsplit('>').next().unwrap_or(wanted).trim().to_lowercase();
            let mut named = self.around.category_names.iter().filter(|(_, name)| name.to_lowercase() == wanted);
            named.next().filter(|_| named.next().is_none()).map(|(id, _)| *id)
        };
        let cell = |column| self.first(column).filter(|cell| !cell.is_empty());
        let found = match cell(c::CATEGORY) {
            Some(slug) => by_slug(slug),
            None if self.before.is_some() => self.before.map(|before| before.content.category_id),
            None => cell(c::TYPE).and_then(by_name).or_else(|| cell(c::PRODUCT_CATEGORY).and_then(by_name)),
        };
        match found {
            Some(id) => self.wanted.content.category_id = id,
            None => self.error(line, format!("{}: use the last part of a category’s address.", c::CATEGORY)),
        }
        if let Some(class) = self.first(c::COMPLIANCE_CLASS).filter(|class| !class.is_empty()) {
            self.wanted.content.compliance_class = class.to_owned();
        }
        if let Some(handles) = self.first(c::COLLECTIONS) {
            self.wanted.content.collections.clear();
            for handle in handles.split(',').map(str::trim).filter(|handle| !handle.is_empty()) {
                match self.around.collections.iter().find(|(_, known)| known.as_str() == handle) {
                    Some((id, _)) => self.wanted.content.collections.push(*id),
                    None => self.error(line, format!("{}: there’s no collection {handle}.", c::COLLECTIONS)),
                }
            }
            // The order in the cell is irrelevant.
            if let Some(before) = self.before
                && before.content.collections.len() == self.wanted.content.collections.len()
                && before.content.collections.iter().all(|id| self.wanted.content.collections.contains(id))
            {
                self.wanted.content.collections.clone_from(&before.content.collections);
            }
        }
    }

    /// Adds pictures that the shop has, and notes the others for upload. Existing pictures are never removed, and those that the file leaves
    /// out stay in their order around those that it places.
    fn pictures(&mut self) {
        let mut found: Vec<(Option<i64>, i64, u64, PictureContent)> = Vec::new();
        for ((line, row), at) in self.group.rows.iter().zip(1_i64..) {
            let Some(source) = self.header.cell(row, c::IMAGE).filter(|cell| !cell.is_empty()) else { continue };
            let Some(key) = picture_key(source).filter(|key| self.around.pictures.contains_key(key)) else {
                self.note(*line, format!("Upload this image yourself: {source}"));
                continue;
            };
            let old = self.wanted.content.pictures.iter().find(|picture| picture.key == key);
            let old_alt = old.map_or(self.wanted.content.title.as_str(), |old| &old.alt);
            let alt = self.header.cell(row, c::IMAGE_ALT).filter(|alt| !alt.is_empty()).unwrap_or(old_alt).to_owned();
            let position = self.header.cell(row, c::IMAGE_POSITION).and_then(|cell| cell.parse().ok());
            if !found.iter().any(|(.., picture)| picture.key == key) {
                found.push((position, at, *line, PictureContent { key, alt }));
            }
        }
        found.sort_by_key(|(position, at, ..)| position.unwrap_or(*at));
        let pictures = &mut self.wanted.content.pictures;
        pictures.retain(|old| !found.iter().any(|(.., picture)| picture.key == old.key));
        let mut next = 0;
        for (position, _, line, picture) in found {
            let wanted = position.and_then(|position| usize::try_from(position.saturating_sub(1)).ok()).unwrap_or(0);
            let at = wanted.max(next).min(pictures.len());
            pictures.insert(at, picture);
            self.wanted.picture_lines.insert(at, line);
            next = at + 1;
        }
    }

    fn variants(&mut self) {
        const COLUMNS: [&str; 7] =
            [c::SKU, c::PRICE, c::OPTION1_VALUE, c::QUANTITY, c::GRAMS, c::WEIGHT, c::COMPARE_AT];
        let has_variant = |row: &StringRecord| {
            let cells = COLUMNS.map(|column| self.header.cell(row, column));
            cells.into_iter().flatten().any(|cell| !cell.is_empty())
        };
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
            let sku = cell(c::SKU).unwrap_or_default();
            let by_sku = old.iter().find(|old| old.sku == sku);
            // What the file omits stays as it is.
            let same = |at: usize| by_sku.and_then(|former| former.options.get(at)).cloned().unwrap_or_default();
            let options: Vec<String> = names
                .iter()
                .zip(OPTIONS)
                .zip(0..)
                .map(|((_, (_, column)), at)| cell(column).map_or_else(|| same(at), str::to_owned))
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
            self.error(self.first_line(), message);
        }
        if !missing.is_empty() {
            self.wanted.content.variants.extend(missing);
            self.wanted.keep_order(&old);
        }
        self.wanted.content.options = self.options(names);
    }

    /// The option names; the stored ones if the file has none.
    fn option_names(&self) -> Vec<String> {
        if self.first(c::OPTION1_NAME).is_none() {
            return self.wanted.content.options.iter().map(|option| option.name.clone()).collect();
        }
        let names: Vec<String> = OPTIONS
            .iter()
            .filter_map(|(column, _)| self.first(column))
            .take_while(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        let is_none = names.len() == 1 && names[0] == NO_OPTION.0 && self.first(c::OPTION1_VALUE) == Some(NO_OPTION.1);
        // An option of the shop may have this name, too.
        let is_stored = self.wanted.content.options.iter().any(|option| option.name == NO_OPTION.0);
        if is_none && !is_stored { Vec::new() } else { names }
    }

    /// The options with the values in use: existing ones in their order, then new ones.
    fn options(&self, names: Vec<String>) -> Vec<ProductOption> {
        let values = |name: &String, at: usize| {
            let old = self.wanted.content.options.iter().find(|option| option.name == *name);
            let mut values: Vec<OptionValue> = old.map(|option| option.values.clone()).unwrap_or_default();
            for variant in &self.wanted.content.variants {
                if let Some(value) = variant.options.get(at)
                    && !values.iter().any(|known| known.value == *value)
                {
                    values.push(OptionValue { value: value.clone(), hex: None });
                }
            }
            values
        };
        names.iter().zip(0..).map(|(name, at)| ProductOption { name: name.clone(), values: values(name, at) }).collect()
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
        let known_grams =
            number(c::GRAMS, |text| weight::grams(text, "g"), former.map_or(0, |former| former.weight_grams));
        let quantity = number(c::QUANTITY, whole, -1);
        let exported = number(c::QUANTITY_AT_EXPORT, whole, -1);
        let adjustments = number(c::ADJUSTMENTS_AT_EXPORT, whole, -1);
        let weight_grams = match cell(c::WEIGHT).filter(|_| cell(c::GRAMS).is_none()) {
            None => known_grams,
            Some(text) => {
                let unit = cell(c::WEIGHT_UNIT).unwrap_or("oz");
                weight::grams(text, unit).unwrap_or_else(|| {
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
            sku: cell(c::SKU)
                .map_or_else(|| former.map(|former| former.sku.clone()).unwrap_or_default(), str::to_owned),
            options,
            price,
            // An equal former price is not a discount.
            compare_at_price: compare_at_price.filter(|before| *before != price),
            weight_grams,
            picture,
            on_hand: Some(quantity).filter(|quantity| former.is_none() && *quantity >= 0),
        }
    }

    /// The key of a variant's picture, which the product gets if it does not have it; none if it must be uploaded.
    fn variant_picture(&mut self, line: u64, source: &str) -> Option<String> {
        let Some(key) = picture_key(source).filter(|key| self.around.pictures.contains_key(key)) else {
            self.note(line, format!("Upload this image yourself: {source}"));
            return None;
        };
        let content = &mut self.wanted.content;
        if !content.pictures.iter().any(|picture| picture.key == key) {
            self.wanted.picture_lines.insert(content.pictures.len(), line);
            content.pictures.push(PictureContent { key: key.clone(), alt: content.title.clone() });
        }
        Some(key)
    }

    /// A product without a picture cannot be published yet.
    fn readiness(&mut self) {
        let lacks = self.wanted.content.pictures.is_empty();
        if lacks && self.wanted.content.is_meant_for_shoppers() && !self.wanted.content.variants.is_empty() {
            self.wanted.content.status = ProductStatus::Draft;
            self.wanted.content.publish_at = None;
            self.note(self.first_line(), "It stays a draft until it has an image.");
        }
    }
}

/// `1299.5` or `1,299.5` as 129950.
fn minor_units(text: &str) -> Option<i64> {
    let text = text.trim_start_matches('$');
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole = without_commas(whole)?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (kept, rest) = part.split_at_checked(2).unwrap_or((part, ""));
    if whole.is_empty() || whole.len() > 9 || !digits(&whole) || !digits(kept) || !rest.bytes().all(|b| b == b'0') {
        return None;
    }
    format!("{whole}{kept:0<2}").parse().ok()
}

/// Removes commas between groups of three digits. Elsewhere a comma may be meant as a decimal point, as in `49,90`.
fn without_commas(whole: &str) -> Option<String> {
    let (first, rest) = whole.split_once(',').map_or((whole, None), |(first, rest)| (first, Some(rest)));
    let is_grouped = |rest: &str| (1..=3).contains(&first.len()) && rest.split(',').all(|digits| digits.len() == 3);
    rest.is_none_or(is_grouped).then(|| whole.replace(',', ""))
}

/// `12` or `12.0`.
fn whole(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let number: i64 = whole.parse().ok()?;
    (part.bytes().all(|byte| byte == b'0') && (0..=1_000_000).contains(&number)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::{minor_units, picture_key, whole};

    #[test]
    fn numbers_are_read_without_floats() {
        let read: Vec<Option<i64>> =
            ["49", "49.9", "49.90", "$1,299.50", "49.900", "1,234,567"].map(minor_units).to_vec();
        let amounts = [4_900, 4_990, 4_990, 129_950, 4_990, 123_456_700];
        assert_eq!(read, amounts.map(Some));
        for wrong in [
            "",
            ".5",
            "49.999",
            "-1",
            "1e3",
            "49,9x",
            "99999999999",
            "49,90",
            "1.299,50",
            "49.90,0",
            "1299,500",
            ",500",
            "1,,500",
            "1,500,",
            "1,50,000",
        ] {
            assert_eq!(minor_units(wrong), None, "{wrong}");
        }
        assert_eq!((whole("800"), whole("800.0"), whole("0.5"), whole("-1")), (Some(800), Some(800), None, None));
    }

    #[test]
    fn only_own_pictures_have_a_key() {
        let key = Some("0123456789abcdef0123".to_owned());
        assert_eq!(picture_key("https://shop.example/images/0123456789abcdef0123-1280.webp"), key);
        assert_eq!(picture_key("0123456789ABCDEF0123"), key);
        assert_eq!(picture_key("https://cdn.shopify.com/s/files/1/rack.jpg?v=1"), None);
        assert_eq!(picture_key("http://169.254.169.254/images/latest"), None);
    }
}
