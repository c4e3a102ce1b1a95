import { useLayoutEffect, useRef } from "react";
import { createLayer } from "../lib/layers";
import { timers } from "../lib/timers";
import {
  pauseToast,
  removeToast,
  resumeToast,
  type Severity,
  type Toast,
  useToasts,
} from "../lib/toast";

interface Props {
  /** Shows only messages of this group; without it, those of no group. */
  group?: string;
  position?:
    | "top-left"
    | "top-center"
    | "top-right"
    | "bottom-left"
    | "bottom-center"
    | "bottom-right";
  /** 0 lets the layers decide. */
  baseZIndex?: number;
  /** With a handler, hover and focus hold the countdown. */
  onHover?: (toast: Toast) => void;
}

/** The notification area. Both live regions are always there: screen readers announce only what enters a known one. */
export function Toasts({ group, position = "top-right", baseZIndex = 0, onHover }: Props) {
  const toasts = useToasts(group);
  const area = useLayeredArea(toasts.at(-1)?.id, baseZIndex);
  const show = (toast: Toast) => <Message key={toast.id} toast={toast} onHover={onHover} />;
  return (
    <div ref={area} className={`toasts toasts-${position}`}>
      <div role="alert" aria-atomic="false">
        {toasts.filter(isUrgent).map(show)}
      </div>
      <div role="status" aria-atomic="false">
        {toasts.filter((toast) => !isUrgent(toast)).map(show)}
      </div>
    </div>
  );
}

/** Raises the area with every new message, and lets it sink after the last one. */
function useLayeredArea(newest: number | undefined, baseZIndex: number) {
  const area = useRef<HTMLDivElement>(null);
  const layer = useRef<ReturnType<typeof createLayer>>(null);
  useLayoutEffect(() => {
    layer.current ??= createLayer(timers, (zIndex) => {
      if (area.current) area.current.style.zIndex = zIndex === null ? "" : String(zIndex);
    });
    if (newest !== undefined) layer.current.raise(baseZIndex);
    return () => layer.current?.leave();
  }, [newest, baseZIndex]);
  return area;
}

interface MessageProps {
  toast: Toast;
  onHover: ((toast: Toast) => void) | undefined;
}

function Message({ toast, onHover }: MessageProps) {
  const { id, severity, summary, detail, closable = true } = toast;
  const hold = () => {
    pauseToast(id);
    onHover?.(toast);
  };
  const release = () => resumeToast(id);
  const holding = onHover && {
    onPointerEnter: hold,
    onPointerLeave: release,
    onFocus: hold,
    onBlur: release,
  };
  return (
    <div className={`toast toast-${severity}`} {...holding}>
      <svg className="toast-icon" viewBox="0 0 20 20" aria-hidden="true">
        <path d={ICONS[severity]} />
      </svg>
      <div className="toast-text">
        {summary && <p className="toast-summary">{summary}</p>}
        {detail && <p className="toast-detail">{detail}</p>}
      </div>
      {closable && (
        <button
          type="button"
          className="toast-close"
          aria-label="Close notification"
          onClick={() => removeToast(id)}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M5 5l10 10M15 5L5 15" />
          </svg>
        </button>
      )}
    </div>
  );
}

function isUrgent({ severity }: Toast): boolean {
  return severity === "warn" || severity === "error";
}

/** Strokes on a 20 × 20 grid. */
const ICONS: Record<Severity, string> = {
  info: "M10 9v5M10 6v.5M10 18a8 8 0 100-16 8 8 0 000 16z",
  success: "M6 10.5l3 3 5.5-6.5M10 18a8 8 0 100-16 8 8 0 000 16z",
  warn: "M10 8v4M10 14.5v.5M10 2.5l8 14.5H2z",
  error: "M7 7l6 6M13 7l-6 6M10 18a8 8 0 100-16 8 8 0 000 16z",
};
