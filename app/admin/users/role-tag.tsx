export const ROLES: Record<string, string> = {
  customer: "Customer",
  staff: "Staff",
  admin: "Admin",
  super_admin: "Super admin",
};

export function RoleTag({ role }: { role: string }) {
  return role === "customer" ? (
    ROLES[role]
  ) : (
    <span className="tag" data-tone="info">
      {ROLES[role] ?? role}
    </span>
  );
}
