//! Whether the nodes of a shop have one folder of pictures. A small file in the folder has its id, with which each node labels its
//! connections to the database, so that the others see it. Nothing is stored there that could be wrong after a restore or a move.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use shop_base::config::Data;
use shop_base::db::{Conn, DbError};

/// Without the ending of a picture, so that no backup or export has it. A copy of the folder by other means does, and has to lose it.
const FILE: &str = "folder-id";
/// Hexadecimal digits of an id: 64 bits.
const DIGITS: usize = 16;

/// What the log and `shop doctor` say.
pub const SEPARATE: &str = "another node has its pictures in another folder, and neither can show what the other is given: set SHOP_PICTURES \
     and the SHOP_S3_… settings on all nodes, or mount one folder pictures in the SHOP_DATA of each";

/// The folder of pictures of a node that is not the only one; none with a bucket, and with SQLite, which has only one node.
pub fn of_node(data: &Data) -> Option<PathBuf> {
    let has_nodes = data.bucket.is_none() && !data.database.expose().starts_with("sqlite:");
    has_nodes.then(|| super::objects::folder_of(&data.folder))
}

/// The id of a folder, if it has one.
pub fn find_id(folder: &Path) -> Option<String> {
    let id = fs::read_to_string(folder.join(FILE)).ok()?;
    (id.len() == DIGITS && id.bytes().all(|b| b.is_ascii_hexdigit())).then_some(id)
}

/// The same; one without an id gets one, if it can be written to.
pub fn identify(folder: &Path) -> Option<String> {
    find_id(folder).or_else(|| {
        if let Err(error) = give_id(folder) {
            tracing::debug!(%error, folder = %folder.display(), "the folder of pictures gets no id");
        }
        find_id(folder)
    })
}

/// Fails if there is an id, such as one that another node has just given.
fn give_id(folder: &Path) -> io::Result<()> {
    let id = format!("{:016x}", rand::random::<u64>());
    fs::create_dir_all(folder)?;
    let own = folder.join(format!("{FILE}-{id}"));
    let mut file = File::create_new(&own)?;
    file.write_all(id.as_bytes())?;
    file.sync_all()?;
    // All see it whole, and the first one stays.
    let given = fs::hard_link(&own, folder.join(FILE));
    fs::remove_file(&own)?;
    given
}

/// Whether a node is connected that has its pictures in another folder than the one with this id. One without an id is another, too.
pub async fn is_separate(conn: &mut Conn<'_>, id: Option<&str>) -> Result<bool, DbError> {
    Ok(conn.labels().await?.iter().any(|label| Some(label.as_str()) != id))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Masters;
    use super::{FILE, find_id, identify};

    #[test]
    fn a_folder_has_one_id_and_no_picture_of_it() {
        let folder = std::env::temp_dir().join(format!("shop-folder-id-{}", std::process::id()));
        assert_eq!(find_id(&folder), None);
        let ids = std::thread::scope(|scope| {
            let nodes = [0; 8].map(|_| scope.spawn(|| identify(&folder)));
            nodes.map(|node| node.join().unwrap())
        });
        assert!(ids[0].is_some());
        assert!(ids.iter().all(|id| *id == ids[0]), "nodes that start at once: {ids:?}");
        assert_eq!(find_id(&folder), ids[0]);
        let files: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!(files, [FILE]);
        assert!(!Masters::is_name(FILE));
        // One that cannot be written to, also by root.
        assert_eq!(identify(&folder.join(FILE)), None);
        fs::remove_dir_all(&folder).unwrap();
    }
}
