import type { ReactNode } from "react";

interface Props {
  id: string;
  title: string;
  /** While a payment is on its way nothing here can be changed. */
  busy?: boolean;
  children: ReactNode;
}

export function Section({ id, title, busy = false, children }: Props) {
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
  /** What it costs, in words. */
  end?: string;
  onChoose: () => void;
}

/** One of a few ways, with what there is to know about it. */
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
