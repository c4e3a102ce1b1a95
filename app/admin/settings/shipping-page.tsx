import { useId, useState } from "react";
import type { ShippingSettingsPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { ScrollArea } from "../parts/scroll-area";
import { useUnsavedGuard } from "../parts/unsaved";
import { SettingsLayout } from "./settings-layout";
import {
  draftOf,
  type MethodDraft,
  type ShippingDraft,
  served,
  tableOf,
  withoutZone,
  withZone,
} from "./shipping-draft";
import { type Change, ChangeErrors, useChange } from "./use-change";

const PATH = "/admin/settings/shipping";

export default function ShippingPage({ version, table }: Props) {
  const [draft, setDraft] = useState(() => draftOf(table));
  /** The draft that was loaded or saved last. A button changes the draft without an input event, by which forms are guarded. */
  const [saved, setSaved] = useState(draft);
  useUnsavedGuard(draft !== saved);
  const change = useChange({ version, content: table });
  const patch = (at: number, next: Partial<MethodDraft>) =>
    setDraft({
      ...draft,
      methods: draft.methods.map((each, index) => (index === at ? { ...each, ...next } : each)),
    });
  async function save(): Promise<void> {
    const body = { version: change.version, table: tableOf(draft) };
    const call = () => staffCall(`/api${PATH}`, { method: "PUT", body });
    if (await change.send(call, "Shipping rates saved.")) setSaved(draft);
  }
  function discard(): void {
    const latest = draftOf(table);
    setDraft(latest);
    setSaved(latest);
    change.moveToLatest();
  }
  return (
    <SettingsLayout path={PATH} title="Shipping">
      <form
        method="post"
        ref={change.form}
        className="settings-sheet"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {draft.methods.map((method, at) => (
          <MethodPanel
            // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved method is identified by its position.
            key={at}
            at={at}
            method={method}
            draft={draft}
            change={change}
            patch={(next) => patch(at, next)}
            remove={() =>
              setDraft({ ...draft, methods: draft.methods.filter((_, index) => index !== at) })
            }
          />
        ))}
        <p>
          <button
            type="button"
            className="button button-quiet"
            onClick={() => setDraft({ ...draft, methods: [...draft.methods, NEW_METHOD] })}
          >
            Add method
          </button>{" "}
          {!draft.methods.some(({ pickup }) => pickup) && (
            <button
              type="button"
              className="button button-quiet"
              onClick={() => setDraft({ ...draft, methods: [...draft.methods, PICKUP] })}
            >
              Add store pickup
            </button>
          )}
        </p>
        <Zones draft={draft} setDraft={setDraft} change={change} />
        <ChangeErrors change={change} fields={Object.keys(change.errors).filter(isPlaced)} />
        <div className="settings-save">
          <Button type="submit" aria-disabled={change.busy}>
            Save shipping rates
          </Button>
          <button type="button" className="link" onClick={discard}>
            Discard changes
          </button>
        </div>
      </form>
    </SettingsLayout>
  );
}

ShippingPage.Layout = AdminLayout;

const NEW_METHOD: MethodDraft = {
  code: "",
  name: "",
  estimate: "",
  pickup: false,
  by_air: false,
  fee: "0.00",
  weights: ["1 lb"],
  prices: [],
};

const PICKUP: MethodDraft = {
  ...NEW_METHOD,
  code: "pickup",
  name: "Pick up in our store",
  estimate: "Ready within one business day",
  pickup: true,
  weights: [],
};

/** Whether the message is shown at its field. */
const isPlaced = (field: string) =>
  /\.(code|name|estimate|signature_fee|states|prices\[\d+\])$|weights\[\d+\]$/.test(field);

interface PanelProps {
  at: number;
  method: MethodDraft;
  draft: ShippingDraft;
  change: Change;
  patch: (next: Partial<MethodDraft>) => void;
  remove: () => void;
}

function MethodPanel({ at, method, draft, change, patch, remove }: PanelProps) {
  const field = (name: string) => change.about(`methods[${at}].${name}`);
  const text = (name: "name" | "estimate" | "code") => ({
    name: `${at}-${name}`,
    value: method[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      patch({ [name]: event.currentTarget.value }),
    problem: field(name),
  });
  return (
    <section className="panel settings-method" aria-label={method.name || "New method"}>
      <div className="settings-row">
        <Field label="Name" {...text("name")} />
        <Field label="Estimate" {...text("estimate")} />
        <Field label="Code" readOnly={method.pickup} {...text("code")} />
        {!method.pickup && (
          <Field
            name={`${at}-fee`}
            label="Adult signature ($)"
            inputMode="decimal"
            value={method.fee}
            onChange={(event) => patch({ fee: event.currentTarget.value })}
            problem={field("signature_fee")}
          />
        )}
      </div>
      {method.pickup ? (
        <p className="field-hint">
          Store pickup is free. Without it, staff can’t enter orders made in the store.
        </p>
      ) : (
        <>
          <label className="admin-check">
            <input
              type="checkbox"
              checked={method.by_air}
              onChange={(event) => patch({ by_air: event.currentTarget.checked })}
            />
            Ships by air (not for ground-only items)
          </label>
          <Rates at={at} method={method} draft={draft} change={change} patch={patch} />
        </>
      )}
      <button type="button" className="link" onClick={remove}>
        {`Remove ${method.name || "this method"}`}
      </button>
    </section>
  );
}

function Rates({ at, method, draft, change, patch }: Omit<PanelProps, "remove">) {
  const rows = served(method);
  const { weights, prices } = method;
  const setPrice = (zone: number, column: number, price: string) =>
    patch({
      prices: draft.zones.map((_, row) =>
        row === zone
          ? weights.map((_, index) => (index === column ? price : (prices[zone]?.[index] ?? "")))
          : (prices[row] ?? []),
      ),
    });
  return (
    <ScrollArea label={`Rates for ${method.name}`}>
      <table className="admin-list settings-rates">
        <thead>
          <tr>
            <th scope="col">Dollars, up to</th>
            {weights.map((weight, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a weight class is identified by its position.
              <th key={column} scope="col">
                <Cell
                  label={`${method.name}, weight class ${column + 1}`}
                  value={weight}
                  problem={change.about(`methods[${at}].weights[${column}]`)}
                  set={(value) =>
                    patch({
                      weights: weights.map((each, index) => (index === column ? value : each)),
                    })
                  }
                />
              </th>
            ))}
            <th scope="col">
              <button
                type="button"
                className="link"
                onClick={() => patch({ weights: [...weights, ""] })}
              >
                Add
              </button>{" "}
              {weights.length > 1 && (
                <button
                  type="button"
                  className="link"
                  onClick={() =>
                    patch({
                      weights: weights.slice(0, -1),
                      prices: prices.map((row) => row.slice(0, weights.length - 1)),
                    })
                  }
                >
                  Remove last
                </button>
              )}
            </th>
          </tr>
        </thead>
        <tbody>
          {draft.zones.map(({ name: zone }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a zone may be renamed.
            <tr key={index}>
              <th scope="row">{zone || "New zone"}</th>
              {weights.map((weight, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a weight class is identified by its position.
                <td key={column}>
                  <Cell
                    label={`${method.name}, ${zone}, up to ${weight}`}
                    value={prices[index]?.[column] ?? ""}
                    problem={change.about(
                      `methods[${at}].rates[${rows.indexOf(index)}].prices[${column}]`,
                    )}
                    set={(value) => setPrice(index, column, value)}
                  />
                </td>
              ))}
              <td>{!rows.includes(index) && <span className="tag">Not available</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface CellProps {
  label: string;
  value: string;
  problem: string | undefined;
  set: (value: string) => void;
}

function Cell({ label, value, problem, set }: CellProps) {
  const id = useId();
  return (
    <>
      <input
        className="input"
        inputMode="decimal"
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? id : undefined}
        value={value}
        onChange={(event) => set(event.currentTarget.value)}
      />
      {problem && (
        <span id={id} className="field-error" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

interface ZonesProps {
  draft: ShippingDraft;
  setDraft: (draft: ShippingDraft) => void;
  change: Change;
}

function Zones({ draft, setDraft, change }: ZonesProps) {
  return (
    <section className="panel">
      <h2>Zones</h2>
      <div className="admin-form">
        {draft.zones.map((zone, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved zone is identified by its position.
          <div key={at} className="settings-zone">
            <Field
              name={`zone-${at}`}
              label="Zone"
              value={zone.name}
              onChange={(event) =>
                setDraft(withZone(draft, at, { name: event.currentTarget.value }))
              }
              problem={change.about(`zones[${at}].name`)}
            />
            <Field
              name={`states-${at}`}
              label="States"
              value={zone.states}
              onChange={(event) =>
                setDraft(withZone(draft, at, { states: event.currentTarget.value }))
              }
              problem={change.about(`zones[${at}].states`)}
            />
            <button type="button" className="link" onClick={() => setDraft(withoutZone(draft, at))}>
              {`Remove ${zone.name || "this zone"}`}
            </button>
          </div>
        ))}
        <p>
          <button
            type="button"
            className="button button-quiet"
            onClick={() =>
              setDraft({ ...draft, zones: [...draft.zones, { name: "", states: "" }] })
            }
          >
            Add zone
          </button>
        </p>
      </div>
    </section>
  );
}
