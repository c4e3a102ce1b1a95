import type { APIRequestContext } from "@playwright/test";

/** A message in the demo's mailbox. */
export interface Mail {
  id: string;
  from: string;
  to: string[];
  subject: string;
  html: string | null;
  text: string | null;
}

/** The mailbox's port is the shop's plus three. */
export function mailboxOf(baseURL: string | undefined): string {
  const shop = new URL(baseURL ?? "");
  return `${shop.protocol}//${shop.hostname}:${Number(shop.port) + 3}`;
}

/** The messages to an address, newest first. */
export async function mailTo(
  request: APIRequestContext,
  baseURL: string | undefined,
  address: string,
): Promise<Mail[]> {
  const answer = await request.get(`${mailboxOf(baseURL)}/messages.json`);
  const mails = (await answer.json()) as Mail[];
  return mails.filter(({ to }) => to.includes(address));
}
