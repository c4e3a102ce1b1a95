import type { Permission, RolesPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { ROLES } from "../users/role-tag";
import { SettingsPart } from "./parts";

const WORDS: Record<Permission, [what: string, more: string]> = {
  see_shop: ["See the shop", "Orders, products, customers and figures"],
  fulfil_orders: [
    "Fulfil orders",
    "Parcels, notes, returns, addresses before shipping, letters sent again, money taken at pickup",
  ],
  manage_orders: ["Make orders", "For somebody at the counter or far away"],
  refund: ["Give money back", "Refunds and cancellations"],
  edit_catalog: ["Edit the catalogue", "Products, prices, pictures, categories, stock"],
  manage_users: ["Manage customers", "Block, export and delete them, end their sessions"],
  change_roles: ["Change roles", "Make somebody staff or admin"],
  edit_settings: [
    "Edit the settings",
    "Company, tax, shipping, compliance, promo codes, texts, letters, webhooks",
  ],
  see_audit: ["See the audit log", "Who changed what"],
  operate: ["Operate the shop", "What runs and what failed, jobs, tests"],
};

export default function RolesPage({ roles, permissions }: Props) {
  return (
    <SettingsPart path="/admin/settings/roles" title="Roles">
      <p className="settings-lead">
        A super admin gives somebody a role on their page under Users. What a role may do is the
        same everywhere: in the navigation, on pages and in calls.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="panel admin-list-scroll" aria-label="Roles" tabIndex={0}>
        <table className="admin-list settings-roles">
          <thead>
            <tr>
              <th scope="col">May</th>
              {roles.map((role) => (
                <th key={role} scope="col">
                  <a href={`/admin/users?role=${role}`}>{ROLES[role]}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map(({ permission, held_by, needs_fresh_sign_in }) => {
              const [what, more] = WORDS[permission];
              return (
                <tr key={permission}>
                  <th scope="row" className="settings-permission">
                    {what}
                    <small>{more}</small>
                  </th>
                  {roles.map((role) => (
                    <td key={role}>
                      {held_by.includes(role) ? (
                        <span className="tag" data-tone="good">
                          {needs_fresh_sign_in ? "Fresh sign-in" : "Yes"}
                        </span>
                      ) : (
                        "No"
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </SettingsPart>
  );
}

RolesPage.Layout = AdminLayout;
