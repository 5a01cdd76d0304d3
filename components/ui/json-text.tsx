'use client';

import { useMemo } from 'react';
import { CodeText } from './code-block.tsx';
import { highlightLines } from './highlight-lines.ts';

/** Highlighted JSON document. */
export function JsonText({ text }: { text: string }) {
  return <CodeText lines={useMemo(() => highlightLines(text), [text])} />;
}
