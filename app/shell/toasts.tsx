import { type SyntheticEvent, useLayoutEffect, useRef } from "react";
import { createLayer } from "../lib/layers";
import { timers } from "../lib/timers";
import { removeToast, resumeToast, type Toast, useToasts } from "../lib/toast";
import { Icon } from "../ui/icon";

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
  /** Called on hover and focus, to pause the countdown; it resumes afterward. */
  onHover?: (toast: Toast) => void;
}

/** The notification area. Both live regions always exist: screen readers announce only additions to an existing one. */
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

/** Raises the area with every new message, and resets its z-index after the last one. */
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
  const { id, severity, summary, detail, closable = true, toCart } = toast;
  const pause = () => onHover?.(toast);
  const resume = ({ currentTarget }: SyntheticEvent) => {
    // It may still be hovered or focused.
    if (!currentTarget.matches(":hover, :focus-within")) resumeToast(id);
  };
  const hoverHandlers = onHover && {
    onPointerEnter: pause,
    onPointerLeave: resume,
    onFocus: pause,
    onBlur: resume,
  };
  return (
    <div className={`toast toast-${severity}`} {...hoverHandlers}>
      <i className="toast-icon" />
      <div className="toast-text">
        {summary && <p className="toast-summary">{summary}</p>}
        {detail && <p className="toast-detail">{detail}</p>}
        {toCart && (
          <a className="toast-link" href="/cart">
            View cart
          </a>
        )}
      </div>
      {closable && (
        <button
          type="button"
          className="toast-close"
          aria-label="Close notification"
          onClick={() => removeToast(id)}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

function isUrgent({ severity }: Toast): boolean {
  return severity === "warn" || severity === "error";
}
