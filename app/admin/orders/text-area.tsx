import { Labeled } from "../../ui/field";

interface WordsProps {
  name: string;
  label: string;
  hint?: string;
  problem: string | undefined;
}

export function Words({ name, label, hint, problem }: WordsProps) {
  return (
    <Labeled label={label} problem={problem} {...(hint && { hint })}>
      {(control) => <textarea className="input" name={name} maxLength={2_000} {...control} />}
    </Labeled>
  );
}
