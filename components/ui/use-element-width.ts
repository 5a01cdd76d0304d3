import { type RefObject, useEffect, useState } from 'react';

/** The width of an element's content in CSS pixels, kept up to date; `initial` until it is measured, as on the server. */
export function useElementWidth(element: RefObject<Element | null>, initial: number): number {
  const [width, setWidth] = useState(initial);
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
