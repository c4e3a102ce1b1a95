import { type Block, type Content, oneLine, type Sender } from "./content";

/** The plain text part. */
export function plainText({ heading, blocks }: Content, sender: Sender): string {
  const { company } = sender;
  const title = oneLine(heading);
  const parts = [`${title}\n${"=".repeat(title.length)}`, ...blocks.map(blockText)];
  const footer = [company.name, company.address, company.phone, company.email, company.legal_line];
  if (sender.demo) footer.unshift("This is a demo: nothing was sold.");
  return `${parts.join("\n\n")}\n\n-- \n${footer.map(oneLine).join("\n")}\n`;
}

function blockText(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return oneLine(block.text);
    case "notice":
      return `Please note: ${oneLine(block.text)}`;
    case "button":
      return `${oneLine(block.label)}:\n${block.href}`;
    case "facts":
    case "totals":
      return block.rows
        .map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`)
        .join("\n");
    case "lines":
      return [
        `${block.title}:`,
        ...block.rows.map(
          ({ title, note, amount }) => `- ${oneLine(title)}, ${oneLine(note)}: ${amount}`,
        ),
      ].join("\n");
    case "address":
      return [`${block.title}:`, ...block.lines.map(oneLine)].join("\n");
  }
}
