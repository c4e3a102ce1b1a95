/** Development only: shows a rebuild at once. Styles are swapped in place, anything else loads the page again. */
export function followRebuilds(): void {
  const events = new EventSource("/dev/reload");
  events.addEventListener("message", ({ data }) => {
    if (data === "css") swapStyles();
    else location.reload();
  });
}

function swapStyles(): void {
  for (const sheet of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    const fresh = sheet.cloneNode() as HTMLLinkElement;
    const url = new URL(sheet.href);
    url.search = `?${Date.now()}`;
    fresh.href = url.href;
    // The old one stays until the new one is there: no flash of unstyled content.
    fresh.addEventListener("load", () => sheet.remove());
    sheet.after(fresh);
  }
}
