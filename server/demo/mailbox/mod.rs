//! The demonstration's mailbox: a local mail server that stores incoming mail in the data folder and shows it on a page with its own
//! origin. The shop sends to it by real SMTP.
//!
//! Mail to an address with the local part `busy` is deferred with 451, and to `refused` rejected with 550, to show how the shop reacts.

mod page;
mod session;
mod smtp;
mod store;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use shop_base::config::smtp::{Security, SmtpSettings};

/// A running mailbox; it stops when dropped.
#[derive(Debug)]
pub struct Mailbox {
    smtp: SocketAddr,
    web: SocketAddr,
    tasks: [JoinHandle<()>; 2],
}

impl Mailbox {
    /// Shows its page at this port of `localhost`, and accepts mail on any free port.
    pub async fn start(data: &Path, web_port: u16) -> io::Result<Self> {
        let store = Arc::new(store::Store::open(&data.join("mailbox")).await?);
        let mail = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let pages = TcpListener::bind((Ipv4Addr::LOCALHOST, web_port)).await?;
        let (smtp, web) = (mail.local_addr()?, pages.local_addr()?);
        let router = page::router(Arc::clone(&store), smtp);
        let tasks = [
            tokio::spawn(smtp::serve(mail, store)),
            tokio::spawn(async move {
                if let Err(error) = axum::serve(pages, router).await {
                    tracing::error!(%error, "the mailbox has stopped");
                }
            }),
        ];
        Ok(Self { smtp, web, tasks })
    }

    /// The shop's settings for sending mail here.
    pub fn settings(&self, sender: &str) -> SmtpSettings {
        SmtpSettings {
            host: self.smtp.ip().to_string(),
            port: self.smtp.port(),
            security: Security::Local,
            credentials: None,
            sender: sender.to_owned(),
            sender_name: None,
        }
    }

    /// The address that accepts mail.
    pub fn smtp_address(&self) -> SocketAddr {
        self.smtp
    }

    /// The origin of the page, without a trailing slash.
    pub fn origin(&self) -> String {
        format!("http://localhost:{}", self.web.port())
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}
