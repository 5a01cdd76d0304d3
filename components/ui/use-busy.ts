import { startTransition, useCallback, useState } from 'react';

/**
 * Tracks asynchronous work. `isBusy`: true while work is pending. `during`: runs work and returns its result. Links stay usable during the
 * work. An async transition would block them, because React shows no other page until it ends.
 */
export function useBusy() {
  const [pending, setPending] = useState(0);
  const during = useCallback(async <Value>(work: () => Promise<Value>): Promise<Value> => {
    setPending((count) => count + 1);
    try {
      return await work();
    } finally {
      // The work ends after React has shown its changes. Failed work ends too, or else the form would stay busy.
      startTransition(() => setPending((count) => count - 1));
    }
  }, []);
  return { isBusy: pending > 0, during };
}
