import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 761px)';

/** Returns true if the viewport fits two text columns. True on the server. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(WIDE);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(WIDE).matches,
    () => true,
  );
}
