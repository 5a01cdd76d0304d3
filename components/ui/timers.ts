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

/** A value once it has not changed for so many milliseconds: for questions that need not be asked at every key. */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
