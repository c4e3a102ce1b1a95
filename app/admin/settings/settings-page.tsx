import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { SETTINGS_PAGES } from "./settings-layout";

/** Links to the settings pages, each with a description. */
export default function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <ul className="settings-home">
        {SETTINGS_PAGES.map(([href, label, what]) => (
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
