'use client';

import { type ReactNode, useEffect, useRef, useState } from 'react';

type OpeningDetailsProps = { isOpen: boolean; title: ReactNode; className?: string; children: ReactNode };

/** Opens when `isOpen` becomes true. Never closes automatically, so that clearing a field does not hide it. */
export function OpeningDetails({ isOpen, title, className, children }: OpeningDetailsProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpenAtFirst] = useState(isOpen);
  useEffect(() => {
    if (isOpen && details.current !== null) details.current.open = true;
  }, [isOpen]);
  return (
    <details ref={details} open={isOpenAtFirst} className={className}>
      <summary className="cursor-pointer text-ink-2 text-sm">{title}</summary>
      {children}
    </details>
  );
}
