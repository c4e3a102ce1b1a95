import { AdminLayout } from "../layout";
import { Head } from "../parts/head";
import { PARTS } from "./parts";

/** Links to the settings pages, each with a description. */
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
