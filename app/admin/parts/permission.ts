import { useShared } from "../../lib/shared";
import type { Shared } from "../../lib/types";

type Permission = NonNullable<Shared["staff"]>["may"][number];

/** Whether the signed-in member of staff has the permission. The server checks it again at every call. */
export function usePermission(permission: Permission): boolean {
  return useShared().staff?.may.includes(permission) ?? false;
}
