import type { ReportsPage as Props } from "../../lib/types";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { AdminIcon } from "../parts/admin-icon";
import { dollars } from "../parts/cents";
import { ExportLink } from "../parts/export-link";
import { count } from "../parts/list";
import { ScrollArea } from "../parts/scroll-area";
import { SettingsLayout } from "./settings-layout";
import { ChangeErrors, useChange } from "./use-change";

const PATH = "/admin/settings/reports";

export default function ReportsPage({ version, year, years, months, classes }: Props) {
  const byMonth = [...new Set(months.map(({ month }) => month))];
  return (
    <SettingsLayout path={PATH} title="Delivery reports">
      <p className="settings-lead">
        Monthly shipments of regulated products, in the form states require. Records are kept
        through the end of the fourth full calendar year, even if a customer’s account is deleted. A
        month may change through the 9th of the next month, if a shipment is undone. Then it’s
        closed.
      </p>
      {years.length > 1 && (
        <nav className="settings-documents" aria-label="Years">
          {years.map(({ label, href }) => (
            <a key={href} href={href} aria-current={label === String(year) ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
      )}
      {byMonth.length === 0 ? (
        <p className="admin-list-empty">{`Nothing in these classes was shipped in ${year}.`}</p>
      ) : (
        <ScrollArea label="Months">
          <table className="admin-list">
            <thead>
              <tr>
                <th scope="col">Month</th>
                <th scope="col">State</th>
                <th scope="col" className="is-number">
                  Lines
                </th>
                <th scope="col" className="is-number">
                  Units
                </th>
                <th scope="col" className="is-number">
                  Value
                </th>
                <th scope="col">Report</th>
              </tr>
            </thead>
            <tbody>
              {byMonth.flatMap((month) => [
                ...months
                  .filter((row) => row.month === month)
                  .map(({ state, records, quantity, value }) => (
                    <tr key={`${month} ${state}`}>
                      <td>{month}</td>
                      <td>{state}</td>
                      <td className="is-number">{count(records)}</td>
                      <td className="is-number">{count(quantity)}</td>
                      <td className="is-number">{dollars(value)}</td>
                      <td>
                        <Download month={month} state={state} />
                      </td>
                    </tr>
                  )),
                <tr key={month}>
                  <td>{month}</td>
                  <td colSpan={4}>All states</td>
                  <td>
                    <Download month={month} />
                  </td>
                </tr>,
              ])}
            </tbody>
          </table>
        </ScrollArea>
      )}
      <Classes version={version} classes={classes} />
    </SettingsLayout>
  );
}

ReportsPage.Layout = AdminLayout;

function Download({ month, state }: { month: string; state?: string }) {
  const query = state ? `month=${month}&state=${state}` : `month=${month}`;
  return (
    <ExportLink
      className="settings-download"
      href={`/api/admin/reports/deliveries.csv?${query}`}
      label={`CSV for ${month}, ${state ?? "all states"}`}
    >
      <AdminIcon name="download" />
      CSV
    </ExportLink>
  );
}

function Classes({ version, classes }: Pick<Props, "version" | "classes">) {
  const change = useChange<HTMLElement>();
  return (
    <section ref={change.form} className="panel settings-counties">
      <h2>Reported classes</h2>
      <ChangeErrors change={change} />
      <div>
        {classes.map(({ code, name, is_reported }) => (
          <label key={code} className="admin-check">
            <input
              type="checkbox"
              checked={is_reported}
              aria-disabled={change.busy}
              onChange={(event) => {
                const body = { version, is_reported: event.currentTarget.checked };
                void change.send(
                  () =>
                    staffCall(`/api/admin/settings/compliance/classes/${code}`, {
                      method: "PUT",
                      body,
                    }),
                  `${name} is now ${body.is_reported ? "reported" : "not reported"}.`,
                );
              }}
            />
            {name}
          </label>
        ))}
      </div>
    </section>
  );
}
