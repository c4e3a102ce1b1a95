import type { Letter, Mail } from "../lib/types";

/** What a mail says, before it is HTML or plain text: both parts are made from this. */
export interface Content {
  subject: string;
  /** What a list of mails shows beside the subject. */
  preheader: string;
  heading: string;
  blocks: Block[];
}

/** All texts are plain. Addresses are absolute. */
export type Block =
  | { type: "paragraph"; text: string }
  | { type: "notice"; text: string }
  | { type: "button"; label: string; href: string }
  | { type: "facts"; rows: Fact[] }
  | { type: "lines"; title: string; rows: LineRow[] }
  | { type: "totals"; rows: TotalRow[] }
  | { type: "address"; title: string; lines: string[] };

export interface Fact {
  label: string;
  value: string;
  /** Where the value leads. */
  href?: string;
}

export interface LineRow {
  title: string;
  note: string;
  amount: string;
}

export interface TotalRow extends Fact {
  /** The row that counts. */
  strong?: boolean;
}

export type MailOf<Kind extends Mail["kind"]> = Extract<Mail, { kind: Kind }>;

/** What does not depend on the kind of mail. */
export type Sender = Omit<Letter, "mail" | "words">;

export type MailTable = {
  [Kind in Mail["kind"]]: (mail: MailOf<Kind>, sender: Sender) => Content;
};

export const paragraph = (text: string): Block => ({ type: "paragraph", text });
export const notice = (text: string): Block => ({ type: "notice", text });
export const button = (label: string, href: string): Block => ({ type: "button", label, href });
export const facts = (rows: Fact[]): Block => ({ type: "facts", rows });

/** `Hello Ann,` or, for somebody whose name nobody knows, `Hello,`. */
export function greeting(name: string): Block {
  return paragraph(name.trim() ? `Hello ${name.trim()},` : "Hello,");
}

/** A text as one line: what a shopper typed makes no lines of its own. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
