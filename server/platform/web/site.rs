//! The built app that a running shop serves: its isolates, its manifest, its files. Normally embedded in the binary; under `make dev` a
//! folder that is replaced while the shop runs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shop_base::config::Rendering;
use ssr_runtime::{Fragments, Options, Program, Renderer, StartError};

/// The built app embedded in the binary.
#[derive(Debug)]
pub struct Bundle {
    /// JSON of a [`Manifest`].
    pub manifest: &'static str,
    /// JSON of sample envelopes that warm up new isolates.
    pub samples: &'static str,
    /// The V8 heap snapshot from which isolates are created.
    pub snapshot: &'static [u8],
    pub source_map: &'static [u8],
    /// Sorted by path.
    pub files: &'static [Embedded],
}

/// One file of the bundle embedded in the binary.
#[derive(Debug)]
pub struct Embedded {
    pub path: &'static str,
    pub plain: &'static [u8],
    pub brotli: Option<&'static [u8]>,
    pub gzip: Option<&'static [u8]>,
}

/// The build's description of its files, as `app/build.mjs` writes it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Manifest {
    /// Hash over all outputs.
    pub build: String,
    /// The script that a page loads first.
    pub entry: String,
    /// The app's scripts common to all pages, which the entry fetches once the page has been painted.
    pub code: Vec<String>,
    pub css: Vec<String>,
    /// Fonts that the first screen needs.
    pub fonts: Vec<String>,
    pub pages: BTreeMap<String, PageFiles>,
}

/// Files of one page, in addition to those of every page.
#[derive(Clone, Debug, Default, Deserialize, Serialize, utoipa::ToSchema)]
pub struct PageFiles {
    pub js: Vec<String>,
    pub css: Vec<String>,
}

/// What loads a page's files in the head of its document, in order of importance; a picture may be preloaded between the two. The code comes
/// last, once the page has been painted (`app/start.ts`).
#[derive(Debug)]
pub struct Links {
    pub styles: String,
    pub fonts_and_code: String,
}

impl Links {
    fn of(manifest: &Manifest, files: &PageFiles) -> Self {
        let style = |css: &String| format!("<link rel=\"stylesheet\" href=\"/{css}\">");
        let font = |font: &String| {
            format!("<link rel=\"preload\" href=\"/{font}\" as=\"font\" type=\"font/woff2\" crossorigin>")
        };
        let code: Vec<String> = manifest.code.iter().chain(&files.js).map(|js| format!("/{js}")).collect();
        let start = format!(
            "<script type=\"module\" id=\"start\" data-code=\"{}\" src=\"/{}\"></script>",
            code.join(" "),
            manifest.entry
        );
        Self {
            styles: manifest.css.iter().chain(&files.css).map(style).collect(),
            fonts_and_code: manifest.fonts.iter().map(font).chain([start]).collect(),
        }
    }
}

/// A file of a bundle, ready to send.
#[derive(Clone, Debug)]
pub struct File {
    pub plain: Bytes,
    pub brotli: Option<Bytes>,
    pub gzip: Option<Bytes>,
}

#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error("the isolates did not start: {0}")]
    Start(#[from] StartError),
    #[error("the bundle's manifest cannot be read: {0}")]
    Manifest(#[from] serde_json::Error),
    #[error("the bundle's folder cannot be read: {0}")]
    Folder(#[from] std::io::Error),
}

/// How much HTML of reusable components is kept, in bytes: that of some 30,000 cards.
const FRAGMENTS: u64 = 24 << 20;

/// When this node was started, UTC milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct StartedAt(pub i64);

/// A bundle that is being served.
pub struct Site {
    pub manifest: Manifest,
    pub renderer: Renderer,
    /// HTML that this bundle's components rendered.
    pub fragments: Fragments,
    /// The log says that too many pages wait to be rendered; until none does, it says so once.
    pub is_overload_logged: AtomicBool,
    /// By page.
    links: BTreeMap<String, Links>,
    /// Of a page without files of its own.
    common_links: Links,
    files: Files,
}

/// Where a bundle's files are.
enum Files {
    Embedded(&'static [Embedded]),
    Folder(PathBuf),
}

impl Site {
    /// Starts isolates on the bundle embedded in the binary.
    pub fn embedded(bundle: &'static Bundle, rendering: &Rendering) -> Result<Self, SiteError> {
        let manifest = serde_json::from_str(bundle.manifest)?;
        let samples: Vec<Box<RawValue>> = serde_json::from_str(bundle.samples)?;
        let warm_up = samples.iter().map(ToString::to_string).collect();
        let renderer = start(rendering, Program::Snapshot(bundle.snapshot), Cow::Borrowed(bundle.source_map), warm_up)?;
        Ok(Self::new(manifest, renderer, Files::Embedded(bundle.files)))
    }

    /// Loads a development bundle, with the running isolates if given, else with new ones.
    pub fn folder(folder: &Path, rendering: &Rendering, running: Option<Renderer>) -> Result<Self, SiteError> {
        let manifest = serde_json::from_slice(&std::fs::read(folder.join("manifest.json"))?)?;
        let renderer = match running {
            Some(renderer) => renderer,
            None => {
                let script = std::fs::read_to_string(folder.join("server.js"))?;
                let map = std::fs::read(folder.join("server.js.map")).unwrap_or_default();
                start(rendering, Program::Script(script), Cow::Owned(map), Vec::new())?
            }
        };
        Ok(Self::new(manifest, renderer, Files::Folder(folder.to_owned())))
    }

    fn new(manifest: Manifest, renderer: Renderer, files: Files) -> Self {
        let links = manifest.pages.iter().map(|(page, files)| (page.clone(), Links::of(&manifest, files))).collect();
        let common_links = Links::of(&manifest, &PageFiles::default());
        Self {
            manifest,
            renderer,
            fragments: Fragments::new(FRAGMENTS),
            is_overload_logged: AtomicBool::new(false),
            links,
            common_links,
            files,
        }
    }

    /// A file of the bundle by its public path, without the leading slash.
    pub fn file(&self, path: &str) -> Option<File> {
        match &self.files {
            Files::Embedded(files) => {
                let found = files.binary_search_by(|file| file.path.cmp(path)).ok()?;
                let Embedded { plain, brotli, gzip, .. } = files.get(found)?;
                Some(File {
                    plain: Bytes::from_static(plain),
                    brotli: brotli.map(Bytes::from_static),
                    gzip: gzip.map(Bytes::from_static),
                })
            }
            Files::Folder(folder) => {
                let is_plain = path.split('/').all(|part| !part.is_empty() && part != ".." && !part.contains('\\'));
                let plain = is_plain.then(|| std::fs::read(folder.join(path)).ok()).flatten()?;
                Some(File { plain: plain.into(), brotli: None, gzip: None })
            }
        }
    }

    /// The files that pages name. In development they change while the shop runs: then there are none.
    pub fn public_files(&self) -> impl Iterator<Item = &'static Embedded> {
        let files = match self.files {
            Files::Embedded(files) => files,
            Files::Folder(_) => &[],
        };
        files.iter().filter(|file| file.path.starts_with("assets/"))
    }

    pub fn links(&self, page: &str) -> &Links {
        self.links.get(page).unwrap_or(&self.common_links)
    }
}

fn start(
    rendering: &Rendering,
    program: Program,
    source_map: Cow<'static, [u8]>,
    warm_up: Vec<String>,
) -> Result<Renderer, StartError> {
    Renderer::start(Options {
        program,
        source_map: (!source_map.is_empty()).then_some(source_map),
        isolates: rendering.isolates,
        queue: rendering.queue,
        deadline: rendering.deadline,
        warm_up,
        warm_up_rounds: rendering.warm_up_rounds,
        ..Options::default()
    })
}
