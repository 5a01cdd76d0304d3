import { useEffect, useRef } from 'react';

/** Calls the handler on Ctrl+Enter or ⌘+Enter, except in a dialog. In a form field, submits that form instead. */
export function useModEnter(handler: (() => void) | null): void {
  const current = useRef(handler);
  current.current = handler;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat || event.defaultPrevented) return;
      if (current.current === null || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      const form = isField(event.target) ? event.target.form : null;
      if (form === null) current.current();
      else form.requestSubmit();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

function isField(target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
