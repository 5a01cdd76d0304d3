import { useEffect, useRef } from 'react';

/** Single keys without a modifier. They rest while typing, in menus and dialogs, and where the handler is null. */
export function useBareKeys(handlers: Record<string, (() => void) | null>): void {
  const current = useRef(handlers);
  current.current = handlers;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        event.repeat ||
        isBusyPlace(event.target)
      )
        return;
      const handler = current.current[event.key];
      if (!handler) return;
      event.preventDefault();
      handler();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isBusyPlace(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="menu"]') !== null)
  );
}
