//! Circular dependencies between files.

use std::collections::BTreeMap;

use crate::tree::Edge;

/// All cycles of more than one file, the largest first, by Tarjan's algorithm.
pub fn find(edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut to: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in edges {
        to.entry(edge.from).or_default().push(edge.to);
    }
    let mut search = Search { to: &to, seen: BTreeMap::new(), open: Vec::new(), circles: Vec::new() };
    for from in to.keys() {
        if !search.seen.contains_key(from) {
            search.visit(*from);
        }
    }
    let mut circles = search.circles;
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

struct Search<'a> {
    to: &'a BTreeMap<usize, Vec<usize>>,
    /// The order in which each file was visited.
    seen: BTreeMap<usize, usize>,
    open: Vec<usize>,
    circles: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Returns the earliest visited file that is reachable from here and leads back here.
    fn visit(&mut self, at: usize) -> usize {
        let order = self.seen.len();
        self.seen.insert(at, order);
        self.open.push(at);
        let mut first = order;
        for next in self.to.get(&at).into_iter().flatten() {
            match self.seen.get(next) {
                None => first = first.min(self.visit(*next)),
                Some(order) if self.open.contains(next) => first = first.min(*order),
                Some(_) => {}
            }
        }
        if first == order {
            let from = self.open.iter().position(|open| *open == at).unwrap_or_default();
            let circle = self.open.split_off(from);
            if circle.len() > 1 {
                self.circles.push(circle);
            }
        }
        first
    }
}
