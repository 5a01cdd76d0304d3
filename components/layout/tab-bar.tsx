'use client';

import { type ReactNode, useEffect, useRef } from 'react';

/** Tabs of a page. In a narrow window it scrolls to the selected tab. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  // Runs after each render, because only the links show which tab is selected.
  useEffect(() => {
    const shown = bar.current?.querySelector('[aria-current="page"]');
    if (shown instanceof HTMLElement && bar.current !== null) bringIntoSight(bar.current, shown);
  });
  return (
    <nav
      className="flex gap-4 overflow-x-auto border-line on:border-brand border-b px-6 on:text-ink [scrollbar-width:none] part:-mb-px part:flex part:items-center part:gap-1.5 part:whitespace-nowrap part:border-transparent part:border-b-2 part:py-2.5 part:font-medium part:text-ink-2 max-narrow:px-4"
      aria-label={label}
      ref={bar}
    >
      {children}
    </nav>
  );
}

/** Scrolls horizontally only. `scrollIntoView` would also scroll the page. */
function bringIntoSight(bar: HTMLElement, link: HTMLElement): void {
  const [around, inner] = [bar.getBoundingClientRect(), link.getBoundingClientRect()];
  const margin = Number.parseFloat(getComputedStyle(bar).paddingLeft);
  if (inner.right > around.right - margin) bar.scrollLeft += inner.right - around.right + margin;
  else if (inner.left < around.left + margin) bar.scrollLeft += inner.left - around.left - margin;
}
