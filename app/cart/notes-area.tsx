import { clearNotes, useNotes } from "./notes";

/** What has changed in the cart while the shopper was elsewhere. */
export function Notes() {
  const notes = useNotes();
  if (notes.length === 0) return null;
  return (
    <div className="cart-removed" role="status">
      <ul>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <button type="button" className="link" onClick={clearNotes}>
        Got it
      </button>
    </div>
  );
}
