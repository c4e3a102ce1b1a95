import { useState } from "react";
import { formatDate, formatTime } from "../../lib/format";
import type { PromoEntry, PromoInput, PromotionsPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { capital } from "../parts/capital";
import { centsOrInvalid, dollars, fromCents } from "../parts/cents";
import { Dialog } from "../parts/dialog";
import { List } from "../parts/list";
import { Tag } from "../parts/tag";
import { trimmed } from "../parts/trimmed";
import { decimal, percentOf } from "./decimals";
import { SettingsLayout } from "./settings-layout";
import { PROMO } from "./status-labels";
import { ChangeErrors, useChange } from "./use-change";

const PATH = "/admin/settings/promotions";

export default function PromotionsPage({ list, codes }: Props) {
  /** The dialog, with the code as it was opened: a refreshed list has its latest version, or lacks it. */
  const [open, setOpen] = useState<{ code?: PromoEntry } | null>(null);
  const opened = open?.code;
  const listed = codes.find(({ id }) => id === opened?.id);
  const close = () => setOpen(null);
  return (
    <SettingsLayout
      path={PATH}
      title="Promo codes"
      actions={<Button onClick={() => setOpen({})}>New code</Button>}
    >
      <List
        label="Promo codes"
        list={list}
        rows={codes}
        id={({ id }) => id}
        cell={(row, column) => cell(row, column, (code) => setOpen({ code }))}
        searchLabel="Search by code"
        empty="No promo codes yet."
      />
      <Dialog title={opened?.code ?? "New promo code"} open={open !== null} onClose={close}>
        {opened && !listed && (
          <p className="settings-trouble" role="alert">
            This code was changed and is no longer in this list. Remove the filter, and open it
            again.
          </p>
        )}
        <PromoForm key={opened?.id} code={listed ?? opened} onDone={close} />
      </Dialog>
    </SettingsLayout>
  );
}

PromotionsPage.Layout = AdminLayout;

export function benefit({ kind, value }: { kind: string; value: number }): string {
  if (kind === "percent") return `${decimal(value).replace(/\.?0+$/, "")}%`;
  return kind === "amount" ? dollars(value) : "Free shipping";
}

export function discountOf(kind: string, text: string): number {
  if (kind === "free_shipping") return 0;
  return kind === "percent" ? percentOf(text) : centsOrInvalid(text);
}

function cell(code: PromoEntry, column: string, open: (code: PromoEntry) => void) {
  switch (column) {
    case "code":
      return <code>{code.code}</code>;
    case "benefit":
      return benefit(code);
    case "state":
      return <Tag of={PROMO[code.state as keyof typeof PROMO] ?? PROMO.off} />;
    case "used":
      return code.max_uses === null ? code.used : `${code.used} of ${code.max_uses}`;
    case "dates":
      return dates(code);
    case "terms":
      return terms(code);
    case "made":
      return code.made_at < "1971" ? (
        ""
      ) : (
        <time dateTime={code.made_at}>{formatTime(code.made_at)}</time>
      );
    default:
      return (
        <button
          type="button"
          className="link"
          aria-label={`Edit ${code.code}`}
          onClick={() => open(code)}
        >
          Edit
        </button>
      );
  }
}

function dates({ starts_on, ends_on }: PromoEntry): string {
  if (!starts_on && !ends_on) return "Always";
  const all = [
    starts_on && `from ${formatDate(starts_on)}`,
    ends_on && `through ${formatDate(ends_on)}`,
  ];
  return capital(all.filter(Boolean).join(" "));
}

function terms({ min_subtotal, once_per_customer }: PromoEntry): string {
  const all = [
    min_subtotal > 0 && `minimum ${dollars(min_subtotal)}`,
    once_per_customer && "once per customer",
  ];
  return capital(all.filter(Boolean).join(", "));
}

function PromoForm({ code, onDone }: { code: PromoEntry | undefined; onDone: () => void }) {
  const change = useChange({ version: code?.version ?? 0, content: code });
  const [kind, setKind] = useState(code?.kind ?? "percent");
  async function save(data: FormData): Promise<void> {
    const minimum = trimmed(data, "min_subtotal");
    const maxUses = trimmed(data, "max_uses");
    const body: PromoInput = {
      code: trimmed(data, "code"),
      kind: kind as PromoInput["kind"],
      value: discountOf(kind, trimmed(data, "value")),
      min_subtotal: minimum ? centsOrInvalid(minimum) : 0,
      starts_on: trimmed(data, "starts_on") || null,
      ends_on: trimmed(data, "ends_on") || null,
      max_uses: maxUses ? Number(maxUses) : null,
      once_per_customer: data.get("once_per_customer") === "on",
      active: data.get("active") === "on",
      version: code ? change.version : null,
    };
    const call = () =>
      code
        ? staffCall(`/api${PATH}/${code.id}`, { method: "PUT", body })
        : staffCall(`/api${PATH}`, { method: "POST", body });
    const name = code?.code ?? body.code?.toUpperCase();
    if (await change.send(call, `${name} saved.`)) onDone();
  }
  return (
    <form
      method="post"
      ref={change.form}
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      <ChangeErrors
        change={change}
        fields={["code", "value", "min_subtotal", "starts_on", "ends_on", "max_uses"]}
      />
      {!code && (
        <Field
          name="code"
          label="Code"
          hint="What shoppers enter. It can’t be changed later."
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          problem={change.about("code")}
        />
      )}
      <div className="settings-row">
        <Labeled label="Discount" problem={undefined}>
          {(control) => (
            <select
              className="input"
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value)}
              {...control}
            >
              <option value="percent">Percentage off</option>
              <option value="amount">Fixed amount off</option>
              <option value="free_shipping">Free shipping</option>
            </select>
          )}
        </Labeled>
        {kind !== "free_shipping" && (
          <Field
            name="value"
            label={kind === "percent" ? "Percent" : "Dollars"}
            inputMode="decimal"
            required
            defaultValue={code && code.kind === kind ? decimal(code.value) : ""}
            problem={change.about("value")}
          />
        )}
        <Field
          name="min_subtotal"
          label="Minimum purchase ($)"
          inputMode="decimal"
          defaultValue={code?.min_subtotal ? fromCents(code.min_subtotal) : ""}
          problem={change.about("min_subtotal")}
        />
      </div>
      <div className="settings-row">
        <Field
          name="starts_on"
          type="date"
          label="Starts on"
          defaultValue={code?.starts_on ?? ""}
          problem={change.about("starts_on")}
        />
        <Field
          name="ends_on"
          type="date"
          label="Ends on"
          defaultValue={code?.ends_on ?? ""}
          problem={change.about("ends_on")}
        />
        <Field
          name="max_uses"
          type="number"
          min={1}
          label="Maximum uses"
          defaultValue={code?.max_uses ?? ""}
          problem={change.about("max_uses")}
        />
      </div>
      <label className="admin-check">
        <input
          type="checkbox"
          name="once_per_customer"
          defaultChecked={code?.once_per_customer ?? false}
        />
        Once per customer
      </label>
      <label className="admin-check">
        <input type="checkbox" name="active" defaultChecked={code?.active ?? true} />
        Active
      </label>
      <div className="admin-dialog-acts">
        <Button type="submit" aria-disabled={change.busy}>
          Save code
        </Button>
      </div>
    </form>
  );
}
