//! The columns, named as in Shopify's product files; the last ones are our own.

use std::collections::HashMap;

use shop_base::fields::visible;

macro_rules! columns {
    ($($name:ident = $title:literal),* $(,)?) => {
        $(pub const $name: &str = $title;)*
        pub const ALL: &[&str] = &[$($name),*];
    };
}

columns! {
    HANDLE = "Handle",
    TITLE = "Title",
    BODY = "Body (HTML)",
    VENDOR = "Vendor",
    PRODUCT_CATEGORY = "Product Category",
    TYPE = "Type",
    TAGS = "Tags",
    PUBLISHED = "Published",
    OPTION1_NAME = "Option1 Name",
    OPTION1_VALUE = "Option1 Value",
    OPTION2_NAME = "Option2 Name",
    OPTION2_VALUE = "Option2 Value",
    OPTION3_NAME = "Option3 Name",
    OPTION3_VALUE = "Option3 Value",
    SKU = "Variant SKU",
    GRAMS = "Variant Grams",
    TRACKER = "Variant Inventory Tracker",
    QUANTITY = "Variant Inventory Qty",
    POLICY = "Variant Inventory Policy",
    FULFILLMENT = "Variant Fulfillment Service",
    PRICE = "Variant Price",
    COMPARE_AT = "Variant Compare At Price",
    REQUIRES_SHIPPING = "Variant Requires Shipping",
    TAXABLE = "Variant Taxable",
    BARCODE = "Variant Barcode",
    IMAGE = "Image Src",
    IMAGE_POSITION = "Image Position",
    IMAGE_ALT = "Image Alt Text",
    GIFT_CARD = "Gift Card",
    SEO_TITLE = "SEO Title",
    SEO_DESCRIPTION = "SEO Description",
    VARIANT_IMAGE = "Variant Image",
    WEIGHT_UNIT = "Variant Weight Unit",
    STATUS = "Status",
    CATEGORY = "Category",
    COMPLIANCE_CLASS = "Compliance Class",
    SUBTITLE = "Subtitle",
    MATERIAL = "Material",
    HIGHLIGHTS = "Highlights",
    DETAILS = "Details",
    COLLECTIONS = "Collections",
    PUBLISH_AT = "Publish At",
    QUANTITY_AT_EXPORT = "Variant Inventory Qty At Export",
    ADJUSTMENTS_AT_EXPORT = "Variant Inventory Adjustments At Export",
}

/// The weight in the row's unit, for files without grams. Import only.
pub const WEIGHT: &str = "Variant Weight";

pub const OPTIONS: [(&str, &str); 3] =
    [(OPTION1_NAME, OPTION1_VALUE), (OPTION2_NAME, OPTION2_VALUE), (OPTION3_NAME, OPTION3_VALUE)];

/// About the product itself: an export has texts there in the first line of a product alone.
pub const ABOUT_PRODUCT: [&str; 15] = [
    BODY,
    PRODUCT_CATEGORY,
    TYPE,
    PUBLISHED,
    STATUS,
    PUBLISH_AT,
    CATEGORY,
    COMPLIANCE_CLASS,
    SUBTITLE,
    MATERIAL,
    HIGHLIGHTS,
    DETAILS,
    COLLECTIONS,
    SEO_TITLE,
    SEO_DESCRIPTION,
];

/// Texts there make a line one of a variant.
pub const ABOUT_VARIANT: [&str; 7] = [SKU, PRICE, OPTION1_VALUE, QUANTITY, GRAMS, WEIGHT, COMPARE_AT];

/// Shopify's placeholder option for a product without options, and its value.
pub const NO_OPTION: (&str, &str) = ("Title", "Default Title");

/// Ignored on import: the shop has no corresponding fields.
const UNKEPT: [&str; 9] = [VENDOR, TAGS, TRACKER, POLICY, FULFILLMENT, REQUIRES_SHIPPING, TAXABLE, BARCODE, GIFT_CARD];

/// The position of each column in a file.
#[derive(Debug)]
pub struct Header {
    places: HashMap<&'static str, usize>,
    width: usize,
    /// Columns of the file that are ignored.
    pub ignored: Vec<String>,
}

impl Header {
    pub fn of(titles: &csv::StringRecord) -> Self {
        let (mut places, mut ignored) = (HashMap::new(), Vec::new());
        for (title, at) in titles.iter().zip(0..) {
            let known = ALL.iter().chain([&WEIGHT]).find(|known| known.eq_ignore_ascii_case(title.trim()));
            match known {
                Some(known) if !UNKEPT.contains(known) => drop(places.entry(*known).or_insert(at)),
                Some(_) | None if title.trim().is_empty() => {}
                _ => ignored.push(title.trim().to_owned()),
            }
        }
        Self { places, width: titles.len(), ignored }
    }

    pub fn has(&self, column: &str) -> bool {
        self.places.contains_key(column)
    }

    /// Whether all columns are about products themselves: none is about variants or pictures, and none is the title.
    pub fn is_about_products(&self) -> bool {
        let is_of_variants = |title: &String| title.to_ascii_lowercase().starts_with("variant ");
        self.places.keys().all(|column| *column == HANDLE || ABOUT_PRODUCT.contains(column))
            && !self.ignored.iter().any(is_of_variants)
    }

    /// Whether semicolons or tabs separate the columns.
    pub fn is_separated_otherwise(&self) -> bool {
        let is_handle = |title: &str| title.trim_matches(['"', ' ']).eq_ignore_ascii_case(HANDLE);
        let has_handle = |line: &String| line.split([';', '\t']).any(is_handle);
        self.ignored.iter().any(has_handle)
    }

    /// Whether the row has texts beyond the columns, such as after `1,299.50` without quotation marks: its cells are in the wrong columns.
    pub fn is_exceeded(&self, row: &csv::StringRecord) -> bool {
        row.iter().skip(self.width).any(|cell| !cell.trim().is_empty())
    }

    /// The cell's trimmed text; none if the file has no such column.
    pub fn cell<'a>(&self, row: &'a csv::StringRecord, column: &str) -> Option<&'a str> {
        let cell = row.get(*self.places.get(column)?).unwrap_or_default();
        Some(shop_base::csv::plain_cell(cell).trim())
    }

    /// Whether any of these cells has a text.
    pub fn has_text(&self, row: &csv::StringRecord, columns: &[&str]) -> bool {
        columns.iter().any(|column| self.cell(row, column).is_some_and(|cell| !cell.is_empty()))
    }

    /// The handle or SKU in a cell, as the shop stores it: what looks the same is the same.
    pub fn identifier(&self, row: &csv::StringRecord, column: &str) -> String {
        visible(self.cell(row, column).unwrap_or_default()).trim().to_owned()
    }
}
