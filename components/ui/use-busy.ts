import { startTransition, useCallback, useState } from 'react';

/**
 * Tracks asynchronous work. `isBusy`: some is pending. `during` returns the result of the work. Links stay usable meanwhile, unlike in an
 * async transition, during which React shows no other page.
 */
export function useBusy() {
  const [pending, setPending] = useState(0);
  const during = useCallback(async <Value>(work: () => Promise<Value>): Promise<Value> => {
    setPending((count) => count + 1);
    try {
      return await work();
    } finally {
      // Ends after the changes that the work made are shown. Work that throws must not leave a form busy.
      startTransition(() => setPending((count) => count - 1));
    }
  }, []);
  return { isBusy: pending > 0, during };
}
