import type { ReactNode } from "react";
import type { ColumnView, Link, ListView } from "../../lib/types";
import { Icon } from "../../ui/icon";
import { AdminIcon } from "./admin-icon";
import { ExportLink } from "./export-link";
import { ListTools } from "./list-tools";
import { ScrollArea } from "./scroll-area";
import type { Selection } from "./selection";

interface Props<Row> {
  /** Accessible name, such as `Orders`. */
  label: string;
  list: ListView;
  rows: Row[];
  id: (row: Row) => string;
  /** Renders a column of a row. */
  cell: (row: Row, column: string) => ReactNode;
  /** Highlights rows. */
  tone?: (row: Row) => "warn" | undefined;
  /** Path of the CSV export. */
  csv?: string;
  /** The same if it names people. */
  personalCsv?: string;
  searchLabel: string;
  empty: string;
  /** A link to another list, shown when a search has no results. */
  elsewhere?: Link | undefined;
  /** Accessible name of a row; its id by default. */
  rowName?: (row: Row) => string;
  /** Makes rows selectable; `bulk` is the bulk actions. */
  selection?: Selection;
  bulk?: ReactNode;
}

/** A list of the admin area. Its whole state is in the address, so each control is a link or a form. */
export function List<Row>(props: Props<Row>) {
  const { label, list, rows, id, cell, tone, searchLabel, selection, bulk } = props;
  const rowName = props.rowName ?? id;
  const columns = list.columns.filter(({ is_shown }) => is_shown);
  const ids = rows.map(id);
  return (
    <>
      <ListTools list={list} searchLabel={searchLabel} />
      {selection && selection.count > 0 && (
        <div className="admin-list-bulk" role="status">
          <b>{`${count(selection.count)} selected`}</b>
          {!selection.isAll && selection.count < list.total && (
            <button type="button" className="link" onClick={selection.selectAll}>
              {`Select all ${count(list.total)}`}
            </button>
          )}
          <button type="button" className="link" onClick={selection.clear}>
            Clear selection
          </button>
          {bulk}
        </div>
      )}
      {rows.length === 0 ? (
        <p className="admin-list-empty">
          <Nothing {...props} />
        </p>
      ) : (
        <ScrollArea label={label}>
          <table className="admin-list admin-list-cards">
            <thead>
              <tr>
                {selection && (
                  <th className="admin-list-choice" scope="col">
                    <input
                      type="checkbox"
                      aria-label="Select this page"
                      checked={ids.every(selection.has)}
                      onChange={() => selection.togglePage(ids)}
                    />
                  </th>
                )}
                {columns.map((column) => (
                  <Heading key={column.name} column={column} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={id(row)} data-tone={tone?.(row)} aria-selected={selection?.has(id(row))}>
                  {selection && (
                    <td className="admin-list-choice">
                      <input
                        type="checkbox"
                        aria-label={`Select ${rowName(row)}`}
                        checked={selection.has(id(row))}
                        onChange={() => selection.toggle(id(row), ids)}
                      />
                    </td>
                  )}
                  {columns.map(({ name, label, is_number }) => (
                    <td
                      key={name}
                      className={is_number ? "is-number" : undefined}
                      data-label={label}
                    >
                      {cell(row, name)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      <Foot list={list} csv={props.csv} personalCsv={props.personalCsv} />
    </>
  );
}

function Nothing({ list, empty, elsewhere }: Pick<Props<never>, "list" | "empty" | "elsewhere">) {
  // The rows of a later page are gone, and with them the places of its neighbors: "previous" is the first page.
  if (list.total > 0) {
    return (
      <>
        {"Nothing is left on this page. "}
        {list.previous && <a href={list.previous}>Go to the first page</a>}
      </>
    );
  }
  if (!list.is_filtered) return empty;
  return (
    <>
      {"No results. "}
      <a href={list.path}>Clear filters</a>
      {elsewhere && (
        <>
          {" or "}
          <a href={elsewhere.href}>{elsewhere.label}</a>
        </>
      )}
    </>
  );
}

function Heading({ column: { label, is_number, sorted, sort_href } }: { column: ColumnView }) {
  return (
    <th scope="col" className={is_number ? "is-number" : undefined} aria-sort={sorted ?? undefined}>
      {sort_href ? (
        <a href={sort_href} data-keep-position>
          {label}
          {sorted && (
            <span className="admin-list-sorted" data-sorted={sorted}>
              <Icon name="chevron" />
            </span>
          )}
        </a>
      ) : (
        label
      )}
    </th>
  );
}

interface FootProps {
  list: ListView;
  csv: string | undefined;
  personalCsv: string | undefined;
}

function Foot({ list, csv, personalCsv }: FootProps) {
  const { total, is_counted_up, previous, next, query } = list;
  const all = (path: string) => (query ? `${path}?${query}` : path);
  const text = (
    <>
      <AdminIcon name="download" />
      Export CSV
    </>
  );
  return (
    <div className="admin-list-foot">
      <p aria-live="polite">{`${count(total)}${is_counted_up ? "" : " or more"} total`}</p>
      {csv && total > 0 && (
        <a href={all(csv)} download>
          {text}
        </a>
      )}
      {personalCsv && total > 0 && <ExportLink href={all(personalCsv)}>{text}</ExportLink>}
      <nav aria-label="Pages">
        {previous && (
          <a className="button button-quiet" href={previous} rel="prev">
            Previous
          </a>
        )}
        {next && (
          <a className="button button-quiet" href={next} rel="next">
            Next
          </a>
        )}
      </nav>
    </div>
  );
}

/** `1,234` */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 product`, `1,234 products` */
export function countOf(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
