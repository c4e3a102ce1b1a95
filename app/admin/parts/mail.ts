import { useShared } from "../../lib/shared";

/** Whether customers get emails. While email is off, none is sent, and none later either. */
export function useIsMailOn(): boolean {
  return useShared().staff?.is_mail_on ?? false;
}
