//! What can go wrong with a picture.

use std::path::PathBuf;
use std::sync::Arc;

use picture_codec::CodecError;

#[derive(Clone, Debug, thiserror::Error)]
pub enum MediaError {
    #[error("no such picture")]
    NotFound,
    /// The given file cannot be accepted.
    #[error(transparent)]
    Refused(CodecError),
    #[error("too many pictures are waiting to be made")]
    Busy,
    #[error("the picture took too long to make")]
    Timeout,
    #[error("the master of {key} cannot be rendered: {cause}")]
    Broken { key: String, cause: CodecError },
    #[error("a picture crashed the thread that worked on it")]
    Crashed,
    #[error("the store of pictures: {0}")]
    Store(#[from] Arc<object_store::Error>),
    #[error("the store of pictures gives back something else than it was given")]
    Damaged,
    #[error("the folder {folder}: {cause}")]
    Folder { folder: PathBuf, cause: Arc<std::io::Error> },
    #[error("no thread for pictures: {0}")]
    Threads(Arc<std::io::Error>),
}
