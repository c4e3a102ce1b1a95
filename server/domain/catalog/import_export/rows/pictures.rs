//! The pictures of one product.

use super::Reading;
use crate::catalog::editing::model::PictureContent;
use crate::catalog::import_export::columns as c;

/// A picture that the shop has, as a line of the file names it.
struct Named {
    position: Option<i64>,
    line: u64,
    picture: PictureContent,
}

/// The picture key from the address of one of the shop's pictures, or a bare key.
pub(super) fn picture_key(cell: &str) -> Option<String> {
    let file = cell.rsplit_once("/images/").map_or(cell, |(_, file)| file);
    let key: String = file.chars().take_while(char::is_ascii_hexdigit).collect();
    let rest = file.strip_prefix(key.as_str())?;
    (key.len() == 20 && (rest.is_empty() || rest.starts_with('-'))).then(|| key.to_ascii_lowercase())
}

impl Reading<'_> {
    /// Adds pictures that the shop has, and notes the others for upload. Existing pictures are never removed, and those that the file leaves
    /// out stay in their order around those that it places. One without a position stays where it is, or comes last if it is new: a file
    /// with some of them does not say which comes first. If it names all, and none has a position, they get the order of their lines.
    pub(super) fn pictures(&mut self) {
        let mut found: Vec<Named> = Vec::new();
        for (line, row) in &self.group.rows {
            let Some(source) = self.header.cell(row, c::IMAGE).filter(|cell| !cell.is_empty()) else { continue };
            let Some(key) = picture_key(source).filter(|key| self.around.pictures.contains_key(key)) else {
                self.note(*line, format!("Upload this image yourself: {source}"));
                continue;
            };
            let old = self.wanted.content.pictures.iter().find(|picture| picture.key == key);
            let old_alt = old.map_or(self.wanted.content.title.as_str(), |old| &old.alt);
            let alt = self.header.cell(row, c::IMAGE_ALT).filter(|alt| !alt.is_empty()).unwrap_or(old_alt).to_owned();
            let position = self.header.cell(row, c::IMAGE_POSITION).and_then(|cell| cell.parse().ok());
            if !found.iter().any(|named| named.picture.key == key) {
                found.push(Named { position, line: *line, picture: PictureContent { key, alt } });
            }
        }
        let lines: Vec<(String, u64)> = found.iter().map(|named| (named.picture.key.clone(), named.line)).collect();
        let pictures = &mut self.wanted.content.pictures;
        let names_all = pictures.iter().all(|old| lines.iter().any(|(key, _)| *key == old.key));
        let (mut placed, others): (Vec<Named>, Vec<Named>) =
            found.into_iter().partition(|named| named.position.is_some());
        let has_order = names_all && placed.is_empty();
        pictures.retain(|old| !has_order && !placed.iter().any(|named| named.picture.key == old.key));
        for Named { picture, .. } in others {
            match pictures.iter_mut().find(|old| old.key == picture.key) {
                Some(old) => old.alt = picture.alt,
                None => pictures.push(picture),
            }
        }
        placed.sort_by_key(|named| named.position);
        let mut next = 0;
        for Named { position, picture, .. } in placed {
            let wanted = position.and_then(|position| usize::try_from(position.saturating_sub(1)).ok()).unwrap_or(0);
            let at = wanted.max(next).min(pictures.len());
            pictures.insert(at, picture);
            next = at + 1;
        }
        for (at, picture) in pictures.iter().enumerate() {
            if let Some((_, line)) = lines.iter().find(|(key, _)| *key == picture.key) {
                self.wanted.picture_lines.insert(at, *line);
            }
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
