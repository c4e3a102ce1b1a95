/** The company's name as a logo; an ampersand in it is amber. */
export function Wordmark({ name }: { name: string }) {
  const at = name.indexOf("&");
  if (at < 0) return <span className="wordmark">{name}</span>;
  return (
    <span className="wordmark">
      {name.slice(0, at)}
      <span className="wordmark-and">&amp;</span>
      {name.slice(at + 1)}
    </span>
  );
}
