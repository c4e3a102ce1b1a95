//! A list as a CSV file.

use shop_base::csv::Rows;
use shop_base::db::DbError;
use shop_base::db::list::{Place, Window};
use shop_base::error::Error;

use super::spec::ROWS;

/// Writes all rows of a list, page by page: `fetch` returns the rows of a window.
pub async fn write_rows<R, F>(
    mut out: Rows,
    mut fetch: impl FnMut(Window) -> F,
    place: impl Fn(&R) -> Place,
    cells: impl Fn(&R) -> Result<Vec<String>, DbError>,
) -> Result<Rows, Error>
where
    F: Future<Output = Result<Vec<R>, Error>>,
{
    let mut window = Window::Start;
    loop {
        let mut rows = fetch(window).await?;
        let more = rows.len() > ROWS;
        rows.truncate(ROWS);
        for row in &rows {
            if out.write(cells(row)?.iter().map(String::as_str)).await.is_err() {
                return Ok(out);
            }
        }
        match rows.last().filter(|_| more) {
            Some(last) => window = Window::After(place(last)),
            None => return Ok(out),
        }
    }
}
