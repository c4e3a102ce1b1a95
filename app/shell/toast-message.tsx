import type { SyntheticEvent } from "react";
import { pauseToast, removeToast, resumeToast, type Toast } from "../lib/toast-store";
import { Icon } from "../ui/icon";

interface Props {
  toast: Toast;
  onHover: ((pause: () => void) => void) | undefined;
}

export function Message({ toast, onHover }: Props) {
  const { id, severity, summary, detail, closable = true, toCart, toSignIn } = toast;
  const pause = () => onHover?.(() => pauseToast(id));
  const resume = ({ currentTarget }: SyntheticEvent) => {
    // It may still be focused or hovered; what was tapped stays hovered until something else is.
    const held = matchMedia("(hover: hover)").matches ? ":hover, :focus-within" : ":focus-within";
    if (!currentTarget.matches(held)) resumeToast(id);
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
        {toSignIn && (
          <a
            className="toast-link"
            href={`/auth/login?return_to=${encodeURIComponent(location.pathname)}`}
            // The page stays where a popup opens, and it would say what is no longer true.
            onClick={() => removeToast(id)}
          >
            Sign in
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
