// Loaded when the page is idle, or with the first message.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { createLayer } from "../lib/layers";
import { timers } from "../lib/timers";
import { removeToast, useToasts } from "../lib/toast-store";
import { Message } from "./toast-message";

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

interface LayerProps {
  area: RefObject<HTMLElement | null>;
  group: string | undefined;
  baseZIndex: number;
}

/** Raises the area with every new message, and resets its z-index after the last one. Escape closes the newest message. */
export function Layer({ area, group, baseZIndex }: LayerProps) {
  const toasts = useToasts(group);
  const newest = toasts.at(-1)?.id;
  useEscape(toasts.findLast(({ closable }) => closable !== false)?.id);
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

/** Closes a message on Escape, unless the key closes something else: suggestions, a menu, a drawer, or a dialog. */
function useEscape(id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return;
    const openMenus = () => document.querySelectorAll("details[open]").length;
    let before = 0;
    const stop = new AbortController();
    const { signal } = stop;
    // One listener runs before all others, one after them.
    const count = () => {
      before = openMenus();
    };
    const close = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== "Escape" || defaultPrevented || openMenus() < before) return;
      // Browsers ignore what they do not know only within `:is`.
      if (!document.querySelector(":is(:modal, :popover-open)")) removeToast(id);
    };
    addEventListener("keydown", count, { signal, capture: true });
    addEventListener("keydown", close, { signal });
    return () => stop.abort();
  }, [id]);
}
