'use client';

import { useMemo } from 'react';
import { useIsHydrating } from '#components/ui/use-is-hydrating.ts';
import { type DiffBlock, diffRows } from './diff-rows.ts';

/** Longer pairs of texts, in characters, are compared in the browser alone: no stored text may hold the server up. */
const MOST_ON_SERVER = 8_000;

/** The difference of two texts; null until the browser compares them, where they are long. */
export function useDiffBlocks(before: string, after: string): DiffBlock[] | null {
  const isHydrating = useIsHydrating();
  const waits = isHydrating && !isComparedOnServer(before, after);
  return useMemo(() => (waits ? null : lastDiff(before, after)), [waits, before, after]);
}

/** Whether two texts are short enough to be compared while the server draws a page. */
export function isComparedOnServer(before: string, after: string): boolean {
  return before.length + after.length <= MOST_ON_SERVER;
}

let last: { before: string; after: string; blocks: DiffBlock[] } | null = null;

/** A view and its tools ask for the same difference. */
function lastDiff(before: string, after: string): DiffBlock[] {
  if (last?.before !== before || last.after !== after) last = { before, after, blocks: diffRows(before, after) };
  return last.blocks;
}
