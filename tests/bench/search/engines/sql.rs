//! The search statement for both databases: first the hits, then the page and all facets from them.

use crate::catalog::model::Availability;
use crate::search::{SearchDocument, SearchQuery, SearchResult, Sort};
use crate::slug::slug;

/// Tables that both databases have; the text is in structures of their own.
pub const TABLES: &str = "
    create table product (product integer primary key, id text not null, price bigint not null, on_sale integer not null,
        availability integer not null, released_at bigint not null, popularity bigint not null, title text not null);
    create table category (product integer not null, value text not null, primary key (product, value));
    create table material (product integer not null, value text not null, primary key (product, value));
    create table color (product integer not null, value text not null, primary key (product, value));
    create index category_value on category (value, product);
    create index material_value on material (value, product);
    create index color_value on color (value, product);";

/// One row of the result.
pub struct Row {
    pub kind: String,
    pub value: String,
    pub count: i64,
}

/// Statements that insert one product, without its text.
pub fn inserts(number: usize, product: &SearchDocument) -> String {
    let SearchDocument { id, price, released_at, popularity, .. } = product;
    let (on_sale, availability) = (i32::from(product.on_sale), product.availability as i32);
    let title = quoted(&product.title);
    let mut sql = format!(
        "insert into product values ({number}, '{id}', {price}, {on_sale}, {availability}, {released_at}, {popularity}, {title});"
    );
    let facets = [("category", &product.categories), ("material", &product.materials), ("color", &product.colors)];
    for (table, values) in facets {
        for value in values {
            sql.push_str(&format!("insert into {table} values ({number}, {});", quoted(&slug(value))));
        }
    }
    sql
}

/// `matching` selects `product` and `score` of the matches; `None` selects all products.
pub fn statement(query: &SearchQuery, matching: Option<&str>) -> String {
    let source = matching.map_or("select product, 0.0 as score from product".to_owned(), str::to_owned);
    let within = query.within.as_ref().map_or(String::new(), |slug| {
        format!("where exists (select 1 from category c where c.product = p.product and c.value = {})", quoted(slug))
    });
    let all = conditions(query, "");
    let order = match query.sort {
        Sort::Relevance if matching.is_some() => {
            "score * (1.0 + 0.0001 * popularity) * case availability when 2 then 0.5 else 1.0 end desc"
        }
        Sort::Relevance | Sort::Featured => "availability = 2, popularity desc",
        Sort::Newest => "released_at desc",
        Sort::PriceAsc => "price",
        Sort::PriceDesc => "price desc",
        Sort::Name => "title",
    };
    let facet = |table: &str| {
        format!(
            "union all select '{table}', f.value, count(*) from hit h join {table} f on f.product = h.product where {} group by f.value ",
            conditions(query, table)
        )
    };
    format!(
        "with hit as materialized (select p.*, m.score from ({source}) m join product p on p.product = m.product {within})
         select * from (select 'id', h.id, row_number() over (order by {order}, h.id) from hit h where {all}
             order by 3 limit {limit} offset {offset}) page
         union all select 'total', '', count(*) from hit h where {all}
         union all select 'min', '', min(price) from hit h where {price}
         union all select 'max', '', max(price) from hit h where {price}
         union all select 'on_sale', '', count(*) from hit h where on_sale = 1 and {on_sale}
         union all select 'availability', cast(availability as text), count(*) from hit h where {availability} group by availability
         {categories} {materials} {colors}",
        limit = query.limit,
        offset = query.offset,
        price = conditions(query, "price"),
        on_sale = conditions(query, "on_sale"),
        availability = conditions(query, "availability"),
        categories = facet("category"),
        materials = facet("material"),
        colors = facet("color"),
    )
}

pub fn result(rows: Vec<Row>) -> Result<SearchResult, uuid::Error> {
    let mut result = SearchResult::default();
    let (mut min, mut max) = (0, 0);
    for Row { kind, value, count } in rows {
        match kind.as_str() {
            "id" => result.ids.push(value.parse()?),
            "total" => result.total = count as usize,
            "min" => min = count,
            "max" => max = count,
            "on_sale" => result.facets.on_sale = count as u64,
            "category" => result.facets.categories.push((value.into(), count as u64)),
            "material" => result.facets.materials.push((value.into(), count as u64)),
            "color" => result.facets.colors.push((value.into(), count as u64)),
            _ => {
                let level = Availability::ALL[value.parse::<usize>().unwrap_or(0)];
                result.facets.availability.push((level, count as u64));
            }
        }
    }
    result.price_range = (max > 0).then_some((min, max));
    Ok(result)
}

/// All filters except that of one facet.
fn conditions(query: &SearchQuery, without: &str) -> String {
    let mut all = vec!["true".to_owned()];
    let facets = [("category", &query.categories), ("material", &query.materials), ("color", &query.colors)];
    for (table, values) in facets {
        if table != without && !values.is_empty() {
            let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
            let values = values.join(",");
            all.push(format!("exists (select 1 from {table} x where x.product = h.product and x.value in ({values}))"));
        }
    }
    if without != "availability" && !query.availability.is_empty() {
        let values: Vec<String> = query.availability.iter().map(|value| (*value as i32).to_string()).collect();
        all.push(format!("availability in ({})", values.join(",")));
    }
    if without != "on_sale" && query.on_sale {
        all.push("on_sale = 1".to_owned());
    }
    if without != "price" {
        all.extend(query.min_price.map(|min| format!("price >= {min}")));
        all.extend(query.max_price.map(|max| format!("price <= {max}")));
    }
    all.join(" and ")
}

pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
