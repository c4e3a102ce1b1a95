import type { CSSProperties, ReactNode } from "react";
import type { Block, Content, Fact, LineRow, Sender, TotalRow } from "./content";

// Mail clients support little more than tables and style attributes. The style element is for clients with a dark mode;
// without it, the light colors of the attributes apply.

const SERIF = "Georgia, 'Times New Roman', serif";
const SANS = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
const PAPER = "#f6efe3";
const CARD = "#fffaf1";
const INK = "#2b1d14";
const SOFT = "#6b5646";
const LINE = "#e3d5c0";
const AMBER = "#8a4b08";

const DARK = `
@media (prefers-color-scheme: dark) {
  .paper { background-color: #1b1410 !important; }
  .card { background-color: #261c16 !important; border-color: #443428 !important; }
  .ink { color: #f3e8d8 !important; }
  .soft { color: #c9b59f !important; }
  .line { border-color: #443428 !important; }
  .link { color: #f0b264 !important; }
  .button { background-color: #f0b264 !important; color: #1b1410 !important; }
}`;

const text: CSSProperties = { fontFamily: SANS, fontSize: 16, lineHeight: "24px", color: INK };
const small: CSSProperties = { ...text, fontSize: 13, lineHeight: "20px", color: SOFT };
const label: CSSProperties = { ...small, fontWeight: 600 };
const under: CSSProperties = { borderBottom: `1px solid ${LINE}` };

/** The whole HTML part. */
export function MailDocument({ content, sender }: { content: Content; sender: Sender }) {
  const { subject, preheader, heading, blocks } = content;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{DARK}</style>
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: PAPER }}>
        <div style={{ display: "none", maxHeight: 0, overflow: "hidden", opacity: 0 }}>
          {preheader}
        </div>
        <Table className="paper" style={{ backgroundColor: PAPER }}>
          <tr>
            <td align="center" style={{ padding: "32px 12px" }}>
              <Table className="card" style={{ ...page, backgroundColor: CARD }}>
                <Row>
                  <a href={`${sender.origin}/`} className="ink" style={brand}>
                    {sender.company.name}
                  </a>
                </Row>
                <Row>
                  <h1 className="ink" style={title}>
                    {heading}
                  </h1>
                </Row>
                {blocks.map((block, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered.
                  <Row key={index}>
                    <BlockPart block={block} />
                  </Row>
                ))}
                <Row>
                  <Footer sender={sender} />
                </Row>
              </Table>
            </td>
          </tr>
        </Table>
      </body>
    </html>
  );
}

const page: CSSProperties = {
  maxWidth: 600,
  padding: "12px 0",
  border: `1px solid ${LINE}`,
  borderRadius: 8,
  textAlign: "left",
};
const brand: CSSProperties = {
  fontFamily: SERIF,
  fontSize: 20,
  fontWeight: 700,
  color: INK,
  textDecoration: "none",
};
const title: CSSProperties = {
  margin: 0,
  fontFamily: SERIF,
  fontSize: 28,
  lineHeight: "34px",
  fontWeight: 400,
  color: INK,
};

function BlockPart({ block }: { block: Block }) {
  switch (block.type) {
    case "paragraph":
      return <Text>{block.text}</Text>;
    case "notice":
      return (
        <Table>
          <tr>
            <td
              className="ink"
              style={{ ...text, padding: "12px 16px", borderLeft: `4px solid ${AMBER}` }}
            >
              {block.text}
            </td>
          </tr>
        </Table>
      );
    case "button":
      return <LinkButton href={block.href}>{block.label}</LinkButton>;
    case "facts":
      return <Facts rows={block.rows} />;
    case "lines":
      return <Lines title={block.title} rows={block.rows} />;
    case "totals":
      return <Totals rows={block.rows} />;
    case "address":
      return (
        <>
          <p className="soft" style={{ ...label, margin: 0 }}>
            {block.title}
          </p>
          {block.lines.map((line) => (
            <Text key={line}>{line}</Text>
          ))}
        </>
      );
  }
}

function Text({ children }: { children: ReactNode }) {
  return (
    <p className="ink" style={{ ...text, margin: 0 }}>
      {children}
    </p>
  );
}

function LinkButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className="button"
      style={{
        ...text,
        display: "inline-block",
        padding: "12px 24px",
        borderRadius: 6,
        backgroundColor: AMBER,
        color: "#ffffff",
        fontWeight: 600,
        textDecoration: "none",
      }}
    >
      {children}
    </a>
  );
}

function Facts({ rows }: { rows: Fact[] }) {
  return (
    <Table>
      {rows.map((row) => (
        <tr key={row.label}>
          <td className="soft" style={{ ...small, padding: "2px 16px 2px 0", width: "35%" }}>
            {row.label}
          </td>
          <td className="ink" style={{ ...text, padding: "2px 0" }}>
            {row.href ? (
              <a href={row.href} className="ink" style={{ color: INK }}>
                {row.value}
              </a>
            ) : (
              row.value
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Lines({ title, rows }: { title: string; rows: LineRow[] }) {
  return (
    <Table>
      <tr>
        <td colSpan={2} className="soft line" style={{ ...label, ...under, padding: "0 0 8px" }}>
          {title}
        </td>
      </tr>
      {rows.map(({ title, note, amount }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered.
        <tr key={index}>
          <td className="line" style={{ ...under, padding: "10px 16px 10px 0" }}>
            <Text>{title}</Text>
            <p className="soft" style={{ ...small, margin: 0 }}>
              {note}
            </p>
          </td>
          <td
            align="right"
            valign="top"
            className="ink line"
            style={{ ...text, ...under, padding: "10px 0", whiteSpace: "nowrap" }}
          >
            {amount}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Totals({ rows }: { rows: TotalRow[] }) {
  return (
    <Table>
      {rows.map(({ label, value, strong }, index) => {
        const style = { ...text, padding: "3px 0", fontWeight: strong ? 700 : 400 };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never reordered.
          <tr key={index}>
            <td className="ink" style={style}>
              {label}
            </td>
            <td align="right" className="ink" style={{ ...style, whiteSpace: "nowrap" }}>
              {value}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Footer({ sender: { company, demo } }: { sender: Sender }) {
  const lines = [company.address, company.phone, company.legal_line];
  if (demo) lines.unshift("This is a demo: nothing was sold.");
  return (
    <Table>
      <tr>
        <td
          className="soft line"
          style={{ ...small, borderTop: `1px solid ${LINE}`, paddingTop: 16 }}
        >
          <p style={{ margin: 0 }}>{company.name}</p>
          {lines.map((line) => (
            <p key={line} style={{ margin: 0 }}>
              {line}
            </p>
          ))}
          <p style={{ margin: 0 }}>
            <a href={`mailto:${company.email}`} className="link" style={{ color: AMBER }}>
              {company.email}
            </a>
          </p>
        </td>
      </tr>
    </Table>
  );
}

function Row({ children }: { children: ReactNode }) {
  return (
    <tr>
      <td style={{ padding: "12px 24px" }}>{children}</td>
    </tr>
  );
}

/** A layout table, which screen readers do not announce. */
function Table(props: { className?: string; style?: CSSProperties; children: ReactNode }) {
  const { className, style, children } = props;
  return (
    <table
      role="presentation"
      width="100%"
      cellPadding={0}
      cellSpacing={0}
      className={className}
      style={{ borderCollapse: "separate", ...style }}
    >
      <tbody>{children}</tbody>
    </table>
  );
}
