import { useEffect, useRef, useState } from "react";
import { whenIdle } from "../lib/quiet";
import { loadToastsWith } from "../lib/toast";

interface Props {
  /** Shows only messages of this group; without it, messages that have no group. */
  group?: string;
  position?:
    | "top-left"
    | "top-center"
    | "top-right"
    | "bottom-left"
    | "bottom-center"
    | "bottom-right";
  /** 0 means the default minimum. */
  baseZIndex?: number;
  /** Called on hover and focus with what pauses the countdown; it resumes afterward. */
  onHover?: (pause: () => void) => void;
}

/** The notification area. Both live regions always exist: screen readers announce only additions to an existing one. */
export function Toasts({ group, position = "top-right", baseZIndex = 0, onHover }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const [code, setCode] = useState<typeof import("./toast-messages") | null>(null);
  useEffect(() => {
    // If it fails, messages wait for the next one.
    const load = () => void import("./toast-messages").then(setCode, () => {});
    loadToastsWith(load);
    whenIdle(load);
  }, []);
  return (
    <div ref={area} className={`toasts toasts-${position}`}>
      <div role="alert" aria-atomic="false">
        {code && <code.Messages isUrgent group={group} onHover={onHover} />}
      </div>
      <div role="status" aria-atomic="false">
        {code && <code.Messages isUrgent={false} group={group} onHover={onHover} />}
      </div>
      {code && <code.Layer area={area} group={group} baseZIndex={baseZIndex} />}
    </div>
  );
}
