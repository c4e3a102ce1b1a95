//! The names of counties, and those of Ohio, where the store is: the tax on its sales depends on them.

/// The name of a county as tax rates have it, however it is written: `Franklin` for ` franklin county`.
pub fn in_ohio(text: &str) -> Option<&'static str> {
    let written = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let name = written.strip_suffix(" county").unwrap_or(&written);
    OHIO.into_iter().find(|county| county.to_lowercase() == name)
}

/// The name without a trailing `County`, which texts add: `Kings` for `Kings County`.
pub fn short(name: &str) -> &str {
    const SUFFIX: &str = " county";
    match name.len().checked_sub(SUFFIX.len()).and_then(|at| name.split_at_checked(at)) {
        Some((short, suffix)) if suffix.eq_ignore_ascii_case(SUFFIX) => short,
        _ => name,
    }
}

/// What two names of one county have in common: `orleans` for `Orleans` and `Orleans Parish`.
pub fn key(name: &str) -> String {
    name.to_lowercase().replace(" county", "").replace(" parish", "").replace(" borough", "")
}

/// The name with what it is, for texts: `Kings County` for `Kings`, `Orleans Parish` for `Orleans` in Louisiana. Names that say so themselves,
/// such as `Nome Census Area` or `Alexandria city`, stay as they are.
pub fn shown(state: &str, name: &str) -> String {
    let short = short(name);
    let lower = short.to_lowercase();
    let says_kind = KINDS.iter().any(|kind| lower.ends_with(kind)) && !CALLED_CITY.contains(&lower.as_str());
    match state {
        _ if says_kind || lower.starts_with("city of ") => short.to_owned(),
        "LA" => format!("{short} Parish"),
        // Boroughs, census areas and municipalities; and the District of Columbia, which has no parts.
        "AK" | "DC" => short.to_owned(),
        _ => format!("{short} County"),
    }
}

/// What is like a county is called this in some states. An independent city belongs to no county.
const KINDS: [&str; 6] = [" parish", " borough", " census area", " municipality", " planning region", " city"];
/// Counties of Virginia.
const CALLED_CITY: [&str; 2] = ["charles city", "james city"];

const OHIO: [&str; 88] = [
    "Adams",
    "Allen",
    "Ashland",
    "Ashtabula",
    "Athens",
    "Auglaize",
    "Belmont",
    "Brown",
    "Butler",
    "Carroll",
    "Champaign",
    "Clark",
    "Clermont",
    "Clinton",
    "Columbiana",
    "Coshocton",
    "Crawford",
    "Cuyahoga",
    "Darke",
    "Defiance",
    "Delaware",
    "Erie",
    "Fairfield",
    "Fayette",
    "Franklin",
    "Fulton",
    "Gallia",
    "Geauga",
    "Greene",
    "Guernsey",
    "Hamilton",
    "Hancock",
    "Hardin",
    "Harrison",
    "Henry",
    "Highland",
    "Hocking",
    "Holmes",
    "Huron",
    "Jackson",
    "Jefferson",
    "Knox",
    "Lake",
    "Lawrence",
    "Licking",
    "Logan",
    "Lorain",
    "Lucas",
    "Madison",
    "Mahoning",
    "Marion",
    "Medina",
    "Meigs",
    "Mercer",
    "Miami",
    "Monroe",
    "Montgomery",
    "Morgan",
    "Morrow",
    "Muskingum",
    "Noble",
    "Ottawa",
    "Paulding",
    "Perry",
    "Pickaway",
    "Pike",
    "Portage",
    "Preble",
    "Putnam",
    "Richland",
    "Ross",
    "Sandusky",
    "Scioto",
    "Seneca",
    "Shelby",
    "Stark",
    "Summit",
    "Trumbull",
    "Tuscarawas",
    "Union",
    "Van Wert",
    "Vinton",
    "Warren",
    "Washington",
    "Wayne",
    "Williams",
    "Wood",
    "Wyandot",
];

#[cfg(test)]
mod tests {
    use super::{OHIO, in_ohio, key, short, shown};

    #[test]
    fn a_county_may_be_written_in_many_ways() {
        for written in ["Franklin", "franklin", " FRANKLIN ", "Franklin County", "franklin  county "] {
            assert_eq!(in_ohio(written), Some("Franklin"), "{written:?}");
        }
        assert_eq!(in_ohio("van wert"), Some("Van Wert"));
        for county in OHIO {
            assert_eq!(in_ohio(county), Some(county));
        }
        for wrong in ["", "County", "Franklyn", "Franklin, OH", "Kings"] {
            assert_eq!(in_ohio(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_county_is_not_called_so_twice() {
        assert_eq!(["Kings", "Kings County", "KINGS COUNTY"].map(short), ["Kings", "Kings", "KINGS"]);
        assert_eq!(["", "County", "Doña Ana"].map(short), ["", "County", "Doña Ana"]);
    }

    #[test]
    fn a_county_is_one_with_or_without_its_kind() {
        assert_eq!(key("Orleans Parish"), key("orleans"));
        assert_eq!(key("Juneau Borough"), key("Juneau"));
        assert_eq!(key("KINGS COUNTY"), key("Kings"));
        assert_eq!(key("DOÑA ANA COUNTY"), key("Doña Ana"));
        assert_ne!(key("Baltimore city"), key("Baltimore County"));
    }

    #[test]
    fn only_what_is_a_county_is_called_so() {
        for (state, name, text) in [
            ("NY", "Kings", "Kings County"),
            ("OH", "franklin county", "franklin County"),
            ("LA", "Orleans", "Orleans Parish"),
            ("LA", "Orleans Parish", "Orleans Parish"),
            ("AK", "Nome Census Area", "Nome Census Area"),
            ("AK", "Kenai Peninsula Borough", "Kenai Peninsula Borough"),
            ("AK", "Municipality of Anchorage", "Municipality of Anchorage"),
            ("CT", "Capitol Planning Region", "Capitol Planning Region"),
            ("DC", "District of Columbia", "District of Columbia"),
            ("MD", "Baltimore city", "Baltimore city"),
            ("MD", "Baltimore", "Baltimore County"),
            ("VA", "City of Alexandria", "City of Alexandria"),
            ("VA", "James City County", "James City County"),
            ("VA", "James City", "James City County"),
        ] {
            assert_eq!(shown(state, name), text);
        }
    }
}
