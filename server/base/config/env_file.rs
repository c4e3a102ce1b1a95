//! Files of settings, in the format of `docker run --env-file`: a line is `NAME=value`, empty, or a comment that begins with `#`. The value
//! is everything after the first `=`: nothing is quoted, escaped or replaced.

use std::collections::HashMap;
use std::path::Path;

/// Reads a file; the error names it and the line.
pub fn read(file: &Path) -> Result<HashMap<String, String>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    parse(&text).map_err(|(line, problem)| format!("{}, line {line}: {problem}", file.display()))
}

fn parse(text: &str) -> Result<HashMap<String, String>, (usize, String)> {
    let mut settings = HashMap::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        // Without the line itself, which may be a secret.
        let fail = |problem: String| (index + 1, problem);
        let (name, value) = line.split_once('=').ok_or_else(|| fail("this is not NAME=value".to_owned()))?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(fail("a name must come before the =, without blanks".to_owned()));
        }
        if is_quoted(value) {
            return Err(fail(format!("write the value of {name} without quotes: they would be part of it")));
        }
        settings.insert(name.to_owned(), value.to_owned());
    }
    Ok(settings)
}

fn is_quoted(value: &str) -> bool {
    let value = value.trim();
    value.len() > 1 && ['"', '\''].iter().any(|&quote| value.starts_with(quote) && value.ends_with(quote))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_value_is_all_after_the_first_equals_sign() {
        let text = "# settings\n\nSHOP_COMPANY_NAME=Cardinal & Briar # of Ohio\r\n  SHOP_SECRET=a$HOME=${b} \nEMPTY=\n";
        let settings = parse(text).expect("it is right");
        assert_eq!(settings["SHOP_COMPANY_NAME"], "Cardinal & Briar # of Ohio");
        assert_eq!(settings["SHOP_SECRET"], "a$HOME=${b} ");
        assert_eq!(settings["EMPTY"], "");
        assert_eq!(settings.len(), 3);
    }

    #[test]
    fn problems_name_their_line_and_no_value() {
        for (text, line) in [
            ("A=1\nhunter2", 2),
            ("\n\nexport A=hunter2", 3),
            ("=hunter2", 1),
            ("A=\"hunter2\"", 1),
            ("A='hunter2'", 1),
        ] {
            let (at, problem) = parse(text).expect_err(text);
            assert_eq!(at, line, "{text}");
            assert!(!problem.contains("hunter2"), "{problem}");
        }
    }
}
