/** A link that begins an email to this address, which may have characters that begin fields of an email: `a?bcc=b@x.example`. */
export function mailto(email: string): string {
  const at = email.lastIndexOf("@");
  return `mailto:${encodeURIComponent(email.slice(0, at))}${email.slice(at)}`;
}
