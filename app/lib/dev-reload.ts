/** Development only: shows a new build right away. Styles are replaced in place; anything else reloads the page. */
export function followRebuilds(): void {
  const events = new EventSource("/dev/reload");
  events.addEventListener("message", ({ data }) => {
    if (data === "css") void swapStyles();
    else location.reload();
  });
}

/** File names change with their contents, so the new ones are taken from a fresh copy of the page. */
async function swapStyles(): Promise<void> {
  const response = await fetch(location.href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const old = document.querySelectorAll<HTMLLinkElement>(STYLE_SHEETS);
  for (const sheet of page.querySelectorAll<HTMLLinkElement>(STYLE_SHEETS)) {
    const fresh = document.importNode(sheet, true);
    // Removes the old one only now, to avoid a flash of unstyled content. Those of other pages stay.
    fresh.addEventListener("load", () => {
      for (const each of old) if (nameOf(each) === nameOf(fresh)) each.remove();
    });
    document.head.append(fresh);
  }
}

const nameOf = ({ href }: HTMLLinkElement) => href.replace(/-\w+\.css$/, "");

const STYLE_SHEETS = 'link[rel="stylesheet"]';
