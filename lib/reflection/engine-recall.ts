import type { Case } from './case.ts';
import { NO_SPEND } from './history.ts';
import { lessonsThatFit } from './lessons-that-fit.ts';
import type { Recall, RecalledText } from './recalled-text.ts';
import type { ExperimentSettings } from './settings.ts';

/** How an engine's steps recall: what its owner has for the task, within the settings' number and tokens; asked anew at each step. */
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
