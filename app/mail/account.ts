import {
  button,
  type Content,
  facts,
  greeting,
  type MailOf,
  paragraph,
  type Sender,
} from "./content";

export function welcome({ name }: MailOf<"welcome">, { origin, company }: Sender): Content {
  return {
    subject: `Welcome to ${company.name}`,
    preheader: "Your account is ready.",
    heading: `Welcome to ${company.name}`,
    blocks: [
      greeting(name),
      paragraph(
        "Your account is ready. Your cart follows you from device to device, and your orders and addresses are all in one place.",
      ),
      button("Go to your account", `${origin}/account`),
      paragraph(
        `If you didn’t create an account, email us at ${company.email} and we’ll remove it.`,
      ),
    ],
  };
}

export function newSignIn(mail: MailOf<"new_sign_in">, { origin, company }: Sender): Content {
  return {
    subject: "New sign-in to your account",
    preheader: `${mail.device}, ${mail.signed_in_at}.`,
    heading: "New sign-in",
    blocks: [
      greeting(mail.name),
      paragraph("Someone signed in to your account on a device we haven’t seen before."),
      facts([
        { label: "When", value: mail.signed_in_at },
        { label: "Device", value: mail.device },
      ]),
      paragraph(
        `If this was you, you don’t need to do anything. If not, sign out that device in your account, change your password, and email ${company.email}.`,
      ),
      button("Review your devices", `${origin}/account`),
    ],
  };
}

export function accountDeleted(
  { name }: MailOf<"account_deleted">,
  { origin, company }: Sender,
): Content {
  return {
    subject: "Your account has been deleted",
    preheader: `We’ve deleted your account at ${company.name}.`,
    heading: "Your account has been deleted",
    blocks: [
      greeting(name),
      paragraph(
        "We’ve deleted your account, including your profile, addresses, and preferences. We keep order records as long as the law requires. An order that isn’t finished keeps your name and address until it is.",
      ),
      paragraph(`If you didn’t ask for this, email ${company.email} right away.`),
      button("Read our privacy policy", `${origin}/content/legal/privacy-policy`),
    ],
  };
}

export function testMail({ sent_at }: MailOf<"test">, { origin, company }: Sender): Content {
  return {
    subject: `Test email from ${company.name}`,
    preheader: "Email from the shop works.",
    heading: "Email from the shop works",
    blocks: [
      paragraph("A staff member sent this email to check that email works. It does."),
      facts([
        { label: "Sent", value: sent_at },
        { label: "Shop", value: origin },
      ]),
      button("Open the shop", `${origin}/`),
    ],
  };
}
