import { startTransition, useEffect, useState } from 'react';

/** The present moment, starting from the server's and renewed every `everyMs`; null stands still. */
export function useNow(serverNow: string, everyMs: number | null): Date {
  const [now, setNow] = useState(() => new Date(serverNow));
  useEffect(() => {
    if (everyMs === null) return;
    // Whole pages show ages: drawing them anew must not hold up what a person does.
    const renew = () => startTransition(() => setNow(new Date()));
    renew();
    const timer = setInterval(renew, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
