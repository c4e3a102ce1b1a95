import { reportError } from "../../lib/errors";
import { addToast } from "../../lib/toast";

/** Code that a screen asks for while it is open did not load: usually a deployment has replaced the file. */
export function missing(error: unknown): void {
  reportError(error, "chunk");
  addToast({
    severity: "error",
    summary: "A part of this page did not load.",
    detail: "Check your connection and load the page again. What you have typed is lost then.",
  });
}
