'use client';

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

type FoldSectionProps = {
  title: string;
  summary: ReactNode;
  mark?: ReactNode;
  open?: boolean;
  forceOpen?: boolean;
  children: ReactNode;
};

/** A part of a form folded to one line that says what is in it. `forceOpen` opens it when something inside wants mending. */
export function FoldSection({ title, summary, mark, open = false, forceOpen = false, children }: FoldSectionProps) {
  const [isOpen, setOpen] = useState(open);
  useEffect(() => {
    if (forceOpen) setOpen(true);
  }, [forceOpen]);
  return (
    <details
      data-slot="fold-section"
      className="fsec"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <ChevronRight className="i s chev" aria-hidden />
        <span className="ttl">{title}</span>
        <span className="val trunc">{summary}</span>
        <span>{mark}</span>
      </summary>
      <div className="fbody">{children}</div>
    </details>
  );
}
