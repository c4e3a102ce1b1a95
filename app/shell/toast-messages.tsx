// Loaded when the page is idle, or with the first message.
import { type RefObject, useLayoutEffect, useRef } from "react";
import { createLayer } from "../lib/layers";
import { timers } from "../lib/timers";
import { useToasts } from "../lib/toast-store";
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
