/** Development only: shows a rebuild at once. Styles are swapped in place, anything else loads the page again. */
export function followRebuilds(): void {
  const events = new EventSource("/dev/reload");
  events.addEventListener("message", ({ data }) => {
    if (data === "css") void swapStyles();
    else location.reload();
  });
}

/** Names of style sheets change with their contents: the page as it would load now knows the new ones. */
async function swapStyles(): Promise<void> {
  const response = await fetch(location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const old = document.querySelectorAll(STYLE_SHEETS);
  for (const sheet of page.querySelectorAll(STYLE_SHEETS)) {
    const fresh = document.importNode(sheet, true);
    // The old ones stay until then: no flash of a page without styles.
    fresh.addEventListener("load", () => {
      for (const each of old) each.remove();
    });
    document.head.append(fresh);
  }
}

const STYLE_SHEETS = 'link[rel="stylesheet"]';
