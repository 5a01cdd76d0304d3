'use client';

import { useMemo } from 'react';
import { useIsHydrating } from '#components/ui/use-is-hydrating.ts';
import { type DiffBlock, diffRows } from './diff-rows.ts';

/**
 * Maximum combined length in characters for a comparison on the server. Longer texts are compared in the browser, so that no stored text
 * can block the server.
 */
const MAX_SERVER_CHARACTERS = 8_000;

/** Returns the diff of two texts. For long texts, null until the browser has compared them. */
export function useDiffBlocks(before: string, after: string): DiffBlock[] | null {
  const isHydrating = useIsHydrating();
  const waits = isHydrating && !isComparedOnServer(before, after);
  return useMemo(() => (waits ? null : lastDiff(before, after)), [waits, before, after]);
}

/** True if two texts are short enough to be compared during server rendering. */
export function isComparedOnServer(before: string, after: string): boolean {
  return before.length + after.length <= MAX_SERVER_CHARACTERS;
}

let last: { before: string; after: string; blocks: DiffBlock[] } | null = null;

/** Cached, because the view and its toolbar request the same diff. */
function lastDiff(before: string, after: string): DiffBlock[] {
  if (last?.before !== before || last.after !== after) last = { before, after, blocks: diffRows(before, after) };
  return last.blocks;
}
