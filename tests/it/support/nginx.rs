//! nginx with the configuration in `deploy/nginx.conf`, over TLS, and with the cache of `docs/OPERATIONS.md`.

use std::fs;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::program::LIMIT;
use super::temporary_folder;

const CONFIGURATION: &str = include_str!("../../../deploy/nginx.conf");
const OPERATIONS: &str = include_str!("../../../docs/OPERATIONS.md");
/// Where the cache is.
const CACHE: &str = "/var/cache/shop";
/// The nodes in the configuration.
const PLACES: [&str; 3] = ["172.30.0.11:8787", "172.30.0.12:8787", "172.30.0.13:8787"];

/// A running nginx, killed when it is dropped.
pub struct Nginx {
    _child: Child,
    folder: PathBuf,
}

impl Nginx {
    /// In front of up to three nodes.
    pub async fn start(tls: u16, plain: u16, nodes: &[u16]) -> Self {
        Self::start_with(CONFIGURATION.to_owned(), tls, plain, nodes).await
    }

    /// The same with a cache. Where a request waits for another one, it does so for longer than a test.
    pub async fn start_with_cache(tls: u16, plain: u16, nodes: &[u16]) -> Self {
        const WITHOUT: &str = "    location / {\n        proxy_pass http://shop;\n    }\n";
        const LOCKS: &str = "proxy_cache_lock_timeout 120s;\nproxy_cache_lock_age 120s;\n";
        let (_, sample) = OPERATIONS.split_once("\n```nginx\n").unwrap();
        let (sample, _) = sample.split_once("```\n").unwrap();
        let (shared, location) = sample.split_at(sample.find("location / {").unwrap());
        assert!(CONFIGURATION.contains(WITHOUT) && shared.contains(CACHE));
        let site = CONFIGURATION.replace(WITHOUT, location);
        Self::start_with(format!("{LOCKS}{shared}{site}"), tls, plain, nodes).await
    }

    /// Behind a content delivery network with these addresses.
    pub async fn start_behind(network: &str, tls: u16, plain: u16, nodes: &[u16]) -> Self {
        const LINES: &str =
            "# set_real_ip_from 192.0.2.0/24;\n# real_ip_header X-Forwarded-For;\n# real_ip_recursive on;\n";
        assert!(CONFIGURATION.contains(LINES));
        let lines = LINES.replace("# ", "").replace("192.0.2.0/24", network);
        Self::start_with(CONFIGURATION.replace(LINES, &lines), tls, plain, nodes).await
    }

    async fn start_with(mut site: String, tls: u16, plain: u16, nodes: &[u16]) -> Self {
        let folder = temporary_folder();
        let (pem, key) = (folder.join("shop.pem"), folder.join("shop.key"));
        let made = Command::new("openssl")
            .args([
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=localhost",
            ])
            .args(["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"])
            .args(["-out".as_ref(), pem.as_os_str(), "-keyout".as_ref(), key.as_os_str()])
            .stderr(Stdio::null())
            .status();
        assert!(made.await.expect("openssl is installed").success());
        let nodes = nodes.iter().map(|port| Some(format!("127.0.0.1:{port}"))).chain(std::iter::repeat(None));
        for (place, node) in PLACES.into_iter().zip(nodes) {
            let line = format!("    server {place} max_fails=1 fail_timeout=1s;\n");
            assert!(site.contains(&line), "{line}");
            let put = node.map(|node| line.replace(place, &node)).unwrap_or_default();
            site = site.replace(&line, &put);
        }
        for (from, to) in [
            ("listen 80;", format!("listen 127.0.0.1:{plain};")),
            ("    listen [::]:80;\n", String::new()),
            ("listen 443 ssl", format!("listen 127.0.0.1:{tls} ssl")),
            ("    listen [::]:443 ssl http2;\n", String::new()),
            ("/etc/nginx/certificates/shop.pem", pem.display().to_string()),
            ("/etc/nginx/certificates/shop.key", key.display().to_string()),
            ("/var/log/nginx/access.log", folder.join("access.log").display().to_string()),
        ] {
            assert!(site.contains(from), "{from}");
            site = site.replace(from, &to);
        }
        site = site.replace(CACHE, &folder.join("cache").display().to_string());
        let kept_at = |name: &str| format!("{name}_temp_path {};\n", folder.join(name).display());
        let folders: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].into_iter().map(kept_at).collect();
        let main = format!(
            "daemon off;\nmaster_process off;\npid {0}/nginx.pid;\nerror_log {0}/error.log;\nevents {{}}\nhttp {{\naccess_log {0}/inherited.log;\n{folders}{site}}}\n",
            folder.display()
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, main).unwrap();
        let program = if Path::new("/usr/sbin/nginx").exists() { "/usr/sbin/nginx" } else { "nginx" };
        let nginx = || {
            let mut command = Command::new(program);
            command.args(["-e", "stderr", "-c"]).arg(&file).kill_on_drop(true);
            command
        };
        let checked = nginx().arg("-t").output().await.expect("nginx is installed");
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        let started = Self { _child: nginx().stderr(Stdio::null()).spawn().unwrap(), folder };
        let listens = async { while tokio::net::TcpStream::connect(("127.0.0.1", tls)).await.is_err() {} };
        timeout(LIMIT, listens).await.expect("nginx listens");
        started
    }

    pub fn errors(&self) -> String {
        fs::read_to_string(self.folder.join("error.log")).unwrap()
    }

    /// What the configuration logs of requests, and what it leaves to the log of the block that it is in, as those of distributions have one.
    pub fn requests(&self) -> [String; 2] {
        ["access.log", "inherited.log"].map(|name| fs::read_to_string(self.folder.join(name)).unwrap())
    }

    /// A visitor with an address of their own.
    pub fn client(&self, address: Ipv4Addr) -> Client {
        let certificate = Certificate::from_pem(&fs::read(self.folder.join("shop.pem")).unwrap()).unwrap();
        Client::builder()
            .add_root_certificate(certificate)
            .local_address(IpAddr::V4(address))
            .redirect(Policy::none())
            .build()
            .unwrap()
    }
}
