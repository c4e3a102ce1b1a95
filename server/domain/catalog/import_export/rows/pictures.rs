//! The pictures of one product.

use super::Reading;
use crate::catalog::editing::model::PictureContent;
use crate::catalog::import_export::columns as c;

/// The picture key from the address of one of the shop's pictures, or a bare key.
pub(super) fn picture_key(cell: &str) -> Option<String> {
    let file = cell.rsplit_once("/images/").map_or(cell, |(_, file)| file);
    let key: String = file.chars().take_while(char::is_ascii_hexdigit).collect();
    let rest = file.strip_prefix(key.as_str())?;
    (key.len() == 20 && (rest.is_empty() || rest.starts_with('-'))).then(|| key.to_ascii_lowercase())
}

impl Reading<'_> {
    /// Adds pictures that the shop has, and notes the others for upload. Existing pictures are never removed, and those that the file leaves
    /// out stay in their order around those that it places.
    pub(super) fn pictures(&mut self) {
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

    /// The key of a variant's picture, which the product gets if it does not have it; none if it must be uploaded.
    pub(super) fn variant_picture(&mut self, line: u64, source: &str) -> Option<String> {
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
}

#[cfg(test)]
mod tests {
    use super::picture_key;

    #[test]
    fn only_own_pictures_have_a_key() {
        let key = Some("0123456789abcdef0123".to_owned());
        assert_eq!(picture_key("https://shop.example/images/0123456789abcdef0123-1280.webp"), key);
        assert_eq!(picture_key("0123456789ABCDEF0123"), key);
        assert_eq!(picture_key("https://cdn.shopify.com/s/files/1/rack.jpg?v=1"), None);
        assert_eq!(picture_key("http://169.254.169.254/images/latest"), None);
    }
}
