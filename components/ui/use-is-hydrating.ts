import { useSyncExternalStore } from 'react';

/** Whether a page is being drawn on the server, or made alive in the browser: then it must look as the server drew it. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(never, isFalse, isTrue);
}

const never = () => () => undefined;
const isFalse = () => false;
const isTrue = () => true;
