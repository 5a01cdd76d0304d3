import { useEffect, useState } from 'react';

const EVENTS = ['pointermove', 'pointerdown', 'keydown'] as const;

/** True after the first touch of this page. Components that mount later do not wait for another one. */
let wasTouched = false;

/** Turns true when a person first touches the page, by a pointer or a key: from then on what they may use is loaded. */
export function useFirstTouch(): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    const onTouch = () => {
      wasTouched = true;
      setTouched(true);
    };
    if (wasTouched) return onTouch();
    for (const event of EVENTS) document.addEventListener(event, onTouch, { once: true, capture: true });
    return () => {
      for (const event of EVENTS) document.removeEventListener(event, onTouch, { capture: true });
    };
  }, []);
  return isTouched;
}
