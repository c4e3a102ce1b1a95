//! The project's own SVG drawings. They may use shapes, gradients and filters, but no text, pictures or external files.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::decode::check_size;
use crate::raster::scaled;
use crate::{CodecError, Raster};

/// A drawing that can be rasterized at any width.
pub struct Drawing {
    tree: Tree,
    width: u32,
    height: u32,
}

impl Drawing {
    /// # Errors
    /// When the text is not an SVG, or its size is outside the limits for pictures.
    pub fn parse(svg: &str) -> Result<Self, CodecError> {
        // The default resolver would read files that the drawing references.
        let nothing =
            ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
        let options = Options { image_href_resolver: nothing, ..Options::default() };
        let tree = Tree::from_str(svg, &options).map_err(|cause| CodecError::Drawing(cause.to_string()))?;
        let (width, height) = (tree.size().width().round() as u32, tree.size().height().round() as u32);
        check_size(width, height)?;
        Ok(Self { tree, width, height })
    }

    /// In pixels, as the SVG states it.
    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// The drawing rasterized at `width` pixels.
    pub fn raster(&self, width: u32) -> Result<Raster, CodecError> {
        let height = scaled(self.height, width, self.width);
        check_size(width, height.max(crate::MIN_SIDE))?;
        let mut pixmap = Pixmap::new(width, height).ok_or(CodecError::TooManyPixels { width, height })?;
        let (across, down) = (width as f32 / self.tree.size().width(), height as f32 / self.tree.size().height());
        resvg::render(&self.tree, Transform::from_scale(across, down), &mut pixmap.as_mut());
        Raster::new(width, height, pixmap.take_demultiplied())
    }
}
