import { createContext, useEffect, useState, useSyncExternalStore } from 'react';

/** Time at which the server rendered the page (ISO 8601). Null outside of a page. */
export const RenderTimeContext = createContext<string | null>(null);

/** Returns true during server rendering and hydration, when the output must equal the server's. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(never, isFalse, isTrue);
}

const never = () => () => undefined;
const isFalse = () => false;
const isTrue = () => true;

const TOUCH_EVENTS = ['pointermove', 'pointerdown', 'keydown'] as const;

/** True after the first interaction with this page, so that components mounted later do not wait for another one. */
let wasTouched = false;

/** Returns true from the first pointer or key interaction with the page. Interactive code is loaded from then on. */
export function useFirstTouch(): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    const onTouch = () => {
      wasTouched = true;
      setTouched(true);
    };
    if (wasTouched) return onTouch();
    for (const event of TOUCH_EVENTS) document.addEventListener(event, onTouch, { once: true, capture: true });
    return () => {
      for (const event of TOUCH_EVENTS) document.removeEventListener(event, onTouch, { capture: true });
    };
  }, []);
  return isTouched;
}
