import type { RefObject } from "react";
import { navigate } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import { tellFailure } from "../call";
import { WEBHOOKS_PATH } from "./webhook-form";

/** Sends an event and opens its log entry, or only says that it is `done` if the page has been left by then. */
export async function sendEvent(
  send: () => Promise<{ id: string }>,
  page: RefObject<HTMLElement | null>,
  done: string,
): Promise<void> {
  try {
    const sent = await send();
    if (page.current) await navigate(`${WEBHOOKS_PATH}/log/${sent.id}`);
    else addToast({ severity: "success", summary: done, life: 5_000 });
  } catch (error) {
    tellFailure(error);
  }
}
