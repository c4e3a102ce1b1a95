import { reportError } from "../../lib/errors";
import { addToast } from "../../lib/toast";

/** Reports code that failed to load after the page was opened, usually because a deployment replaced the file. */
export function reportMissingCode(error: unknown): void {
  reportError(error, "chunk");
  addToast({
    severity: "error",
    summary: "A part of this page did not load.",
    detail: "Check your connection and load the page again. What you have typed is lost then.",
  });
}
