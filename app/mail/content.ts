import type { Mail, MailProps } from "../lib/types";

/** The content of an email, from which both the HTML and the plain text part are made. */
export interface Content {
  subject: string;
  /** The preview text that mail clients show beside the subject. */
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
  /** Link target of the value. */
  href?: string;
}

export interface LineRow {
  title: string;
  note: string;
  amount: string;
}

export interface TotalRow extends Fact {
  /** Emphasized, for the final total. */
  strong?: boolean;
}

export type MailOf<Kind extends Mail["kind"]> = Extract<Mail, { kind: Kind }>;

/** The data that does not depend on the kind of email. */
export type Sender = Omit<MailProps, "mail" | "words">;

export type MailTable = {
  [Kind in Mail["kind"]]: (mail: MailOf<Kind>, sender: Sender) => Content;
};

export const paragraph = (text: string): Block => ({ type: "paragraph", text });
export const notice = (text: string): Block => ({ type: "notice", text });
export const button = (label: string, href: string): Block => ({ type: "button", label, href });
export const facts = (rows: Fact[]): Block => ({ type: "facts", rows });

/** `Hello Ann,` or, without a name, `Hello,`. */
export function greeting(name: string): Block {
  return paragraph(name.trim() ? `Hello ${name.trim()},` : "Hello,");
}

/** The text on a single line, so that line breaks in user input cannot add lines. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
