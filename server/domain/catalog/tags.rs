//! The tags ("surrogate keys") by which shared caches find the pages to drop. Browsers see them, too: they contain nothing secret.

use shop_platform::web::page::Topic;

use super::changes::Topics;

/// Of all pages.
const ALL: &str = "shop";
/// A change of more topics drops all pages, since caches limit the tags of one request.
const MOST: usize = 30;

fn of_topic(topic: Topic) -> String {
    match topic {
        Topic::Product(product) => format!("product-{product}"),
        Topic::Card(product) => format!("card-{product}"),
        Topic::Category(category) => format!("category-{category}"),
        Topic::Cards => "cards".to_owned(),
    }
}

/// Those of a page about these topics.
pub fn of_page(about: &[Topic]) -> Vec<String> {
    [ALL.to_owned()].into_iter().chain(about.iter().copied().map(of_topic)).collect()
}

/// Those of the pages that show something else.
pub fn of_change(changed: &Topics) -> Vec<String> {
    if changed.everything || changed.topics.len() > MOST {
        vec![ALL.to_owned()]
    } else {
        changed.topics.iter().copied().map(of_topic).collect()
    }
}

#[cfg(test)]
mod tests {
    use shop_platform::web::page::Topic;
    use uuid::Uuid;

    use super::{MOST, Topics, of_change, of_page};

    #[test]
    fn a_change_names_pages_as_they_name_themselves() {
        let id = Uuid::from_u128;
        let all = [Topic::Product(id(7)), Topic::Card(id(7)), Topic::Category(id(7)), Topic::Cards];
        let changed = Topics { everything: false, topics: all.into() };
        assert_eq!(of_change(&changed), of_page(&all)[1..]);
        assert_eq!(of_change(&Topics::everything()), of_page(&[]));
        let of = |products: usize| {
            let topics = (1..=products).map(|at| Topic::Card(id(at as u128))).collect();
            of_change(&Topics { everything: false, topics })
        };
        assert_eq!((of(0).len(), of(MOST).len()), (0, MOST));
        assert_eq!(of(MOST + 1), of_page(&[]));
    }
}
