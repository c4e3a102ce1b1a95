import { type ComponentProps, type ReactNode, useId } from "react";

interface LabeledProps {
  label: string;
  problem: string | undefined;
  hint?: string;
  /** Receives the id and the ARIA attributes that connect label, hint, and problem to the control. */
  children: (control: {
    id: string;
    "aria-invalid": boolean;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** A form control with its label, hint, and error message. */
export function Labeled({ label, problem, hint, children }: LabeledProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": problem !== undefined,
        "aria-describedby": described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

interface Props extends ComponentProps<"input"> {
  name: string;
  label: string;
  problem: string | undefined;
  hint?: string;
}

export function Field({ label, problem, hint, ...input }: Props) {
  return (
    <Labeled label={label} problem={problem} {...(hint && { hint })}>
      {(control) => <input className="input" {...input} {...control} />}
    </Labeled>
  );
}
