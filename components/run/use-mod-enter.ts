import { useEffect, useRef } from 'react';

/** Ctrl or ⌘ with Enter, wherever the focus is but in a dialog. */
export function useModEnter(handler: (() => void) | null): void {
  const current = useRef(handler);
  current.current = handler;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat || event.defaultPrevented) return;
      if (current.current === null || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      current.current();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
