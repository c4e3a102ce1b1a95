import { useEffect } from "react";
import { isRecord, local } from "../../lib/storage";

const KEY = "shop.admin.keys";
const isSetting = (value: unknown): value is { on: boolean } =>
  isRecord(value) && typeof value.on === "boolean";

/** Whether single-key shortcuts are on. People who use speech input or have a tremor can turn them off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return local.read(KEY, isSetting)?.on ?? true;
}

export function setSingleKeysOn(on: boolean): void {
  local.write(KEY, { on });
}

/** Whether the key press goes into a text field. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

/** Actions by shortcut: a key, two keys in sequence such as `g o`, or with Ctrl or Cmd as in `mod+k`. */
export type Shortcuts = Record<string, () => void>;

const SECOND_KEY_MS = 1_000;

/** Handles shortcuts while the component is mounted. */
export function useShortcuts(keys: Shortcuts): void {
  useEffect(() => {
    let first = "";
    let at = 0;
    function onKeyDown(event: KeyboardEvent): void {
      // Shortcuts are off behind the age gate.
      if (event.defaultPrevented || event.altKey || document.querySelector(".gate")) return;
      const mod = event.metaKey || event.ctrlKey;
      if (
        !mod &&
        (isTyping(event.target) || document.querySelector("dialog[open]") || !areSingleKeysOn())
      )
        return;
      const key = mod ? `mod+${event.key.toLowerCase()}` : event.key;
      const pair = event.timeStamp - at < SECOND_KEY_MS ? `${first} ${key}` : key;
      const act = keys[pair] ?? keys[key];
      [first, at] = [key, event.timeStamp];
      if (!act) return;
      event.preventDefault();
      first = "";
      act();
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [keys]);
}
