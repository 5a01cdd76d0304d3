'use client';

import { useState } from 'react';
import { formatCount } from '#lib/format.ts';
import { classNames } from './class-names.ts';

/** Maximum characters and lines shown before the text is expanded. */
const SHOWN_LENGTH = 420;
const SHOWN_LINES = 8;

type LongTextProps = { text: string; of: string; className?: string; isOpen?: boolean };

/**
 * Shows a text verbatim. A long one is shortened until expanded. `of` names it for screen readers. The direction of each paragraph follows
 * its first letter.
 */
export function LongText({ text, of, className, isOpen = false }: LongTextProps) {
  const [isWhole, setWhole] = useState(isOpen);
  const start = beginningOf(text);
  const isLong = start.length < text.length;
  return (
    <div className={classNames('wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]', className)}>
      {isWhole || !isLong ? text : `${start} …`}
      {isLong ? (
        <button
          type="button"
          className="block cursor-pointer font-sans text-brand text-sm underline underline-offset-2"
          onClick={() => setWhole(!isWhole)}
          aria-expanded={isWhole}
        >
          {isWhole ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
          <span className="sr-only"> of {of}</span>
        </button>
      ) : null}
    </div>
  );
}

/** Returns the initially visible part of a text. Returns all of it if little would be hidden. */
export function beginningOf(text: string): string {
  const lines = text.split('\n', SHOWN_LINES + 1);
  const start = (lines.length > SHOWN_LINES ? lines.slice(0, SHOWN_LINES).join('\n') : text).slice(0, SHOWN_LENGTH);
  return start.length > text.length - 150 ? text : start.toWellFormed();
}
