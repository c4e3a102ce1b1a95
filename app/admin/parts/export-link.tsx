import type { MouseEvent, ReactNode } from "react";
import { signInReason, staffCall, tellFailure } from "../call";
import { usePermission } from "./permission";

interface Props {
  href: string;
  className?: string;
  label?: string;
  children: ReactNode;
}

/** A link to a file that names people, for those who may have it. */
export function ExportLink({ href, className, label, children }: Props) {
  const mayExport = usePermission("export_data");
  if (!mayExport) return null;
  return (
    <a href={href} className={className} aria-label={label} download onClick={download}>
      {children}
    </a>
  );
}

/** Downloads after asking whether it is allowed: browsers do not say why a download failed. */
async function download(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  const { href } = event.currentTarget;
  try {
    await staffCall("/api/admin/exports");
    location.assign(href);
  } catch (error) {
    // The dialog that asks for a new sign-in says why.
    if (!signInReason(error)) tellFailure(error);
  }
}
