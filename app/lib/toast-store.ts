import { useSyncExternalStore } from "react";
import { type Timers, timers } from "./timers";
import { startToasts, type ToastMessage } from "./toast";

export interface Toast extends ToastMessage {
  id: number;
}

interface Countdown {
  /** Milliseconds left when it was last started or paused. */
  remaining: number;
  since: number;
  /** Null while paused. */
  stop: (() => void) | null;
}

const NONE: readonly Toast[] = [];

export function createToastStore(timers: Timers) {
  let toasts: readonly Toast[] = NONE;
  let lastId = 0;
  const countdowns = new Map<number, Countdown>();
  const listeners = new Set<() => void>();

  function show(next: readonly Toast[]): void {
    toasts = next;
    for (const listener of listeners) listener();
  }

  function startCountdown(id: number, ms: number): void {
    const stop = timers.after(ms, () => removeToast(id));
    countdowns.set(id, { remaining: ms, since: timers.now(), stop });
  }

  function addToast(message: ToastMessage): number {
    lastId += 1;
    const toast = { ...message, id: lastId };
    show([...toasts, toast]);
    if (message.life) startCountdown(toast.id, message.life);
    return toast.id;
  }

  function removeToast(id: number): void {
    countdowns.get(id)?.stop?.();
    countdowns.delete(id);
    if (toasts.some((toast) => toast.id === id)) show(toasts.filter((toast) => toast.id !== id));
  }

  function pauseToast(id: number): void {
    const countdown = countdowns.get(id);
    if (!countdown?.stop) return;
    countdown.stop();
    countdown.stop = null;
    countdown.remaining -= timers.now() - countdown.since;
  }

  function resumeToast(id: number): void {
    const countdown = countdowns.get(id);
    if (countdown && !countdown.stop) startCountdown(id, Math.max(0, countdown.remaining));
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return { snapshot: () => toasts, subscribe, addToast, removeToast, pauseToast, resumeToast };
}

const store = createToastStore(timers);

export const { removeToast, pauseToast, resumeToast } = store;

startToasts(store.addToast);

/** The messages of one group, oldest first. */
export function useToasts(group: string | undefined): readonly Toast[] {
  return ofGroup(
    useSyncExternalStore(store.subscribe, store.snapshot, () => NONE),
    group,
  );
}

/** Without a group, those that have none. */
export function ofGroup(toasts: readonly Toast[], group: string | undefined): readonly Toast[] {
  return toasts.filter((toast) => toast.group === group);
}
