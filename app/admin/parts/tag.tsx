/** The color of a status tag. */
export type Tone = "good" | "warn" | "bad" | "info" | undefined;
export type TagLabels<State extends string> = Record<State, readonly [text: string, tone?: Tone]>;

export function Tag({ of: [text, tone] }: { of: readonly [text: string, tone?: Tone] }) {
  return (
    <span className="tag" data-tone={tone}>
      {text}
    </span>
  );
}
