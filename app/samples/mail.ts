import type { MailSettingsPage, TestEmailPage } from "../lib/types";
import { repeat } from "./base";

export const testEmail: TestEmailPage = {
  enabled: true,
  to: "hello@example.com",
  kind: "test",
  kinds: [{ value: "test", label: "Plain test" }],
  outcome: { accepted: false, message: "The mail server refused the message.", detail: "550" },
};

export const mailSettings: MailSettingsPage = {
  version: 1,
  kinds: repeat(2, (index) => ({
    kind: `sample_${index}`,
    label: `Sample ${index}`,
    placeholders: ["company", "email"],
    words: { subject: "", opening: index === 0 ? "Dear reader" : "", closing: "" },
  })),
};
