import { useRef } from 'react';

/**
 * Restores focus for dialogs without a trigger element. Remembers the focused element on opening and focuses it on closing. If it is gone,
 * the page's content is focused, so that Tab does not restart at the top of the page.
 */
export function useOpener() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    remember: () => {
      const { activeElement } = document;
      opener.current = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // The focus was moved deliberately in the meantime.
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const back = opener.current;
      const isThere = back?.isConnected === true && back.getClientRects().length > 0;
      (isThere ? back : document.getElementById('content'))?.focus({ preventScroll: true });
    },
  };
}
