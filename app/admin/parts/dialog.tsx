import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { Icon } from "../../ui/icon";

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  /** Wide enough for tables. */
  wide?: boolean;
  children: ReactNode;
}

/** A modal dialog. The browser keeps the focus in it and restores it afterward. */
export function Dialog({ title, open, onClose, wide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  // Before an open one is removed: only `close` restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={wide ? "admin-dialog admin-dialog-wide" : "admin-dialog"}
      aria-labelledby={id}
      // React also tells that a dialog inside of this one was closed.
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {open && (
        <>
          <div className="admin-dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
