'use client';

import { ArrowDown, ArrowUp, Pilcrow } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { useBareKeys } from '#components/ui/use-bare-keys.ts';
import { formatCount } from '#lib/format.ts';
import { takingOf } from './chosen-changes.ts';
import { countChanges } from './diff-view.tsx';
import { useDiffBlocks } from './use-diff-blocks.ts';
import type { RunPageState } from './use-run-page-state.ts';

type DiffToolsProps = { before: string; after: string; state: RunPageState; canTake: boolean };

/** How much changed, the way from change to change (n, p), taking or leaving it (t), and white space made visible (w). */
export function DiffTools({ before, after, state, canTake }: DiffToolsProps) {
  const blocks = useDiffBlocks(before, after) ?? [];
  const changes = countChanges(blocks);
  const words = blocks.reduce(
    (sum, block) =>
      block.kind === 'same' ? sum : { added: sum.added + block.wordsAdded, removed: sum.removed + block.wordsRemoved },
    { added: 0, removed: 0 },
  );
  const current = state.change === null ? 0 : Math.min(state.change, changes);
  const next = () => state.setChange(current >= changes ? 1 : current + 1);
  const previous = () => state.setChange(current <= 1 ? changes : current - 1);
  const toggleSpace = () => state.setSpace(state.space === 'shown' ? 'plain' : 'shown');
  const { isTaken, set } = takingOf(state);
  const toggleTaken = () => set(current, !isTaken(current));
  useBareKeys({
    n: changes > 0 ? next : null,
    p: changes > 0 ? previous : null,
    t: canTake && current > 0 ? toggleTaken : null,
    w: toggleSpace,
  });
  return (
    <>
      <span className="whitespace-nowrap text-ink-3 text-sm">
        +{formatCount(words.added)} −{formatCount(words.removed)} words
      </span>
      <span className="ml-auto flex items-center gap-1">
        <Button
          variant="ghost"
          size="smallIcon"
          aria-pressed={state.space === 'shown'}
          aria-label="Show white space"
          title="Show white space (w)"
          onClick={toggleSpace}
        >
          <Pilcrow className="size-3.25" aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="smallIcon"
          aria-label="Change before"
          title="Change before (p)"
          onClick={previous}
          disabled={changes === 0}
        >
          <ArrowUp className="size-3.25" aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="smallIcon"
          aria-label="Next change"
          title="Next change (n)"
          onClick={next}
          disabled={changes === 0}
        >
          <ArrowDown className="size-3.25" aria-hidden />
        </Button>
      </span>
    </>
  );
}
