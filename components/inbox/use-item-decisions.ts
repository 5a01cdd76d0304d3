import { useRef, useState } from 'react';
import { doneLabel } from '#components/run/decision-labels.ts';
import type { DecisionInput } from '#components/run/run-actions.ts';
import { isAboutScores, isByHand, unreachable } from '#components/run/use-run-answer.ts';
import type { Problem, Result } from '#lib/core/problem.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatTitle } from '#lib/format.ts';
import type { DecidedItem } from './decided-list.tsx';
import { decisionKey } from './said-here.ts';

/** How many are shown of what was decided here. */
const MOST_SHOWN = 5;

export type InboxDecide = (runId: string, input: DecisionInput) => Promise<Result<unknown>>;

type ItemDecisionsOptions = { decide: InboxDecide; chosen: string | null; onDecided: () => void };

/**
 * Sends what is said of items, whichever is looked at by then, and remembers it: what was said here, what was decided of late, and what
 * was refused after its item was left.
 */
export function useItemDecisions({ decide, chosen, onDecided }: ItemDecisionsOptions) {
  const said = useRef(new Set<string>());
  const present = useRef(chosen);
  present.current = chosen;
  const [decided, setDecided] = useState<{ latest: DecidedItem[]; count: number }>({ latest: [], count: 0 });
  const [refused, setRefused] = useState<{ title: string; problem: Problem } | null>(null);

  async function decideOn(run: Pick<RunRecord, 'id' | 'case'>, input: DecisionInput): Promise<Result<unknown>> {
    const title = formatTitle(run.case.input, 90) || 'An empty case';
    const key = decisionKey(run.id, input);
    // Before it is sent: the run may tell of it sooner than the answer comes.
    said.current.add(key);
    const result = await decide(run.id, input).catch(unreachable);
    if (!result.ok) {
      said.current.delete(key);
      // Who still looks at the item is told there, and has the draft.
      if (present.current !== run.id) setRefused({ title, problem: result.problem });
    } else if (!isByHand(input) && !isAboutScores(input)) {
      const item = { runId: run.id, title, words: doneLabel(input), at: new Date().toISOString() };
      setDecided(({ latest, count }) => ({ latest: [item, ...latest].slice(0, MOST_SHOWN), count: count + 1 }));
    }
    onDecided();
    return result;
  }

  return { decideOn, said: said.current, decided, refused, forgetRefused: () => setRefused(null) };
}
