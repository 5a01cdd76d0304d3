import type { Case } from './case.ts';
import { EMPTY_HISTORY, type History } from './history.ts';
import { NO_SPEND } from './token-usage.ts';

/** A loop that begins with an output somebody brings along. */
export function draftHistory(output: string, task: Case, now: Date): History {
  return {
    ...EMPTY_HISTORY,
    inputLength: task.input.length,
    step: 1,
    versions: [
      {
        ...NO_SPEND,
        number: 0,
        iteration: 0,
        origin: 'generated',
        parents: [],
        output,
        strategy: null,
        strategyNote: null,
        outputDropped: false,
        improvementsApplied: [],
        finishReason: 'stop',
        interrupted: false,
        recalledLessons: [],
        proposal: null,
        createdAt: now.toISOString(),
        step: 0,
      },
    ],
  };
}
