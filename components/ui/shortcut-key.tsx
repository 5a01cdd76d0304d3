'use client';

import { keyLabel, keysOf, type ShortcutId } from './shortcuts.ts';
import { useChangedKeys, useSingleKeys } from './use-shortcuts.ts';

/** The keys of a shortcut as people read them now; none where single keys are switched off. */
export function useShownKeys(id: ShortcutId): string[] {
  const { isOn } = useSingleKeys();
  const { changed } = useChangedKeys();
  return isOn ? keysOf(id, changed).map(keyLabel) : [];
}

/** The keys of a shortcut, for the button that does the same. */
export function ShortcutKey({ id }: { id: ShortcutId }) {
  return useShownKeys(id).map((key) => <kbd key={key}>{key}</kbd>);
}

type MoveKeysProps = { next: ShortcutId; previous: ShortcutId; words?: string };

/** The two keys that move through a list, with what they do; nothing without a key. */
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
