//! The values of properties such as the color, with numbers, and how many products of a list have each.

use std::sync::Arc;

use imbl::{HashMap, Vector};
use smallvec::SmallVec;

/// The number of a value of a property: "Amber" may be a color and a material.
pub type Label = u32;

/// The labels of a product. Few products have more.
pub type LabelsOf = SmallVec<[Label; 6]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    Category,
    Material,
    Color,
}

/// Labels keep their numbers, also when no product has them any more.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    numbers: HashMap<(Property, Arc<str>), Label>,
    known: Vector<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    property: Property,
    name: Arc<str>,
    /// How many products have it.
    products: u32,
}

/// The selected values of a property; `None` if there is no selection.
pub struct Selection(Option<Vec<Label>>);

impl Labels {
    pub fn number(&mut self, property: Property, name: &str) -> Label {
        let name = Arc::from(name);
        if let Some(label) = self.numbers.get(&(property, Arc::clone(&name))) {
            return *label;
        }
        let label = self.known.len() as Label;
        self.numbers.insert((property, Arc::clone(&name)), label);
        self.known.push_back(Known { property, name, products: 0 });
        label
    }

    /// Counts a product that has these labels from now on, or no longer has them.
    pub fn count(&mut self, labels: &[Label], has_them: bool) {
        for label in labels {
            let products = &mut self.known[*label as usize].products;
            *products = products.saturating_add_signed(if has_them { 1 } else { -1 });
        }
    }

    pub fn find(&self, property: Property, name: &str) -> Option<Label> {
        self.numbers.get(&(property, Arc::from(name))).copied()
    }

    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// A value that no product has selects nothing, unlike an empty selection.
    pub fn select(&self, property: Property, names: &[String]) -> Selection {
        Selection((!names.is_empty()).then(|| names.iter().filter_map(|name| self.find(property, name)).collect()))
    }

    /// Most hits first. Values without hits are included only if they are selected and some product has them.
    pub fn counted(&self, property: Property, counts: &[u64], selected: &[String]) -> Vec<(Arc<str>, u64)> {
        let own = self.known.iter().zip(counts).filter(|(known, _)| known.property == property && known.products > 0);
        let is_selected = |known: &Known| selected.iter().any(|name| **name == *known.name);
        let shown = own.filter(|(known, count)| **count > 0 || is_selected(known));
        let mut counted: Vec<_> = shown.map(|(known, count)| (Arc::clone(&known.name), *count)).collect();
        counted.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counted
    }
}

impl Selection {
    pub fn passes(&self, labels: &[Label]) -> bool {
        self.0.as_ref().is_none_or(|chosen| labels.iter().any(|label| chosen.contains(label)))
    }
}
