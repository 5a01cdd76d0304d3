import { useEffect, useState } from 'react';

/** The present moment, starting from the server's and renewed every `everyMs`; null stands still. */
export function useNow(serverNow: string, everyMs: number | null): Date {
  const [now, setNow] = useState(() => new Date(serverNow));
  useEffect(() => {
    if (everyMs === null) return;
    setNow(new Date());
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
