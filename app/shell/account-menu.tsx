import { reusable } from "../../ssr-runtime/js/reusable";
import type { UserView } from "../lib/types";
import { Icon } from "../ui/icon";

/** A plain link; scripts open it in a popup on wide screens. */
export function SignIn({ href }: { href: string }) {
  return (
    <a href={href}>
      <span className="header-label">Sign in</span>
      <Icon name="person" />
    </a>
  );
}

function Contents({ user: { name, email, initials, role } }: { user: UserView }) {
  return (
    <>
      <summary aria-label={`${initials}, account menu for ${name || email}`}>{initials}</summary>
      <ul>
        <li>{email}</li>
        <li>
          <a href="/account">Account</a>
        </li>
        {role && role !== "customer" && (
          <li>
            <a href="/admin/overview">Admin area</a>
          </li>
        )}
        <li>
          <form method="post" action="/auth/logout">
            <button type="submit">Sign out</button>
          </form>
        </li>
      </ul>
    </>
  );
}

/** All that a page of the shop shows of its visitor: the server keeps such pages for all who are signed in. */
export const AccountMenu = reusable(Contents, {
  as: "details",
  attributes: () => ({ className: "account" }),
  data: ({ user }) => user,
});
