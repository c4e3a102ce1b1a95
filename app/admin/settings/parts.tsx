import { type ReactNode, useEffect, useRef, useState } from "react";
import { ApiError } from "../../lib/api";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import { Head } from "../parts/head";

export const PARTS = [
  [
    "/admin/settings/promotions",
    "Promo codes",
    "Codes that take something off, and how often they count",
  ],
  [
    "/admin/settings/shipping",
    "Shipping",
    "Methods, zones and prices by weight; pickup in the store",
  ],
  ["/admin/settings/tax", "Tax", "Rates by state and county, and excise taxes"],
  ["/admin/settings/compliance", "Compliance", "What may be sold where, and on which conditions"],
  [
    "/admin/settings/legal",
    "Legal texts",
    "Terms, privacy, shipping and returns, with their editions",
  ],
  ["/admin/settings/company", "Company", "Name, address and how customers reach you"],
  ["/admin/settings/mail", "Emails", "Your own words in what is written to customers"],
  ["/admin/settings/roles", "Roles", "Who may do what here"],
  [
    "/admin/settings/reports",
    "Delivery reports",
    "What left of regulated goods, for the states that ask",
  ],
  ["/admin/settings/webhooks", "Webhooks", "Other systems that are told what happens here"],
] as const;

interface Props {
  path: (typeof PARTS)[number][0];
  title: string;
  /** Buttons for the whole page. */
  acts?: ReactNode;
  children: ReactNode;
}

/** A page of the settings, with navigation to the others. */
export function SettingsPart({ path, title, acts, children }: Props) {
  const parts = useRef<HTMLElement>(null);
  // On a phone the navigation is wider than the screen: scroll to the current page.
  useEffect(() => {
    const open = parts.current?.querySelector<HTMLElement>(`[href="${path}"]`);
    if (parts.current && open) {
      parts.current.scrollLeft =
        open.offsetLeft - (parts.current.clientWidth - open.offsetWidth) / 2;
    }
  }, [path]);
  return (
    <>
      <Head title={title} links={[{ label: "Settings", href: "/admin/settings" }]}>
        {acts}
      </Head>
      <nav className="settings-parts" aria-label="Settings" ref={parts}>
        {PARTS.map(([href, label]) => (
          <a key={href} href={href} aria-current={href === path ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}

export interface Change {
  busy: boolean;
  /** An edit conflict: someone else has changed the same settings. */
  isConflict: boolean;
  about(field: string): string | undefined;
  /** Error messages by field. */
  errors: Record<string, string[]>;
  /** Sends a change, shows the result, and refreshes the page. True on success. */
  send(call: () => Promise<unknown>, done: string): Promise<boolean>;
  /** Loads the settings that someone else has saved; the typed input stays. */
  reload(): Promise<void>;
}

export function useChange(): Change {
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  return {
    busy,
    isConflict: error?.problem?.code === "changed_meanwhile",
    about: (field) => error?.about(field),
    errors: error?.problem?.errors ?? {},
    async send(call, done) {
      setBusy(true);
      try {
        await call();
        await refresh();
        setError(null);
        addToast({ severity: "success", summary: done, life: 5_000 });
        return true;
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        setError(cause);
        const isShown = cause.status === 422 || cause.problem?.code === "changed_meanwhile";
        if (!isShown) addToast({ severity: "error", summary: cause.message });
        return false;
      } finally {
        setBusy(false);
      }
    },
    async reload() {
      setBusy(true);
      try {
        await refresh();
        setError(null);
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Shows an edit conflict, or the errors of fields that are not in `fields`. */
export function Trouble({ change, fields = [] }: { change: Change; fields?: string[] }) {
  if (change.isConflict) {
    return (
      <div className="settings-trouble" role="alert">
        <p>
          <b>Someone else has changed these settings.</b> Load the latest version. What you’ve typed
          stays, and saving replaces theirs.
        </p>
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={change.busy}
          onClick={() => void change.reload()}
        >
          Load latest version
        </button>
      </div>
    );
  }
  const others = Object.entries(change.errors).filter(([field]) => !fields.includes(field));
  if (others.length === 0) return null;
  return (
    <div className="settings-trouble" role="alert">
      {others.map(([field, messages]) => (
        <p key={field}>{messages.join(" ")}</p>
      ))}
    </div>
  );
}

/** `6.95` from 695. */
export function decimal(amount: number, places = 2): string {
  const unit = 10 ** places;
  const digits = String(Math.abs(amount) % unit).padStart(places, "0");
  return `${amount < 0 ? "-" : ""}${Math.floor(Math.abs(amount) / unit)}.${digits}`;
}

/** 695 from `6.95` or `$6.95`; -1 if it is not an amount. */
export function minor(text: string, places = 2): number {
  const match = /^\$?\s*(\d{1,9})(?:\.(\d+))?\s*%?$/.exec(text.trim());
  if (!match || (match[2]?.length ?? 0) > places) return -1;
  return Number(match[1]) * 10 ** places + Number((match[2] ?? "").padEnd(places, "0") || 0);
}
