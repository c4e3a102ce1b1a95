import { Labeled } from "../../ui/field";

interface Props {
  name: string;
  label: string;
  hint?: string;
  problem: string | undefined;
}

export function TextArea({ name, label, hint, problem }: Props) {
  return (
    <Labeled label={label} problem={problem} {...(hint && { hint })}>
      {(control) => <textarea className="input" name={name} maxLength={2_000} {...control} />}
    </Labeled>
  );
}
