'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** Links to the parts of a page. In a narrow window it scrolls by itself, so that the part that is shown is in sight. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  // After each drawing: which part is shown is known to the links alone.
  useEffect(() => {
    const shown = bar.current?.querySelector('[aria-current="page"]');
    if (shown instanceof HTMLElement && bar.current !== null) bringIntoSight(bar.current, shown);
  });
  return (
    <nav className="tabs" aria-label={label} ref={bar}>
      {children}
    </nav>
  );
}

/** Sideways only: `scrollIntoView` would move the page too. */
function bringIntoSight(bar: HTMLElement, link: HTMLElement): void {
  const [around, inner] = [bar.getBoundingClientRect(), link.getBoundingClientRect()];
  const margin = Number.parseFloat(getComputedStyle(bar).paddingLeft);
  if (inner.right > around.right - margin) bar.scrollLeft += inner.right - around.right + margin;
  else if (inner.left < around.left + margin) bar.scrollLeft += inner.left - around.left - margin;
}
