'use client';

import { useState } from 'react';
import { formatCount } from '#lib/format.ts';
import { classNames } from './class-names.ts';

/** Characters and lines that are shown of a text before it is asked for whole. */
const SHOWN_LENGTH = 420;
const SHOWN_LINES = 8;

type LongTextProps = { text: string; of: string; className?: string; isOpen?: boolean };

/**
 * A text, word for word: the beginning of a long one, and all of it once it is opened. `of` names it for screen readers. Sets the
 * direction of each paragraph from its first letter.
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

/** What is shown of a text at first. Where little more would come, that is all of it. */
export function beginningOf(text: string): string {
  const lines = text.split('\n', SHOWN_LINES + 1);
  const start = (lines.length > SHOWN_LINES ? lines.slice(0, SHOWN_LINES).join('\n') : text).slice(0, SHOWN_LENGTH);
  return start.length > text.length - 150 ? text : start.toWellFormed();
}
