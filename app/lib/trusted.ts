interface Rules {
  createHTML(html: string): string | TrustedHTML;
  createScript(code: string): string;
  createScriptURL(url: string): string;
}

declare global {
  var trustedTypes: { createPolicy(name: string, rules: Rules): Rules } | undefined;
}

// What is passed stays as it is.
const rules: Rules = { createHTML: String, createScript: String, createScriptURL: String };

/**
 * Where the content security policy demands it, the browser turns text into HTML, a script or its address only through
 * this (`server/http/layers/headers.rs`). Callers may pass what the server rendered, data, and addresses that are constants.
 */
export const trusted: Rules = globalThis.trustedTypes?.createPolicy("shop", rules) ?? rules;
