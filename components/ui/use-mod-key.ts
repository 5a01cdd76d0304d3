import { useSyncExternalStore } from 'react';

/** The name of the key that goes with letters for commands: ⌘ on Apple's systems, else Ctrl. */
export function useModKey(): '⌘' | 'Ctrl' {
  return useSyncExternalStore(
    () => () => {},
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'),
    () => 'Ctrl',
  );
}
