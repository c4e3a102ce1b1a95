import { type ComponentProps, type ReactNode, useId } from "react";

interface Props extends ComponentProps<"input"> {
  name: string;
  problem?: string | undefined;
  children: ReactNode;
}

/** A checkbox with an error message. */
export function Checkbox({ problem, children, ...input }: Props) {
  const id = useId();
  return (
    <div>
      <label className="admin-check">
        <input
          {...input}
          type="checkbox"
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? id : undefined}
        />
        <span>{children}</span>
      </label>
      {problem && (
        <p id={id} className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
