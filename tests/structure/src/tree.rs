//! The server's files as modules, and their dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use syn::Item;

use crate::floors;
use crate::paths::{Paths, Used};

/// A file with its paths and declarations.
pub struct SourceFile {
    /// Relative to the root of the project.
    pub path: String,
    /// The path of its module, without `crate`.
    pub module: Vec<String>,
    pub used: Vec<Used>,
    /// Names that it re-exports: name and path.
    pub offers: BTreeMap<String, Vec<String>>,
    /// Paths from which it re-exports everything.
    pub offers_all: Vec<Vec<String>>,
    /// Kinds of jobs that it defines.
    pub jobs: Vec<String>,
    /// Names of the public modules in separate files that it declares.
    pub modules: Vec<String>,
    /// Its module documentation.
    pub docs: String,
    /// Whether it holds anything but modules and `use`s.
    pub defines: bool,
    /// Whether it defines a page's props.
    pub has_page: bool,
    /// Whether it handles an API call.
    pub has_call: bool,
    /// Whether it defines a list of the admin area.
    pub has_list: bool,
    /// Whether it defines the props of the page that shows one.
    pub has_list_page: bool,
}

/// A dependency of one file on another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub line: usize,
}

impl SourceFile {
    /// A file of the folder `root`, from its text.
    pub fn parse(root: &str, path: String, text: &str) -> Result<Self, Box<dyn Error>> {
        let syntax = syn::parse_file(text).map_err(|error| format!("{path}: {error}"))?;
        let Paths { mut used, brings, offers, offers_all, jobs, modules } = Paths::of(&syntax);
        for used in &mut used {
            // Resolves a name that a `use` brings into scope; a path of one segment is that `use` itself.
            if let (true, Some(path)) = (used.path.len() > 1, brings.get(&used.path[0])) {
                used.path.splice(..1, path.iter().cloned());
            }
        }
        let has_line = |start: &str| text.lines().any(|line| line.starts_with(start));
        Ok(Self {
            module: module(root, &path),
            has_page: has_line("impl PageProps for "),
            has_call: has_line("#[utoipa::path("),
            has_list: has_line("pub static SPEC: ListSpec"),
            has_list_page: has_line("    pub list: ListView,"),
            docs: text.lines().filter(|line| line.starts_with("//!")).collect(),
            defines: syntax.items.iter().any(|item| !matches!(item, Item::Mod(_) | Item::Use(_))),
            path,
            used,
            offers,
            offers_all,
            jobs,
            modules,
        })
    }
}

pub struct Tree {
    pub files: Vec<SourceFile>,
    modules: BTreeMap<Vec<String>, usize>,
}

impl Tree {
    pub fn read(root: &str) -> Result<Self, Box<dyn Error>> {
        let mut found = Vec::new();
        list(Path::new(root), &mut found)?;
        found.sort();
        let mut files = Vec::new();
        for path in found {
            let text = fs::read_to_string(&path)?;
            let path = path.to_string_lossy().into_owned();
            files.push(SourceFile::parse(root, path, &text)?);
        }
        Ok(Self::of(files))
    }

    pub fn of(files: Vec<SourceFile>) -> Self {
        // The program's main file is not a module of the library.
        let is_module = |file: &SourceFile| !file.path.ends_with("/main.rs");
        let modules = files.iter().enumerate().filter(|(_, file)| is_module(file));
        let modules = modules.map(|(at, file)| (file.module.clone(), at)).collect();
        Self { files, modules }
    }

    /// The folder that contains a file.
    pub fn folder(&self, at: usize) -> &str {
        self.files[at].path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// All dependencies between files, each pair once.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = BTreeSet::new();
        for (from, file) in self.files.iter().enumerate() {
            for used in &file.used {
                for to in self.resolve(&file.module, &used.path, 0) {
                    // A crate's root file only lists its modules, see `rules::full_root`.
                    if to != from && crate_of(&self.files[to].module) != self.files[to].module {
                        edges.insert(Edge { from, to, line: used.line });
                    }
                }
            }
        }
        let mut edges: Vec<Edge> = edges.into_iter().collect();
        edges.dedup_by_key(|edge| (edge.from, edge.to));
        edges
    }

    /// The files that define the target of a path, resolved from a module.
    pub fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Vec<usize> {
        let Some(path) = self.absolute(module, path) else { return Vec::new() };
        let length = (0..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length]));
        let Some(at) = length.and_then(|length| self.modules.get(&path[..length])) else { return Vec::new() };
        let file = &self.files[*at];
        let Some(name) = path.get(length.unwrap_or_default()).filter(|_| depth < 8) else { return vec![*at] };
        if let Some(offered) = file.offers.get(name) {
            let found = self.resolve(&file.module, offered, depth + 1);
            if !found.is_empty() {
                return found;
            }
        }
        if name == "*" {
            let mut found: Vec<usize> = file
                .offers
                .values()
                .chain(&file.offers_all)
                .flat_map(|offered| self.resolve(&file.module, offered, depth + 1))
                .collect();
            found.push(*at);
            return found;
        }
        vec![*at]
    }

    /// The absolute path, if it leads into the library.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let rest = |count: usize| path.iter().skip(count).cloned();
        match path.first()?.as_str() {
            "crate" => Some(crate_of(module).iter().cloned().chain(rest(1)).collect()),
            "shop" => Some(rest(1).collect()),
            // Each lower floor is a crate.
            name if floors::CRATES.contains(&name.trim_start_matches("shop_")) && name.starts_with("shop_") => {
                let folder = name.trim_start_matches("shop_").to_owned();
                Some([folder].into_iter().chain(rest(1)).collect())
            }
            "self" => Some(module.iter().cloned().chain(rest(1)).collect()),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                let base = &module[..module.len().checked_sub(up)?];
                Some(base.iter().cloned().chain(rest(up)).collect())
            }
            _ => {
                let inner: Vec<String> = module.iter().cloned().chain(rest(0)).collect();
                self.modules.contains_key(&inner[..=module.len()]).then_some(inner)
            }
        }
    }
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        // A separate program.
        if path.ends_with("media/codec") {
            continue;
        }
        if path.is_dir() {
            list(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The root module of the crate that contains a module: empty for the shop's own crate.
fn crate_of(module: &[String]) -> &[String] {
    let is_floor = module.first().is_some_and(|first| floors::CRATES.contains(&first.as_str()));
    if is_floor { &module[..1] } else { &[] }
}

fn module(root: &str, path: &str) -> Vec<String> {
    let path = path.trim_start_matches(root).trim_start_matches('/').trim_end_matches(".rs");
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib") {
        parts.pop();
    }
    parts
}
