import { useShared } from "../lib/shared";
import type { ErrorPage as Props } from "../lib/types";
import { CategoryLinks } from "../ui/category-links";
import { SearchForm } from "../ui/search-form";

const FORBIDDEN = 403;
const NOT_FOUND = 404;
const GONE = 410;
const OURS = 500;

/** Without props it shows an internal server error. */
export default function ErrorPage({
  status = 500,
  request_id = null,
  confirm_href = null,
  message = status === NOT_FOUND ? "Page Not Found" : "Internal Server Error",
}: Partial<Props>) {
  const { company, user } = useShared();
  return (
    <div className="error wrap">
      <p className="error-status" aria-hidden="true">
        {status}
      </p>
      <h1>{headingOf(status)}</h1>
      <p className="error-message">{message}</p>
      {isMissing(status) ? (
        <p className="lede">
          The page may have moved, or the item may be gone. Search for it, or browse a category.
        </p>
      ) : confirm_href ? (
        <p className="lede">
          {/* Without a popup, since the document of the page that follows has other style sheets. */}
          <a href={confirm_href} onClick={(event) => event.stopPropagation()}>
            Sign in again
          </a>
        </p>
      ) : status === FORBIDDEN ? (
        user && (
          <p className="lede">
            Your account doesn’t have access to this page. Sign out to use another account.
          </p>
        )
      ) : status < OURS ? null : (
        <p className="lede">
          Try again in a moment. If it keeps happening, email{" "}
          <a href={`mailto:${company.email}`}>{company.email}</a>
          {request_id ? (
            <>
              {" "}
              and mention <code>{request_id}</code>
            </>
          ) : null}
          .
        </p>
      )}
      <SearchForm id="search-error" />
      <CategoryLinks home />
    </div>
  );
}

function isMissing(status: number): boolean {
  return status === NOT_FOUND || status === GONE;
}

function headingOf(status: number): string {
  if (isMissing(status)) return "Page not found";
  if (status === FORBIDDEN) return "Not allowed";
  return status < OURS ? "That didn’t work" : "Something went wrong on our end";
}
