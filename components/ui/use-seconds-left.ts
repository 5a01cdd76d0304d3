import { useEffect, useState } from 'react';

/** Whole seconds until a moment (epoch, ms), counting down; null for no moment. */
export function useSecondsLeft(until: number | null): number | null {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 250);
    return () => clearInterval(timer);
  }, [until]);
  return until === null ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
