import { useSyncExternalStore } from 'react';

/** Returns the name of the command modifier key: ⌘ on Apple systems, otherwise Ctrl. */
export function useModKey(): '⌘' | 'Ctrl' {
  return useSyncExternalStore(
    () => () => {},
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'),
    () => 'Ctrl',
  );
}
