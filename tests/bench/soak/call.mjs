import { request } from "node:http";

/**
 * A request, as from the shop's own page. `from` is the address of this machine that it comes from, on a connection of its
 * own. Status 0 says that there was no answer.
 */
export function call(origin, method, path, { agent, cookie, body, csv, form, from } = {}) {
  const [type, content] =
    csv !== undefined
      ? ["text/csv", csv]
      : form !== undefined
        ? ["application/x-www-form-urlencoded", form]
        : ["application/json", body === undefined ? null : JSON.stringify(body)];
  const headers = { origin, "sec-fetch-site": "same-origin" };
  if (cookie) headers.cookie = cookie;
  if (content !== null) {
    headers["content-type"] = type;
    headers["content-length"] = Buffer.byteLength(content);
  }
  const options = { method, headers, ...(from ? { localAddress: from, agent: false } : { agent }) };
  return new Promise((resolve) => {
    const failed = (error) => resolve({ status: 0, headers: {}, text: String(error) });
    const sent = request(new URL(path, origin), { ...options, family: 4 }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("error", failed);
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on("error", failed);
    sent.end(content ?? undefined);
  });
}
