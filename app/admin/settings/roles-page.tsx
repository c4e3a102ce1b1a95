import type { Permission, RolesPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { ScrollArea } from "../parts/scroll-area";
import { ROLES } from "../users/role-tag";
import { SettingsLayout } from "./settings-layout";

const PERMISSION_LABELS: Record<Permission, [what: string, more: string]> = {
  see_shop: ["View the admin area", "Orders, products, customers, and analytics"],
  fulfill_orders: [
    "Fulfill orders",
    "Packages, notes, returns, address changes before shipping, resent emails, payments at pickup",
  ],
  manage_orders: ["Create orders", "For customers in store, by phone, or online"],
  refund: ["Issue refunds", "Refunds, cancellations, undoing payments at pickup"],
  edit_catalog: ["Edit the catalog", "Products, prices, images, categories, stock"],
  manage_users: ["Manage customers", "Block and delete accounts; end sessions"],
  export_data: ["Export data", "Orders, users, deliveries, the audit log, and all about one user"],
  change_roles: ["Change roles", "Make someone staff or admin"],
  edit_settings: [
    "Edit the settings",
    "Company, tax, shipping, compliance, promo codes, legal texts, emails, webhooks",
  ],
  see_audit: ["View the audit log", "Who changed what"],
  operate: ["Operate the system", "System status, failures, jobs, tests"],
};

export default function RolesPage({ roles, permissions }: Props) {
  return (
    <SettingsLayout path="/admin/settings/roles" title="Roles">
      <p className="settings-lead">
        Super admins assign roles on each account’s page under Users. A role has the same
        permissions everywhere: in navigation, on pages, and in the API.
      </p>
      <ScrollArea label="Roles" className="panel">
        <table className="admin-list settings-roles">
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {roles.map((role) => (
                <th key={role} scope="col">
                  <a href={`/admin/users?role=${role}`}>{ROLES[role]}</a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map(({ permission, held_by, needs_fresh_sign_in }) => {
              const [what, more] = PERMISSION_LABELS[permission];
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
                          {needs_fresh_sign_in ? "Recent sign-in" : "Yes"}
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
      </ScrollArea>
    </SettingsLayout>
  );
}

RolesPage.Layout = AdminLayout;
