import type { ReactElement } from "react";
import type { Letter, WrittenLetter } from "../lib/types";
import { type Content, type MailTable, oneLine, type Sender } from "./content";
import { MailDocument } from "./html";
import { plainText } from "./text";

/** Subject and both parts of a mail as JSON. */
export async function writeLetter(
  mails: MailTable,
  { mail, ...sender }: Letter,
  render: (element: ReactElement) => string | Promise<string>,
): Promise<string> {
  // The table pairs each kind with what takes it.
  const say = mails[mail.kind] as (mail: Letter["mail"], sender: Sender) => Content;
  if (!say) throw new Error(`Unknown mail: ${mail.kind}`);
  const content = say(mail, sender);
  const written: WrittenLetter = {
    subject: oneLine(content.subject),
    html: await render(<MailDocument content={content} sender={sender} />),
    text: plainText(content, sender),
  };
  return JSON.stringify(written);
}
