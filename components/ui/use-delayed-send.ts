import { useEffect } from 'react';

/** Duration in milliseconds in which a decision can be undone before it is sent. */
export const UNDO_MS = 8_000;

/**
 * Calls `send` at the given time (epoch, ms; null if nothing is pending). Until then, closing the window requires a confirmation. `send`
 * must be stable between renders.
 */
export function useDelayedSend(sendsAt: number | null, send: () => Promise<unknown>): void {
  useEffect(() => {
    if (sendsAt === null) return;
    const timer = setTimeout(() => void send(), Math.max(0, sendsAt - Date.now()));
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('beforeunload', warn);
    };
  }, [sendsAt, send]);
}
