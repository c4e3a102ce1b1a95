//! The SMTP command sequence of a mail client (RFC 5321), independent of the connection.

/// The largest message, in bytes.
pub const SIZE_LIMIT: usize = 2 * 1024 * 1024;
const MOST_RECIPIENTS: usize = 100;

/// Sender and recipients of the current message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Empty for delivery notifications.
    pub from: String,
    pub to: Vec<String>,
}

/// What to do after a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Reply(&'static str),
    /// Reply with 354 and read the message.
    Data(Envelope),
    Quit,
}

/// The state of one SMTP session.
#[derive(Debug, Default)]
pub struct Session {
    greeted: bool,
    from: Option<String>,
    to: Vec<String>,
}

impl Session {
    /// Handles a line, given without its line ending.
    pub fn command(&mut self, line: &str) -> Step {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb.to_ascii_uppercase().as_str() {
            "EHLO" if !rest.is_empty() => {
                self.reset();
                self.greeted = true;
                Step::Reply("250-localhost\r\n250-SIZE 2097152\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 PIPELINING")
            }
            "HELO" if !rest.is_empty() => {
                self.reset();
                self.greeted = true;
                Step::Reply("250 localhost")
            }
            "MAIL" => self.mail(rest),
            "RCPT" => self.recipient(rest),
            "DATA" => self.data(),
            "RSET" => {
                self.reset();
                Step::Reply("250 2.0.0 forgotten")
            }
            "NOOP" => Step::Reply("250 2.0.0 fine"),
            "VRFY" => Step::Reply("252 2.1.5 send it and see"),
            "QUIT" => Step::Quit,
            "EHLO" | "HELO" => Step::Reply("501 5.5.4 say who you are"),
            _ => Step::Reply("500 5.5.2 this is no command of a mailbox"),
        }
    }

    fn mail(&mut self, rest: &str) -> Step {
        if !self.greeted || self.from.is_some() {
            return Step::Reply("503 5.5.1 not now");
        }
        let Some((from, parameters)) = path(rest, "FROM:") else { return Step::Reply("501 5.1.7 this is no sender") };
        let size = parameters.split(' ').find_map(|each| each.to_ascii_uppercase().strip_prefix("SIZE=")?.parse().ok());
        if size.is_some_and(|size: usize| size > SIZE_LIMIT) {
            return Step::Reply(TOO_LARGE);
        }
        self.from = Some(from.to_owned());
        Step::Reply("250 2.1.0 go on")
    }

    fn recipient(&mut self, rest: &str) -> Step {
        if self.from.is_none() {
            return Step::Reply("503 5.5.1 name the sender first");
        }
        let Some((to, _)) = path(rest, "TO:").filter(|(to, _)| to.contains('@')) else {
            return Step::Reply("501 5.1.3 this is no recipient");
        };
        match to.split('@').next() {
            Some("refused") => return Step::Reply("550 5.1.1 nobody of that name lives here"),
            Some("busy") => return Step::Reply("451 4.3.0 come back later"),
            _ if self.to.len() >= MOST_RECIPIENTS => return Step::Reply("452 4.5.3 too many recipients"),
            _ => {}
        }
        self.to.push(to.to_owned());
        Step::Reply("250 2.1.5 go on")
    }

    fn data(&mut self) -> Step {
        match self.from.take() {
            Some(from) if !self.to.is_empty() => Step::Data(Envelope { from, to: std::mem::take(&mut self.to) }),
            from => {
                self.from = from;
                Step::Reply("503 5.5.1 name sender and recipients first")
            }
        }
    }

    fn reset(&mut self) {
        self.from = None;
        self.to.clear();
    }
}

pub const TOO_LARGE: &str = "552 5.3.4 the message is too large";

/// `<address>` after a keyword, and the parameters after it.
fn path<'a>(rest: &'a str, keyword: &str) -> Option<(&'a str, &'a str)> {
    let head = rest.get(..keyword.len())?;
    let address = head.eq_ignore_ascii_case(keyword).then(|| rest[keyword.len()..].trim_start())?;
    let (address, parameters) = address.strip_prefix('<')?.split_once('>')?;
    let is_plain = address.len() <= 320 && !address.chars().any(|c| c.is_control() || c == ' ' || c == '<');
    is_plain.then_some((address, parameters))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Envelope, Session, Step};

    fn replies(lines: &[&str]) -> Vec<String> {
        let mut session = Session::default();
        lines
            .iter()
            .map(|line| match session.command(line) {
                Step::Reply(reply) => reply[..3].to_owned(),
                Step::Data(envelope) => format!("data for {}", envelope.to.join(" ")),
                Step::Quit => "quit".to_owned(),
            })
            .collect()
    }

    #[test]
    fn a_conversation_in_order_reaches_the_message() {
        let lines = ["EHLO shop.example", "MAIL FROM:<a@b.example> SIZE=100", "rcpt to: <c@d.example>", "DATA", "QUIT"];
        assert_eq!(replies(&lines), ["250", "250", "250", "data for c@d.example", "quit"]);
        let mut session = Session::default();
        session.command("HELO x");
        session.command("MAIL FROM:<>");
        session.command("RCPT TO:<c@d.example>");
        assert_eq!(
            session.command("DATA"),
            Step::Data(Envelope { from: String::new(), to: vec!["c@d.example".into()] })
        );
    }

    #[test]
    fn what_is_out_of_order_or_malformed_is_refused() {
        assert_eq!(replies(&["MAIL FROM:<a@b>", "EHLO", "HELO x", "DATA"]), ["503", "501", "250", "503"]);
        let lines = ["HELO x", "RCPT TO:<a@b>", "MAIL FROM:a@b", "MAIL FROM:<a@b", "MAIL FROM:<a@b> SIZE=99999999", ""];
        assert_eq!(replies(&lines), ["250", "503", "501", "501", "552", "500"]);
        let lines = [
            "HELO x",
            "MAIL FROM:<a@b>",
            "RCPT TO:<nobody>",
            "RCPT TO:<refused@b>",
            "RCPT TO:<busy@b>",
            "DATA",
            "RSET",
        ];
        assert_eq!(replies(&lines), ["250", "250", "501", "550", "451", "503", "250"]);
    }

    proptest! {
        #[test]
        fn no_line_breaks_it(lines in prop::collection::vec("(MAIL FROM:|RCPT TO:|DATA|EHLO )?\\PC{0,40}", 0..20)) {
            let mut session = Session::default();
            for line in lines {
                session.command(&line);
            }
        }
    }
}
