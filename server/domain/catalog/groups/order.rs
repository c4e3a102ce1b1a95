//! The order of categories with the same parent, and of collections.

use uuid::Uuid;

/// Puts one at a place. Without a place it stays where it is, so that whoever saves it undoes no other change of the order; one that is
/// not there yet comes last. Returns the order and the place.
pub fn ordered(siblings: impl Iterator<Item = Uuid>, id: Uuid, place: Option<usize>) -> (Vec<Uuid>, usize) {
    let mut order: Vec<Uuid> = siblings.collect();
    let former = order.iter().position(|sibling| *sibling == id);
    order.retain(|sibling| *sibling != id);
    let place = place.or(former).unwrap_or(order.len()).min(order.len());
    order.insert(place, id);
    (order, place)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::ordered;

    #[test]
    fn one_moves_only_if_a_place_is_given() {
        let [a, b, c] = [1, 2, 3].map(Uuid::from_u128);
        let put = |siblings: &[Uuid], id: Uuid, place: Option<usize>| ordered(siblings.iter().copied(), id, place);
        assert_eq!(put(&[a, b, c], b, None), (vec![a, b, c], 1));
        assert_eq!(put(&[a, b, c], c, Some(0)), (vec![c, a, b], 0));
        assert_eq!(put(&[a, b, c], a, Some(9)), (vec![b, c, a], 2));
        assert_eq!(put(&[a, b], c, None), (vec![a, b, c], 2), "it is new");
        assert_eq!(put(&[], a, None), (vec![a], 0));
    }
}
