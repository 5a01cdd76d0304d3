import { useSyncExternalStore } from 'react';

/** Returns true during server rendering and hydration, when the output must equal the server's. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(never, isFalse, isTrue);
}

const never = () => () => undefined;
const isFalse = () => false;
const isTrue = () => true;
