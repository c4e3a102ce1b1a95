import type { Tone } from "./words";

export function Tag({ of: [text, tone] }: { of: readonly [text: string, tone?: Tone] }) {
  return (
    <span className="tag" data-tone={tone}>
      {text}
    </span>
  );
}
