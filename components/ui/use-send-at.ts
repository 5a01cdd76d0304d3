import { useEffect } from 'react';

/** How long a decision can be taken back before it is sent, in milliseconds. */
export const UNDO_MS = 8_000;

/**
 * Calls `send` when its moment comes (epoch, ms; null: nothing is held). Until then the browser asks whoever closes the window
 * whether they mean to. `send` must stay the same between renders.
 */
export function useSendAt(sendsAt: number | null, send: () => Promise<unknown>): void {
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
