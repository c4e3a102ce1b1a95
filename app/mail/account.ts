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
        "Your account is ready. Your cart follows you from one device to another, and your orders and addresses are in one place.",
      ),
      button("Open your account", `${origin}/account`),
      paragraph(
        `If you did not create an account, tell us at ${company.email} and we will remove it.`,
      ),
    ],
  };
}

export function newSignIn(mail: MailOf<"new_sign_in">, { origin, company }: Sender): Content {
  return {
    subject: "A new sign-in to your account",
    preheader: `${mail.device}, ${mail.signed_in_at}.`,
    heading: "A new sign-in",
    blocks: [
      greeting(mail.name),
      paragraph("Somebody signed in to your account on a device that we had not seen before."),
      facts([
        { label: "When", value: mail.signed_in_at },
        { label: "Device", value: mail.device },
      ]),
      paragraph(
        `If it was you, there is nothing to do. If not, end that session in your account, change your password, and write to ${company.email}.`,
      ),
      button("See your sessions", `${origin}/account`),
    ],
  };
}

export function accountDeleted(
  { name }: MailOf<"account_deleted">,
  { origin, company }: Sender,
): Content {
  return {
    subject: "Your account has been deleted",
    preheader: `We have deleted your account at ${company.name}.`,
    heading: "Your account has been deleted",
    blocks: [
      greeting(name),
      paragraph(
        "We have deleted your account with its profile, addresses and preferences. Records of your orders stay as long as the law requires, and are used for nothing else.",
      ),
      paragraph(`If you did not ask for this, write to ${company.email} at once.`),
      button("Read our privacy policy", `${origin}/content/legal/privacy-policy`),
    ],
  };
}

export function testMail({ sent_at }: MailOf<"test">, { origin, company }: Sender): Content {
  return {
    subject: `A test mail of ${company.name}`,
    preheader: "Mail of the shop arrives.",
    heading: "Mail of the shop arrives",
    blocks: [
      paragraph("Somebody of the staff sent this mail to see whether mail works. It does."),
      facts([
        { label: "Sent", value: sent_at },
        { label: "Shop", value: origin },
      ]),
      button("Open the shop", `${origin}/`),
    ],
  };
}
