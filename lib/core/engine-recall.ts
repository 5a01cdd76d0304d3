import type { Case } from './case.ts';
import { type History, NO_SPEND } from './history.ts';
import { lessonsThatFit } from './lessons-that-fit.ts';
import type { Recall, Recalled, RecalledText } from './recalled-text.ts';
import type { ExperimentSettings } from './settings.ts';

/**
 * How an engine's steps recall: what its owner has for the task, within the settings' number and tokens; asked anew at each step, see
 * `recallOnce` for agents.
 */
export function engineRecall(
  recall: ((task: Case) => RecalledText[] | Promise<RecalledText[]>) | undefined,
  { lessons: { store, topK, tokenBudget } }: ExperimentSettings,
  task: Case,
): Recall {
  return async () => {
    if (recall === undefined || store === 'none') return { lessons: [], spend: NO_SPEND };
    const most = store === 'recall' ? topK : Number.POSITIVE_INFINITY;
    return { lessons: lessonsThatFit(await recall(task), tokenBudget, most).lessons, spend: NO_SPEND };
  };
}

/** Recalls for an agent once on its way to a version, so that all its turns read the same first message; for other steps each time. */
export function recallOnce(recall: Recall, soFar: () => Pick<History, 'turns' | 'versions'>): Recall {
  let found: Recalled | null = null;
  return async () => {
    const { turns, versions } = soFar();
    const isUnderWay = turns.some(({ version }) => version === versions.length);
    if (!isUnderWay || found === null) found = await recall();
    return found;
  };
}
