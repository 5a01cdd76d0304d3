import { currentScore } from '#components/run/run-versions.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatScore } from '#lib/format.ts';

/** What the first page says at the top, in the numbers of the run it shows. */
export function sampleLabel(record: Pick<RunRecord, 'versions' | 'bestVersion'> | null): string {
  const first = record?.versions[0];
  const best = record?.versions.find(({ number }) => number === record.bestVersion);
  const from = first ? currentScore(first) : null;
  const to = best ? currentScore(best) : null;
  if (!best || from === null || to === null || to <= from)
    return 'Draft, judge, mend, and see what each step was worth.';
  const count = NUMBERS[best.iteration] ?? String(best.iteration);
  return `A first draft scored ${formatScore(from)}. ${count} ${best.iteration === 1 ? 'revision' : 'revisions'} later it scores ${formatScore(to)}.`;
}

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];
