// Loaded when the page is idle, or with the first message.
import { type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from "react";
import { createLayer } from "../lib/layers";
import { timers } from "../lib/timers";
import { pauseToast, removeToast, resumeToast, type Toast, useToasts } from "../lib/toast-store";
import { Icon } from "../ui/icon";

interface Props {
  /** Shows either the messages that are announced at once, or the others. */
  isUrgent: boolean;
  group: string | undefined;
  onHover: ((pause: () => void) => void) | undefined;
}

export function Messages({ isUrgent, group, onHover }: Props) {
  return useToasts(group)
    .filter(({ severity }) => (severity === "warn" || severity === "error") === isUrgent)
    .map((toast) => <Message key={toast.id} toast={toast} onHover={onHover} />);
}

interface MessageProps {
  toast: Toast;
  onHover: ((pause: () => void) => void) | undefined;
}

function Message({ toast, onHover }: MessageProps) {
  const { id, severity, summary, detail, closable = true, toCart } = toast;
  const pause = () => onHover?.(() => pauseToast(id));
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

interface LayerProps {
  area: RefObject<HTMLElement | null>;
  group: string | undefined;
  baseZIndex: number;
}

/** Raises the area with every new message, and resets its z-index after the last one. */
export function Layer({ area, group, baseZIndex }: LayerProps) {
  const newest = useToasts(group).at(-1)?.id;
  const layer = useRef<ReturnType<typeof createLayer>>(null);
  useLayoutEffect(() => {
    layer.current ??= createLayer(timers, (zIndex) => {
      if (area.current) area.current.style.zIndex = zIndex === null ? "" : String(zIndex);
    });
    if (newest !== undefined) layer.current.raise(baseZIndex);
    return () => layer.current?.leave();
  }, [area, newest, baseZIndex]);
  return null;
}
