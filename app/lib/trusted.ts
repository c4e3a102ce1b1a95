interface Policy {
  createHTML(html: string): TrustedHTML;
  createScriptURL(url: string): string;
}

declare const trustedTypes:
  | { createPolicy(name: string, rules: Record<keyof Policy, (text: string) => string>): Policy }
  | undefined;

/**
 * Where the content security policy demands it, the browser turns text into HTML or into a script's address only through
 * this (`server/http/layers/headers.rs`). Callers may pass what the server rendered, and addresses that are constants.
 */
const policy =
  typeof trustedTypes === "undefined"
    ? undefined
    : trustedTypes.createPolicy("shop", { createHTML: same, createScriptURL: same });

function same(text: string): string {
  return text;
}

export function trustedHtml(html: string): string | TrustedHTML {
  return policy?.createHTML(html) ?? html;
}

/** Typed as the text that it stands for, since `src` is. */
export function trustedScriptUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
