import { startTransition, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { RenderTimeContext, useIsHydrating } from './hydration.ts';

/**
 * Returns the current time and updates it every `everyMs`. Null disables updates. During hydration it is the server's time, so that server
 * and browser render the same text.
 */
export function useNow(everyMs: number | null): Date {
  const renderTime = useContext(RenderTimeContext);
  const isHydrating = useIsHydrating();
  const [now, setNow] = useState(() => (isHydrating && renderTime !== null ? new Date(renderTime) : new Date()));
  useEffect(() => {
    if (everyMs === null) return;
    // Updated in a transition, because re-rendering all ages of a page must not block user input.
    const renew = () => startTransition(() => setNow(new Date()));
    renew();
    const timer = setInterval(renew, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Returns the whole seconds until a time (epoch, ms), counting down. Null for null. */
export function useSecondsLeft(until: number | null): number | null {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 250);
    return () => clearInterval(timer);
  }, [until]);
  return until === null ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/** Returns the debounced value, for requests that are not needed for each key press. */
export function useDebounced<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/**
 * Returns a state that is updated more often than the page should re-render. `latest` has the newest value, `value` that of the last frame.
 */
export function useFrameState<Value>(initial: () => Value) {
  const [value, setValue] = useState(initial);
  const latest = useRef(value);
  const frame = useRef<number | null>(null);
  const update = useCallback((next: Value) => {
    latest.current = next;
    frame.current ??= requestAnimationFrame(() => {
      frame.current = null;
      setValue(latest.current);
    });
  }, []);
  useEffect(
    () => () => {
      if (frame.current !== null) cancelAnimationFrame(frame.current);
      frame.current = null;
    },
    [],
  );
  return { value, latest, update };
}
