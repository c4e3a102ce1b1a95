import type { ReactNode } from "react";

interface Props {
  id: string;
  title: string;
  /** During a payment nothing can be changed. */
  busy?: boolean;
  children: ReactNode;
}

export function Section({ id, title, busy, children }: Props) {
  return (
    <section className="checkout-section" aria-labelledby={id} inert={busy}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface ChoiceProps {
  name: string;
  value: string;
  checked: boolean;
  title: string;
  note: string;
  /** The price as text. */
  end?: string;
  onChoose: () => void;
}

/** A radio button with a title, a note, and a price. */
export function Choice({ name, value, checked, title, note, end, onChoose }: ChoiceProps) {
  return (
    <label className="way">
      <input type="radio" name={name} value={value} checked={checked} onChange={onChoose} />
      <span className="way-text">
        <b>{title}</b>
        <span>{note}</span>
      </span>
      {end && <span className="way-end">{end}</span>}
    </label>
  );
}
