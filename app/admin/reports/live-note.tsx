import type { Live } from "./use-live";

const TONES = { Live: "good", "Not connected": "warn", Paused: "info" };

/** Beside the title of a page that updates itself: how current it is, and a button that stops that. */
export function LiveNote({ live, updatedAt }: { live: Live; updatedAt: string }) {
  const { state, togglePause } = live;
  return (
    <>
      <span className="tag" data-tone={TONES[state]}>
        {`${state}, as of ${updatedAt.slice(11)}`}
      </span>
      <button type="button" className="link needs-scripts" onClick={togglePause}>
        {state === "Paused" ? "Resume updates" : "Pause updates"}
      </button>
    </>
  );
}
