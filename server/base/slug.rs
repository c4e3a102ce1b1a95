//! Slugs: names in addresses.

/// Turns a name into a slug: `Olive wood` becomes `olive-wood`.
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.extend(word.chars().flat_map(char::to_lowercase));
    }
    slug
}
