import { useEffect, useEffectEvent } from 'react';

/** Calls the handler of the last render on each key press in the document. */
export function useKeyDown(handler: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent(handler);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
