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
    use super::{OHIO, in_ohio, short};

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
}
