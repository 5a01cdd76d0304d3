'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';

type ScrollXProps = {
  label: string;
  /** Limits the height to a few rows. The rows scroll below the sticky table head. */
  isCapped?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** Horizontally scrollable container for wide content. It is focusable only if it scrolls. */
export function ScrollX({ label, isCapped = false, className, children }: ScrollXProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const look = () =>
      setScrolls(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1);
    const observer = new ResizeObserver(look);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const reach = scrolls ? { tabIndex: 0, role: 'region', 'aria-label': label } : {};
  return (
    <div
      ref={frame}
      data-slot="scroll-x"
      className={classNames(
        // Positioned, so that off-screen texts for screen readers do not widen the page.
        'relative overflow-x-auto',
        isCapped &&
          'max-h-88 overflow-y-auto [&_thead_th]:sticky [&_thead_th]:top-0 [&_thead_th]:z-1 [&_thead_th]:bg-bg',
        className,
      )}
      {...reach}
    >
      {children}
    </div>
  );
}
