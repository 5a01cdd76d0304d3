'use client';

import { useState } from 'react';
import { classNames } from '#components/ui/class-names.ts';
import { formatCount } from '#lib/format.ts';

/** Characters and lines that are shown of a text before it is asked for whole. */
const SHOWN_LENGTH = 420;
const SHOWN_LINES = 8;

type LongTextProps = { text: string; of: string; className?: string; isOpen?: boolean };

/** A text of a model or a tool, word for word; of a long one the beginning, until all of it is asked for. `of` names it for screen readers. */
export function LongText({ text, of, className, isOpen = false }: LongTextProps) {
  const [isWhole, setWhole] = useState(isOpen);
  const start = beginningOf(text);
  const isLong = start.length < text.length;
  return (
    <div className={classNames('wrap-anywhere whitespace-pre-wrap', className)}>
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
