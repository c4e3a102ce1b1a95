import { useState } from "react";
import type { NavItem } from "../../lib/types";
import { Dialog } from "./dialog";
import { areSingleKeysOn, setSingleKeysOn } from "./shortcuts";

const GENERAL: [string[], string][] = [
  [["Ctrl", "K"], "Search everything or go anywhere"],
  [["/"], "Search this list"],
  [["?"], "Show keyboard shortcuts"],
  [["Esc"], "Close"],
];

interface Props {
  open: boolean;
  items: NavItem[];
  onClose: () => void;
}

/** The list of keyboard shortcuts, and a setting to turn off single-key ones. */
export function ShortcutsDialog({ open, items, onClose }: Props) {
  return (
    <Dialog title="Keyboard shortcuts" open={open} onClose={onClose}>
      <dl className="shortcuts">
        {GENERAL.map(([keys, what]) => (
          <Shortcut key={what} keys={keys} what={what} />
        ))}
        {items.map(({ key, label }) => (
          <Shortcut key={label} keys={["g", key]} what={`Go to ${label}`} />
        ))}
      </dl>
      <Switch />
    </Dialog>
  );
}

function Shortcut({ keys, what }: { keys: string[]; what: string }) {
  return (
    <div>
      <dt>{what}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}

function Switch() {
  const [on, setOn] = useState(areSingleKeysOn);
  return (
    <label className="admin-check">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => {
          setOn(target.checked);
          setSingleKeysOn(target.checked);
        }}
      />
      Use single-key shortcuts on this device
    </label>
  );
}
