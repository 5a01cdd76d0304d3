'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';

/** What may be wider than the page and then scrolls by itself. Only where it does can the keyboard reach it, to scroll. */
export function ScrollX({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
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
    <div ref={frame} className={className ? `scroll-x ${className}` : 'scroll-x'} {...reach}>
      {children}
    </div>
  );
}
