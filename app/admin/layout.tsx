import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { navigate } from "../lib/navigation";
import { useShared } from "../lib/shared";
import type { NavItem } from "../lib/types";
import { Icon } from "../ui/icon";
import { onSignInNeeded, type SignInReason } from "./call";
import { Palette } from "./palette/palette";
import { AdminIcon } from "./parts/admin-icon";
import { Dialog } from "./parts/dialog";
import { useShortcuts } from "./parts/shortcuts";
import { ShortcutsDialog } from "./parts/shortcuts-dialog";
import { mayLeave, useUnsavedForms } from "./parts/unsaved";

type DialogName = "palette" | "shortcuts" | "sign-in";

const SIGN_IN_REASONS: Record<SignInReason, string> = {
  stale: "This action requires a sign-in within the last 15 minutes.",
  weak: "This action requires a sign-in with a second factor.",
  ended:
    "You’re signed out. Staff sessions end after 30 minutes without use, and after 12 hours in all.",
};

/** The layout of every page of the admin area. */
export function AdminLayout({ url, children }: { url: string; children: ReactNode }) {
  const { staff } = useShared();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const signInLink = useRef<HTMLAnchorElement>(null);
  const [reason, setReason] = useState<SignInReason>("stale");
  // The close event of a dialog may arrive after another dialog was opened.
  const close = (one: DialogName) => () => setDialog((now) => (now === one ? null : now));
  const items = staff?.navigation ?? [];

  const openPalette = useCallback(() => setDialog("palette"), []);
  useUnsavedForms();
  useEffect(
    () =>
      onSignInNeeded((why) => {
        setReason(why);
        setDialog("sign-in");
      }),
    [],
  );
  // Being focused, it loads the code for its click: WebKit opens no popup after a click that has to load it first.
  useEffect(() => {
    if (dialog === "sign-in") signInLink.current?.focus();
  }, [dialog]);
  const keys = useMemo(() => {
    const navigationKeys = (staff?.navigation ?? []).map(({ key, href }) => [
      `g ${key}`,
      () => mayLeave() && void navigate(href),
    ]);
    return {
      ...Object.fromEntries(navigationKeys),
      "mod+k": openPalette,
      "/": () => focusSearch() || openPalette(),
      "?": () => setDialog("shortcuts"),
    };
  }, [staff, openPalette]);
  useShortcuts(keys);

  return (
    <div className="admin">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Side key={url} items={items} url={url} />
      <div className="admin-body">
        <div className="admin-bar">
          <button type="button" className="admin-menu" popoverTarget="admin-side" aria-label="Menu">
            <Icon name="menu" />
          </button>
          <button type="button" className="admin-search needs-scripts" onClick={openPalette}>
            <Icon name="search" />
            <span>Search or go to…</span>
            <kbd>Ctrl K</kbd>
          </button>
          <button
            type="button"
            className="icon-button needs-scripts"
            aria-label="Keyboard shortcuts"
            onClick={() => setDialog("shortcuts")}
          >
            <AdminIcon name="help" />
          </button>
        </div>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Palette open={dialog === "palette"} items={items} onClose={close("palette")} />
      <ShortcutsDialog open={dialog === "shortcuts"} items={items} onClose={close("shortcuts")} />
      <Dialog title="Confirm it’s you" open={dialog === "sign-in"} onClose={close("sign-in")}>
        <p>{`${SIGN_IN_REASONS[reason]} What you’ve entered stays here.`}</p>
        <p className="admin-dialog-acts">
          <a
            ref={signInLink}
            className="button button-primary"
            href={signInHref(url)}
            onClick={({ currentTarget }) => {
              // The page may have changed its address.
              currentTarget.href = signInHref(location.pathname + location.search);
              setDialog(null);
            }}
          >
            Sign in again
          </a>
        </p>
      </Dialog>
    </div>
  );
}

function signInHref(returnTo: string): string {
  return `/auth/login?confirm=1&return_to=${encodeURIComponent(returnTo)}`;
}

/** Focuses the search field of the page's list, if there is one; it takes precedence over the global search. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]");
  field?.focus();
  field?.select();
  return field !== null;
}

function Side({ items, url }: { items: NavItem[]; url: string }) {
  const { company, demo, user } = useShared();
  const path = url.replace(/\?.*/, "");
  return (
    <header id="admin-side" className="admin-side" popover="auto">
      <div className="admin-side-head">
        <p className="admin-name">
          <a href="/admin/overview">{company.name}</a>
          {demo && <span className="label">Demo</span>}
        </p>
        <button
          type="button"
          className="icon-button"
          popoverTarget="admin-side"
          popoverTargetAction="hide"
          aria-label="Close menu"
        >
          <Icon name="close" />
        </button>
      </div>
      <nav aria-label="Admin area">
        <ul>
          {items.map(({ label, href, icon }) => (
            <li key={href}>
              <a
                href={href}
                aria-current={path === href ? "page" : path.startsWith(`${href}/`) || undefined}
              >
                <AdminIcon name={icon} />
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="admin-user">
        <a href="/">
          <AdminIcon name="external" />
          View shop
        </a>
        <p title={user?.email}>{user?.name || user?.email}</p>
        <form method="post" action="/auth/logout">
          <button type="submit" className="link">
            Sign out
          </button>
        </form>
      </div>
    </header>
  );
}
