import { AdminLayout } from "../layout";
import { Head } from "../parts/head";
import { PARTS } from "./parts";

/** Where the parts are, and what each of them decides. */
export default function SettingsPage() {
  return (
    <>
      <Head title="Settings" />
      <ul className="settings-home">
        {PARTS.map(([href, label, what]) => (
          <li key={href}>
            <a className="panel" href={href}>
              <b>{label}</b>
              <small>{what}</small>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

SettingsPage.Layout = AdminLayout;
