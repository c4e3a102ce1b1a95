//! Slugs: names in addresses.

/// Turns a name into a slug: `Olive wood` becomes `olive-wood`.
pub fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}
