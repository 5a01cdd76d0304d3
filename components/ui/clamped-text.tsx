'use client';

import { useState } from 'react';
import { classNames } from './class-names.ts';

type ClampedTextProps = { text: string; className?: string };

/** Characters that are shown whole: about ten lines of a column. */
const FEW = 600;

/** A text of any length in ten lines, which opens. Each paragraph runs the way its first letters do. */
export function ClampedText({ text, className }: ClampedTextProps) {
  const [isOpen, setOpen] = useState(false);
  const look = classNames('wrap-anywhere block whitespace-pre-wrap [unicode-bidi:plaintext]', className);
  if (text.length <= FEW) return <span className={look}>{text}</span>;
  return (
    <>
      <span className={classNames(look, !isOpen && 'line-clamp-10')}>{text}</span>
      <button
        type="button"
        className="link min-h-6 cursor-pointer text-sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Show less' : 'Show all'}
      </button>
    </>
  );
}
