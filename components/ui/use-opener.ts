import { useRef } from 'react';

/**
 * What a dialog without a trigger of its own does with focus: it remembers where it was when the dialog opened, and gives it back there. Where
 * that is gone, the page's content gets it, so that Tab goes on in the page and not at its beginning.
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
      // It was moved on purpose meanwhile.
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const back = opener.current;
      const isThere = back?.isConnected === true && back.getClientRects().length > 0;
      (isThere ? back : document.getElementById('content'))?.focus({ preventScroll: true });
    },
  };
}
