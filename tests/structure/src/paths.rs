//! Every path in a file, from its syntax tree.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, File, ItemImpl, ItemMod, ItemUse, Macro, Type, UseTree, Visibility};

/// A path and the line on which it occurs.
#[derive(Clone, Debug)]
pub struct Used {
    pub path: Vec<String>,
    pub line: usize,
    /// Whether it is the name of a called macro.
    pub is_macro: bool,
}

#[derive(Default)]
pub struct Paths {
    pub used: Vec<Used>,
    /// Names that a `use` brings into scope: name and path.
    pub brings: BTreeMap<String, Vec<String>>,
    /// Those of them that are re-exported.
    pub offers: BTreeMap<String, Vec<String>>,
    pub offers_all: Vec<Vec<String>>,
    /// Types that implement a kind of job.
    pub jobs: Vec<String>,
    /// Public modules in separate files that it declares.
    pub modules: Vec<String>,
}

impl Paths {
    pub fn of(file: &File) -> Self {
        let mut paths = Self::default();
        paths.visit_file(file);
        paths
    }

    fn add(&mut self, path: Vec<String>, line: usize, is_macro: bool) {
        self.used.push(Used { path, line, is_macro });
    }

    /// Records the names that a `use` brings into scope.
    fn bring(&mut self, tree: &UseTree, before: &[String], line: usize, is_offered: bool) {
        let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.bring(&path.tree, &with(path.ident.to_string()), line, is_offered),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.bring(item, before, line, is_offered)),
            UseTree::Name(name) if name.ident == "self" => {
                let name = before.last().cloned().unwrap_or_default();
                self.name(name, before.to_vec(), line, is_offered);
            }
            UseTree::Name(name) => self.name(name.ident.to_string(), with(name.ident.to_string()), line, is_offered),
            UseTree::Rename(rename) => {
                let path = if rename.ident == "self" { before.to_vec() } else { with(rename.ident.to_string()) };
                self.name(rename.rename.to_string(), path, line, is_offered);
            }
            UseTree::Glob(_) => {
                if is_offered {
                    self.offers_all.push(before.to_vec());
                }
                self.add(with("*".to_owned()), line, false);
            }
        }
    }

    fn name(&mut self, name: String, path: Vec<String>, line: usize, is_offered: bool) {
        if is_offered {
            self.offers.insert(name.clone(), path.clone());
        }
        self.brings.insert(name, path.clone());
        self.add(path, line, false);
    }

    /// Paths in the arguments of a macro, whose syntax only the macro knows.
    fn read(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut line, mut colons) = (0, 0);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end(&mut path, line);
                    }
                    line = ident.span().start().line;
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.end(&mut path, line);
                    self.read(group.stream());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {
                    self.end(&mut path, line);
                    colons = 0;
                }
            }
        }
        self.end(&mut path, line);
    }

    fn end(&mut self, path: &mut Vec<String>, line: usize) {
        if path.len() > 1 {
            self.add(std::mem::take(path), line, false);
        }
        path.clear();
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    })
}

impl<'a> Visit<'a> for Paths {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_test(&item.attrs) {
            if item.content.is_none() && !matches!(item.vis, Visibility::Inherited) {
                self.modules.push(item.ident.to_string());
            }
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        let is_job = item.trait_.as_ref().is_some_and(|(_, path, _)| path.is_ident("Job"));
        if let (true, Type::Path(job)) = (is_job, item.self_ty.as_ref()) {
            self.jobs.extend(job.path.get_ident().map(ToString::to_string));
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let is_offered = !matches!(item.vis, Visibility::Inherited);
        let line = item.use_token.span.start().line;
        self.bring(&item.tree, &[], line, is_offered);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.len() > 1 {
            let line = path.segments[0].ident.span().start().line;
            self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect(), line, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a Macro) {
        let path = item.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let line = item.path.segments[0].ident.span().start().line;
        self.add(path, line, true);
        self.read(item.tokens.clone());
    }
}
