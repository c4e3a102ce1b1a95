use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicU32;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use axum::routing::get;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use shop_base::config::Secret;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tower::ServiceExt;

use super::*;

const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800" width="800" height="800">
<rect width="800" height="800" fill="#f4ead8"/><circle cx="400" cy="400" r="240" fill="#7a4a2b"/></svg>"##;

/// A temporary folder for a test, deleted with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("shop-media-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// In bytes; files deleted while it counts are skipped.
    fn size(&self) -> u64 {
        fs::read_dir(&self.0).unwrap().filter_map(|entry| Some(entry.unwrap().metadata().ok()?.len())).sum()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn limits() -> Limits {
    Limits { workers: 2, patience: Duration::from_secs(300), ..Limits::default() }
}

fn media(folder: &Folder, limits: &Limits) -> Media {
    Media::new(Objects::new(Arc::new(InMemory::new()), false), &folder.0, limits).unwrap()
}

fn objects(store: &Arc<InMemory>) -> Objects {
    Objects::new(Arc::clone(store) as Arc<dyn ObjectStore>, false)
}

fn name(master: &Master, rest: &str) -> RenditionName {
    format!("{}-{rest}", master.key).parse().unwrap()
}

/// A photograph of one color, as an untrusted WebP file.
fn photograph(width: u32, height: u32) -> Bytes {
    let rgba = [120, 80, 40, 255].repeat((width * height) as usize);
    encode_webp(&picture_codec::Raster::new(width, height, rgba).unwrap()).unwrap().into()
}

fn webp_width(bytes: &[u8]) -> u32 {
    read_webp(bytes).unwrap().width()
}

#[test]
fn names_are_read_strictly() {
    const KEY: &str = "0123456789abcdef0123";
    for rest in ["-160.avif", "-1280.webp", "-og.jpg"] {
        let name = format!("{KEY}{rest}");
        assert_eq!(name.parse::<RenditionName>().unwrap().to_string(), name);
    }
    let wrong = [
        "-161.avif",
        "-160.jpg",
        "-160.png",
        "-og.webp",
        "-og.avif",
        "-1200.jpg",
        "-160.avif.webp",
        "-160",
        "160.avif",
        "-0160.avif",
        "-+160.avif",
        "--160.avif",
        "-160.AVIF",
        "-160.avif ",
        "",
        "-.avif",
        "-160.",
        "-٣٢٠.avif",
    ];
    for rest in wrong {
        assert!(format!("{KEY}{rest}").parse::<RenditionName>().is_err(), "{rest}");
    }
    for key in [
        "",
        "0123456789abcdef012",
        "0123456789abcdef01234",
        "0123456789ABCDEF0123",
        "../../etc/passwd/abc",
        "é123456789abcdef012",
    ] {
        assert!(format!("{key}-160.avif").parse::<RenditionName>().is_err(), "{key}");
    }
}

#[tokio::test]
async fn a_drawing_is_as_sharp_as_asked() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let master = media.put_drawing(DRAWING).await.unwrap();
    assert_eq!((master.key.len(), master.width, master.height), (20, 800, 800));
    assert_eq!(media.put_drawing(DRAWING).await.unwrap(), master);
    for width in WIDTHS {
        let rendition = media.rendition(&name(&master, &format!("{width}.webp"))).await.unwrap();
        assert_eq!(rendition.content_type, "image/webp");
        assert_eq!(webp_width(&rendition.bytes), width);
    }
    let avif = media.rendition(&name(&master, "160.avif")).await.unwrap();
    assert_eq!((avif.content_type, &avif.bytes[4..12]), ("image/avif", b"ftypavif".as_slice()));
    let jpeg = media.rendition(&name(&master, "og.jpg")).await.unwrap();
    assert_eq!(jpeg.content_type, "image/jpeg");
    assert_eq!(picture_codec::read_photo(&jpeg.bytes).unwrap().width(), OPEN_GRAPH_WIDTH);
}

#[tokio::test]
async fn a_photograph_is_never_enlarged() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let master = media.put(photograph(400, 300)).await.unwrap();
    assert_eq!((master.width, master.height), (400, 300));
    assert_eq!(media.put(photograph(400, 300)).await.unwrap(), master);
    for (asked, given) in [(320, 320), (480, 400), (1280, 400)] {
        let rendition = media.rendition(&name(&master, &format!("{asked}.webp"))).await.unwrap();
        assert_eq!(webp_width(&rendition.bytes), given);
    }
}

#[tokio::test]
async fn refuses_what_is_no_picture() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    for file in [b"GIF89a".as_slice(), DRAWING.as_bytes(), b"<!doctype html>", b""] {
        let refused = media.put(Bytes::from_static(file)).await;
        assert!(matches!(refused, Err(MediaError::Refused(CodecError::UnknownFormat))));
    }
    let refused = media.put_drawing("<svg").await;
    assert!(matches!(refused, Err(MediaError::Refused(CodecError::Drawing(_)))));
}

#[tokio::test]
async fn a_hundred_visitors_cost_one_rendition() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let master = media.put_drawing(DRAWING).await.unwrap();
    let wanted = name(&master, "320.avif");
    let visitors: Vec<_> = (0..100)
        .map(|_| {
            let (media, wanted) = (media.clone(), wanted.clone());
            tokio::spawn(async move { media.rendition(&wanted).await.unwrap() })
        })
        .collect();
    let mut seen = Vec::new();
    for visitor in visitors {
        seen.push(visitor.await.unwrap().etag);
    }
    seen.dedup();
    assert_eq!((seen.len(), media.made()), (1, 1));
}

#[tokio::test]
async fn a_visitor_who_leaves_does_not_stop_the_others() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let master = media.put_drawing(DRAWING).await.unwrap();
    let wanted = name(&master, "320.webp");
    let held = hold_all(&media).await;
    let first = tokio::spawn({
        let (media, wanted) = (media.clone(), wanted.clone());
        async move { media.rendition(&wanted).await.map(|rendition| rendition.etag) }
    });
    until(|| waiting(&media, &limits()) == 1).await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    drop(held);
    media.rendition(&wanted).await.unwrap();
    assert_eq!(media.made(), 1);
}

#[tokio::test]
async fn refuses_what_would_wait_too_long() {
    let folder = Folder::new();
    let limits = Limits { queue: 2, ..limits() };
    let media = media(&folder, &limits);
    let master = media.put_drawing(DRAWING).await.unwrap();
    let held = hold_all(&media).await;
    let waiters: Vec<_> = ["160.webp", "320.webp"]
        .map(|rest| {
            let (media, wanted) = (media.clone(), name(&master, rest));
            tokio::spawn(async move { media.rendition(&wanted).await.is_ok() })
        })
        .into();
    until(|| waiting(&media, &limits) == 2).await;
    let refused = media.rendition(&name(&master, "480.webp")).await;
    assert!(matches!(refused, Err(MediaError::Busy)));
    drop(held);
    for waiter in waiters {
        assert!(waiter.await.unwrap());
    }
    // Temporary: the failure is not cached.
    assert!(media.rendition(&name(&master, "480.webp")).await.is_ok());
}

#[tokio::test]
async fn files_that_wait_to_be_read_take_little_memory() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let places: Vec<_> = std::iter::from_fn(|| media.readers.place().ok()).collect();
    assert!(places.len() * upload::MAX_UPLOAD <= 100 * 1024 * 1024, "{} files", places.len());
    let mut arriving = Vec::new();
    while let Ok(place) = media.places.take().await {
        arriving.push(place);
    }
    assert_eq!(arriving.len(), places.len(), "no file arrives for which there is no place afterward");
    assert!(matches!(media.put(photograph(400, 300)).await, Err(MediaError::Busy)));
    drop(places);
    media.put(photograph(400, 300)).await.unwrap();
}

#[tokio::test]
async fn names_of_no_picture_take_no_place_in_the_queue() {
    let folder = Folder::new();
    let unknown: RenditionName = "0123456789abcdef0123-160.avif".parse().unwrap();
    for is_shared in [false, true] {
        let objects = Objects::new(Arc::new(InMemory::new()), is_shared);
        let media = Media::new(objects, &folder.0, &Limits { queue: 0, ..limits() }).unwrap();
        let _held = hold_all(&media).await;
        assert!(matches!(media.rendition(&unknown).await, Err(MediaError::NotFound)));
    }
}

#[tokio::test]
async fn a_bucket_that_is_asked_about_too_many_unknown_names_still_gives_known_pictures() {
    let (folder, store) = (Folder::new(), Arc::new(InMemory::new()));
    let bucket = || Objects::new(Arc::clone(&store) as Arc<dyn ObjectStore>, true);
    let new = Masters::new(bucket()).insert(Kind::Drawing, Bytes::from_static(DRAWING.as_bytes())).await.unwrap();
    let new: RenditionName = format!("{new}-160.webp").parse().unwrap();
    let media = Media::new(bucket(), &folder.0, &limits()).unwrap();
    let known = media.put(photograph(400, 300)).await.unwrap();
    let held = media.masters.ask_no_more().unwrap();
    assert!(matches!(media.rendition(&new).await, Err(MediaError::Busy)));
    media.rendition(&name(&known, "160.webp")).await.unwrap();
    drop(held);
    media.rendition(&new).await.unwrap();
    let held = media.masters.ask_no_more().unwrap();
    media.rendition(&format!("{}-320.webp", new.key()).parse().unwrap()).await.unwrap();
    drop(held);
}

/// A folder of pictures whose file server is away: they are pipes, and whoever opens one waits until somebody writes to it.
struct Silent {
    folder: PathBuf,
    keys: Vec<String>,
}

impl Silent {
    fn new(folder: PathBuf, count: usize) -> Self {
        let keys: Vec<String> = (0..count).map(|number| format!("{number:020x}")).collect();
        let silent = Self { folder, keys };
        assert!(Command::new("mkfifo").args(silent.pipes(&silent.folder)).status().unwrap().success());
        silent
    }

    fn pipes(&self, folder: &Path) -> Vec<PathBuf> {
        self.keys.iter().map(|key| folder.join(format!("{key}.webp"))).collect()
    }
}

impl Drop for Silent {
    /// Ends the waiting, also of a test that failed: the end of a runtime waits for its threads. Nobody finds the pipes any more.
    fn drop(&mut self) {
        let away = self.folder.with_extension("away");
        if fs::rename(&self.folder, &away).is_ok() {
            for pipe in self.pipes(&away) {
                drop(fs::File::options().read(true).write(true).open(pipe));
            }
        }
    }
}

#[tokio::test]
async fn a_folder_that_does_not_answer_leaves_threads_for_everything_else() {
    let folder = Folder::new();
    let data = Data { database: Secret::new("sqlite:none"), folder: folder.0.clone(), bucket: None };
    let before = Media::open(&data).unwrap();
    let kept = name(&before.put_drawing(DRAWING).await.unwrap(), "160.webp");
    before.rendition(&kept).await.unwrap();

    // More than a runtime has threads that may block.
    let silent = Silent::new(objects::folder_of(&data.folder), 600);
    let media = Media::open(&data).unwrap();
    let visited = Media { patience: Duration::from_secs(1), ..media.clone() };
    let visit = |key: &String| {
        let (media, wanted) = (visited.clone(), format!("{key}-160.avif").parse::<RenditionName>().unwrap());
        tokio::spawn(async move { media.rendition(&wanted).await })
    };
    let visitors: Vec<_> = silent.keys.iter().map(visit).collect();
    for visitor in visitors {
        assert!(matches!(visitor.await.unwrap(), Err(MediaError::Timeout)), "none is refused");
    }
    // They still wait for the folder.
    media.rendition(&kept).await.unwrap();
    timeout(Duration::from_secs(60), spawn_blocking(|| ())).await.unwrap().unwrap();
}

#[tokio::test]
async fn what_a_bucket_lacks_is_remembered_until_it_is_uploaded() {
    let (folder, elsewhere, store) = (Folder::new(), Folder::new(), Arc::new(InMemory::new()));
    let bucket = || Objects::new(Arc::clone(&store) as Arc<dyn ObjectStore>, true);
    let master = media(&elsewhere, &limits()).put_drawing(DRAWING).await.unwrap();
    let wanted = name(&master, "160.webp");
    let node = Media::new(bucket(), &folder.0, &limits()).unwrap();
    assert!(matches!(node.rendition(&wanted).await, Err(MediaError::NotFound)));
    // By another node.
    Masters::new(bucket()).insert(Kind::Drawing, Bytes::from_static(DRAWING.as_bytes())).await.unwrap();
    assert!(matches!(node.rendition(&wanted).await, Err(MediaError::NotFound)), "the store is not asked again");
    assert_eq!(node.put_drawing(DRAWING).await.unwrap(), master);
    node.rendition(&wanted).await.unwrap();
}

#[tokio::test]
async fn what_took_too_long_is_finished_all_the_same() {
    let folder = Folder::new();
    let limits = Limits { patience: Duration::from_millis(1), ..limits() };
    let media = media(&folder, &limits);
    let master = media.put_drawing(DRAWING).await.unwrap();
    let wanted = name(&master, "160.webp");
    let held = hold_all(&media).await;
    assert!(matches!(media.rendition(&wanted).await, Err(MediaError::Timeout)));
    drop(held);
    until(|| media.memory.contains_key(&wanted)).await;
    assert!(media.rendition(&wanted).await.is_ok());
    assert_eq!(media.made(), 1);
}

/// Keeps every worker busy until it is dropped.
async fn hold_all(media: &Media) -> Vec<workers::Worker> {
    vec![media.workers.hire().await.unwrap(), media.workers.hire().await.unwrap()]
}

/// How many requests wait while the workers are held.
fn waiting(media: &Media, limits: &Limits) -> usize {
    limits.queue - media.workers.free_places()
}

async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_disk_cache_survives_a_restart_and_repairs_itself() {
    let (folder, store) = (Folder::new(), Arc::new(InMemory::new()));
    let start = || Media::new(objects(&store), &folder.0, &limits()).unwrap();
    let media = start();
    let master = media.put_drawing(DRAWING).await.unwrap();
    let wanted = name(&master, "160.webp");
    let made = media.rendition(&wanted).await.unwrap();

    let again = start();
    let kept = again.rendition(&wanted).await.unwrap();
    assert_eq!((kept.bytes, kept.etag), (made.bytes.clone(), made.etag));
    assert_eq!(again.made(), 0);

    let path = folder.0.join(wanted.to_string());
    let whole = fs::read(&path).unwrap();
    let altered = [&whole[..whole.len() - 1], &[!whole[whole.len() - 1]]].concat();
    for damaged in [&whole[..whole.len() / 2], &altered, b"", b"short"] {
        fs::write(&path, damaged).unwrap();
        let repaired = start();
        assert_eq!(repaired.rendition(&wanted).await.unwrap().bytes, made.bytes);
        assert_eq!(repaired.made(), 1);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[tokio::test]
async fn a_file_on_disk_is_of_no_other_name() {
    let folder = Folder::new();
    let cache = DiskCache::open(folder.0.clone(), 10_000, RECIPE).unwrap();
    cache.put("a".to_owned(), Bytes::from_static(b"first")).await;
    cache.put("b".to_owned(), Bytes::from_static(b"other")).await;
    fs::copy(folder.0.join("b"), folder.0.join("a")).unwrap();
    assert_eq!(cache.get("a".to_owned()).await, None);
    assert_eq!(cache.get("b".to_owned()).await, Some(Bytes::from_static(b"other")));
}

#[tokio::test]
async fn two_nodes_may_have_one_folder_of_renditions() {
    const EACH: usize = 2_000;
    let folder = Folder::new();
    let open = || DiskCache::open(folder.0.clone(), 100_000_000, RECIPE).unwrap();
    let renditions = |node: &'static str| {
        (0..EACH).map(move |number| {
            let name = format!("{node}-{number:04}");
            let payload = Bytes::from(name.repeat(100));
            (name, payload)
        })
    };
    let node = async |node: &'static str| {
        let cache = open();
        for (name, payload) in renditions(node) {
            cache.put(name, payload).await;
        }
    };
    tokio::join!(node("a"), node("b"));
    let cache = open();
    for (name, payload) in renditions("a").chain(renditions("b")) {
        assert!(cache.get(name.clone()).await == Some(payload), "{name}");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2 * EACH, "nothing unfinished is left");
}

#[tokio::test]
async fn the_disk_cache_stays_in_its_bounds() {
    const BOUND: u64 = 10_000;
    let folder = Folder::new();
    let cache = DiskCache::open(folder.0.clone(), BOUND, RECIPE).unwrap();
    for number in 0..50 {
        cache.put(number.to_string(), Bytes::from(vec![number; 1_000])).await;
        assert!(folder.size() <= BOUND, "{} bytes after {number}", folder.size());
    }
    assert_eq!(cache.get("49".to_owned()).await, Some(Bytes::from(vec![49; 1_000])));
    assert_eq!(cache.get("0".to_owned()).await, None);

    // A smaller bound takes effect with the next start, once the folder has been counted.
    let smaller = DiskCache::open(folder.0.clone(), 3_000, RECIPE).unwrap();
    smaller.put("last".to_owned(), Bytes::from(vec![7; 1_000])).await;
    until(|| folder.size() <= 3_000).await;
    assert_eq!(smaller.get("last".to_owned()).await, Some(Bytes::from(vec![7; 1_000])));
}

#[tokio::test]
async fn another_recipe_makes_renditions_anew() {
    let folder = Folder::new();
    DiskCache::open(folder.0.clone(), 10_000, "1").unwrap().put("a".to_owned(), Bytes::from_static(b"old")).await;
    assert_eq!(DiskCache::open(folder.0.clone(), 10_000, "2").unwrap().get("a".to_owned()).await, None);
}

#[tokio::test]
async fn opens_on_an_empty_folder() {
    let folder = Folder::new();
    let data = Data { database: Secret::new("sqlite:none"), folder: folder.0.join("not").join("there"), bucket: None };
    let media = Media::open(&data).unwrap();
    let master = media.put_drawing(DRAWING).await.unwrap();
    media.rendition(&name(&master, "160.webp")).await.unwrap();
    let again = Media::open(&data).unwrap();
    again.rendition(&name(&master, "160.webp")).await.unwrap();
    assert_eq!(again.made(), 0);
}

async fn ask(media: &Media, request: Request<Body>) -> Response<Body> {
    let router = Router::new().route("/images/{file}", get(api::image)).with_state(Arc::new(media.clone()));
    router.oneshot(request).await.unwrap()
}

fn request(method: &str, path: &str) -> Request<Body> {
    Request::builder().method(method).uri(path).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn answers_with_a_picture_to_keep_for_ever() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let master = media.put_drawing(DRAWING).await.unwrap();
    let path = format!("/images/{}-160.webp", master.key);
    let answer = ask(&media, request("GET", &path)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "image/webp");
    assert_eq!(answer.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    let etag = answer.headers()[header::ETAG].to_str().unwrap().to_owned();
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    assert_eq!(webp_width(&body), 160);

    let head = ask(&media, request("HEAD", &path)).await;
    assert_eq!(head.status(), StatusCode::OK);
    assert_eq!(head.headers()[header::CONTENT_LENGTH], body.len().to_string());
    assert!(to_bytes(head.into_body(), usize::MAX).await.unwrap().is_empty());

    for (given, status) in [
        (etag.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"other\", W/{etag}"), StatusCode::NOT_MODIFIED),
        ("*".to_owned(), StatusCode::NOT_MODIFIED),
        ("\"other\"".to_owned(), StatusCode::OK),
    ] {
        let mut again = request("GET", &path);
        again.headers_mut().insert(header::IF_NONE_MATCH, given.parse().unwrap());
        let answer = ask(&media, again).await;
        assert_eq!(answer.status(), status, "{given}");
        assert_eq!(answer.headers()[header::ETAG], etag);
    }
}

#[tokio::test]
async fn knows_no_other_names() {
    let folder = Folder::new();
    let media = media(&folder, &limits());
    let unknown = "/images/0123456789abcdef0123-160.avif";
    for path in
        [unknown, "/images/x", "/images/%FF", "/images/..%2F..%2Fetc%2Fpasswd", "/images/%00", "/images/a%2Fb.avif"]
    {
        let answer = ask(&media, request("GET", path)).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&problem["status"], &problem["code"]), (&404.into(), &"not_found".into()));
    }
    assert_eq!(media.made(), 0);
}

#[tokio::test]
async fn asks_to_come_back_when_busy() {
    let folder = Folder::new();
    let limits = Limits { queue: 0, ..limits() };
    let media = media(&folder, &limits);
    let master = media.put_drawing(DRAWING).await.unwrap();
    let held = hold_all(&media).await;
    let answer = ask(&media, request("GET", &format!("/images/{}-160.avif", master.key))).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.headers()[header::RETRY_AFTER], "2");
    drop(held);
}

#[tokio::test]
async fn a_broken_master_is_our_fault_and_not_told() {
    let (folder, store) = (Folder::new(), Arc::new(InMemory::new()));
    let masters = Masters::new(objects(&store));
    let key = masters.insert(Kind::Photo, Bytes::from_static(b"not a picture")).await.unwrap();
    let media = Media::new(objects(&store), &folder.0, &limits()).unwrap();
    let answer = ask(&media, request("GET", &format!("/images/{key}-160.avif"))).await;
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    assert!(!String::from_utf8_lossy(&body).contains(&key));
}
