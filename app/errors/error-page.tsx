import { useShared } from "../lib/shared";
import type { ErrorPage as Props } from "../lib/types";
import { SearchForm } from "../ui/search-form";

const FORBIDDEN = 403;
const NOT_FOUND = 404;

export default function ErrorPage({ status, message }: Props) {
  const { menu, company } = useShared();
  const missing = status === NOT_FOUND;
  return (
    <div className="error wrap">
      <p className="error-status" aria-hidden="true">
        {status}
      </p>
      <h1>{headingOf(status)}</h1>
      <p className="error-message">{message}</p>
      {missing ? (
        <p className="lede">
          The page may have moved, or the piece may be gone. Search for it, or try a department.
        </p>
      ) : status === FORBIDDEN ? (
        <p className="lede">
          You are signed in, but this part of the shop needs another account. Sign out to choose
          one.
        </p>
      ) : (
        <p className="lede">
          It is not your doing. Try again in a moment, or write to{" "}
          <a href={`mailto:${company.email}`}>{company.email}</a> if it stays.
        </p>
      )}
      <SearchForm id="search-error" />
      <ul className="ways">
        <li>
          <a href="/">Home</a>
        </li>
        {menu.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function headingOf(status: number): string {
  if (status === NOT_FOUND) return "Page not found";
  return status === FORBIDDEN ? "Not allowed" : "Something broke in the back room";
}
