import { call } from "./call.mjs";

/** The cookies of an adult, signed in with an account of the demonstration's identity provider if one is named. */
export async function signIn(origin, account) {
  const jar = new Map();
  const ask = async (method, url, options = {}) => {
    const { origin: site, pathname, search } = new URL(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await call(site, method, pathname + search, { cookie, ...options });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      jar.set(name, value);
    }
    return answer;
  };
  await ask("POST", `${origin}/api/verify-age`, { body: { birth_date: "1980-05-17" } });
  if (account) {
    const asked = await ask("GET", `${origin}/auth/login?return_to=/account`);
    const provider = new URL(asked.headers.location);
    const form = new URLSearchParams({
      request: provider.search.slice(1),
      account: `demo-${account}`,
    });
    const chosen = await ask("POST", `${provider.origin}/sign-in`, { form: String(form) });
    await ask("GET", chosen.headers.location);
    if (![...jar.keys()].some((name) => name.endsWith("session")))
      throw new Error(
        `${account} could not sign in: ${chosen.status} ${chosen.text.slice(0, 200)}`,
      );
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}
