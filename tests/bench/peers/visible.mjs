// What a visitor gets of a document: the elements and texts in #root, without what differs between hosts for no reason.

import { parse } from "parse5";

/** Elements that show nothing. */
const SILENT = new Set(["script", "link", "style", "template", "meta", "title"]);

/** One line per tag and text. */
export function visible(document) {
  const root = find(parse(document), (node) => attribute(node, "id") === "root");
  if (!root) throw new Error("The document has no #root");
  const lines = [];
  const ids = new Map();
  for (const child of root.childNodes) write(child, lines, ids);
  return lines;
}

function write(node, lines, ids) {
  if (node.nodeName === "#comment" || SILENT.has(node.nodeName)) return;
  if (node.nodeName === "#text") {
    // Hosts separate texts by comments in different places.
    const last = lines.length - 1;
    if (lines[last]?.startsWith("text ")) lines[last] += node.value;
    else lines.push(`text ${node.value}`);
    return;
  }
  const attributes = node.attrs.map(({ name, value }) => `${name}="${named(value, ids)}"`).sort();
  lines.push(`<${[node.nodeName, ...attributes].join(" ")}>`);
  for (const child of node.childNodes) write(child, lines, ids);
  lines.push(`</${node.nodeName}>`);
}

/** React's generated ids, by the order in which they appear. */
function named(value, ids) {
  return value.replace(/_[Rr]_\w*_|«\w+»/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`);
    return ids.get(id);
  });
}

function find(node, wanted) {
  if (wanted(node)) return node;
  for (const child of node.childNodes ?? []) {
    const found = find(child, wanted);
    if (found) return found;
  }
  return undefined;
}

function attribute(node, name) {
  return node.attrs?.find((each) => each.name === name)?.value;
}
