//! Messages as files, named by ids in order of arrival.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use mail_parser::{Address, MessageParser};
use serde::Serialize;
use tokio::fs;
use uuid::Uuid;

use super::session::Envelope;

/// When there are more, the oldest are deleted.
const MOST_MESSAGES: usize = 500;

#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

/// A message as it can be displayed. Parts that cannot be parsed are empty.
#[derive(Clone, Debug, Serialize)]
pub struct Message {
    pub id: Uuid,
    /// UTC milliseconds.
    pub received_at: i64,
    /// From its headers.
    pub from: String,
    /// The recipients of the envelope.
    pub to: Vec<String>,
    pub subject: String,
    /// Without angle brackets.
    pub message_id: String,
    pub headers: Vec<(String, String)>,
    pub html: Option<String>,
    pub text: Option<String>,
}

impl Store {
    pub async fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder).await?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Stores a message with its envelope as headers, as mail servers do.
    #[expect(clippy::disallowed_methods, reason = "mail is kept by the time at which it came")]
    pub async fn save(&self, envelope: &Envelope, message: &[u8]) -> io::Result<Uuid> {
        let mut head = format!("Return-Path: <{}>\r\n", envelope.from);
        for to in &envelope.to {
            // Writing to a String cannot fail.
            let _ = write!(head, "Delivered-To: {to}\r\n");
        }
        let id = Uuid::now_v7();
        let partial = self.folder.join(format!("{id}.part"));
        fs::write(&partial, [head.as_bytes(), message].concat()).await?;
        // Readers see either the whole file or none.
        fs::rename(&partial, self.file(id)).await?;
        for old in self.ids().await?.into_iter().skip(MOST_MESSAGES) {
            match fs::remove_file(self.file(old)).await {
                // Another message that arrived at the same time has deleted it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                done => done?,
            }
        }
        Ok(id)
    }

    /// Newest first.
    pub async fn list(&self) -> io::Result<Vec<Message>> {
        let mut messages = Vec::new();
        for id in self.ids().await? {
            messages.extend(self.find(id).await?);
        }
        Ok(messages)
    }

    pub async fn find(&self, id: Uuid) -> io::Result<Option<Message>> {
        Ok(self.raw(id).await?.map(|bytes| read(id, &bytes)))
    }

    /// The message as received.
    pub async fn raw(&self, id: Uuid) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.file(id)).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn file(&self, id: Uuid) -> PathBuf {
        self.folder.join(format!("{id}.eml"))
    }

    /// Newest first.
    async fn ids(&self) -> io::Result<Vec<Uuid>> {
        let mut ids = Vec::new();
        let mut entries = fs::read_dir(&self.folder).await?;
        while let Some(entry) = entries.next_entry().await? {
            let name = entry.file_name();
            ids.extend(name.to_str().and_then(|name| name.strip_suffix(".eml")?.parse::<Uuid>().ok()));
        }
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }
}

fn read(id: Uuid, bytes: &[u8]) -> Message {
    let received_at = id.get_timestamp().map_or(0, |time| {
        let (seconds, nanos) = time.to_unix();
        i64::try_from(seconds).unwrap_or(0) * 1000 + i64::from(nanos / 1_000_000)
    });
    let parsed = MessageParser::default().parse(bytes).unwrap_or_default();
    let headers: Vec<(String, String)> = parsed
        .headers_raw()
        .map(|(name, value)| (name.to_owned(), value.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect();
    let delivered = headers.iter().filter(|(name, _)| name == "Delivered-To");
    Message {
        id,
        received_at,
        from: parsed.from().map(people).unwrap_or_default(),
        to: delivered.map(|(_, to)| to.clone()).collect(),
        subject: parsed.subject().unwrap_or_default().to_owned(),
        message_id: parsed.message_id().unwrap_or_default().to_owned(),
        // mail-parser derives one part from the other if it is missing; only what was sent is shown.
        html: parsed
            .html_bodies()
            .find(|part| part.is_text_html())
            .and_then(|part| part.text_contents())
            .map(str::to_owned),
        text: parsed
            .text_bodies()
            .find(|part| part.is_text() && !part.is_text_html())
            .and_then(|part| part.text_contents())
            .map(str::to_owned),
        headers,
    }
}

fn people(addresses: &Address<'_>) -> String {
    let each = addresses.iter().map(|each| {
        let address = each.address().unwrap_or_default();
        match each.name() {
            Some(name) => format!("{name} <{address}>"),
            None => address.to_owned(),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}
