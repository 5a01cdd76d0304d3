'use client';

import { keyLabel, keysOf, type ShortcutId } from './shortcuts.ts';
import { useChangedKeys, useSingleKeys } from './use-shortcuts.ts';

/** Returns the current keys of a shortcut as displayed. Empty if single-key shortcuts are off. */
export function useShownKeys(id: ShortcutId): string[] {
  const { isOn } = useSingleKeys();
  const { changed } = useChangedKeys();
  return isOn ? keysOf(id, changed).map(keyLabel) : [];
}

/** Shows the keys of a shortcut in the button with the same action. */
export function ShortcutKey({ id }: { id: ShortcutId }) {
  return useShownKeys(id).map((key) => <kbd key={key}>{key}</kbd>);
}

type MoveKeysProps = { next: ShortcutId; previous: ShortcutId; words?: string };

/** Shows the two keys that move through a list, with a description. Renders nothing without a key. */
export function MoveKeys({ next, previous, words = 'move' }: MoveKeysProps) {
  const keys = [...useShownKeys(next), ...useShownKeys(previous)];
  if (keys.length === 0) return null;
  return (
    <span className="space-x-1 pointer-coarse:hidden">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
      <span>{words}</span>
    </span>
  );
}
