import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 761px)';

/** Whether there is room for two columns of text. On the server: yes. */
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
