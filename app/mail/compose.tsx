import type { ReactElement } from "react";
import type { MailProps, WrittenMail } from "../lib/types";
import { type Content, type MailTable, oneLine, paragraph, type Sender } from "./content";
import { MailDocument } from "./html";
import { plainText } from "./text";

/** Adds the texts set by staff: another subject, and paragraphs after the greeting and at the end. */
function withStaffTexts(
  content: Content,
  { subject, opening, closing }: MailProps["words"],
  mail: MailProps["mail"],
  { company }: Sender,
): Content {
  const values: Record<string, string> = {
    company: company.name,
    email: company.email,
    number: "number" in mail ? mail.number : "",
  };
  const fillPlaceholders = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? "");
  const paragraphs = (text: string) =>
    fillPlaceholders(text)
      .split(/\n\s*\n/)
      .filter((part) => part.trim())
      .map((part) => paragraph(oneLine(part)));
  const [first, ...rest] = content.blocks;
  const isGreeting = first?.type === "paragraph" && first.text.startsWith("Hello");
  const blocks = isGreeting
    ? [first, ...paragraphs(opening), ...rest]
    : [...paragraphs(opening), ...content.blocks];
  return {
    ...content,
    subject: subject ? fillPlaceholders(subject) : content.subject,
    blocks: [...blocks, ...paragraphs(closing)],
  };
}

/** The subject and both parts of an email as JSON. */
export async function composeEmail(
  mails: MailTable,
  { mail, words, ...sender }: MailProps,
  render: (element: ReactElement) => string | Promise<string>,
): Promise<string> {
  // The table's type guarantees that the function accepts this kind.
  const compose = mails[mail.kind] as (mail: MailProps["mail"], sender: Sender) => Content;
  if (!compose) throw new Error(`Unknown mail: ${mail.kind}`);
  const content = withStaffTexts(compose(mail, sender), words, mail, sender);
  const parts: WrittenMail = {
    subject: oneLine(content.subject),
    html: await render(<MailDocument content={content} sender={sender} />),
    text: plainText(content, sender),
  };
  return JSON.stringify(parts);
}
