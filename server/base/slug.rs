//! Slugs: names in addresses.

/// Turns a name into a slug: `Olive wood` becomes `olive-wood`.
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    let mut is_between = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            is_between = !slug.is_empty();
            continue;
        }
        if is_between {
            slug.push('-');
            is_between = false;
        }
        // A list makes dozens of slugs, and the whole of Unicode takes several times as long.
        if letter.is_ascii() {
            slug.push(letter.to_ascii_lowercase());
        } else {
            slug.extend(letter.to_lowercase());
        }
    }
    slug
}
