import type { Database } from '#lib/db/database.ts';
import { recalledAgent } from '#lib/reflection/recalled-agent.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { SearchLessons } from '#lib/tools/lesson-search-tool.ts';
import { recallLessons } from '../lessons/recall-lessons.ts';

/** Tokens, estimated, of all that one search finds. */
const TOKEN_BUDGET = 3_000;

/** Searches the promoted lessons that runs with these settings may be given, by words; `without`: ids to leave out. */
export function searchLessons(
  database: Database,
  { lessons, taskType }: Pick<ExperimentSettings, 'lessons' | 'taskType'>,
  without: string[],
): SearchLessons {
  return async (query, most) => {
    const found = await recallLessons(
      database,
      {
        store: 'recall',
        block: '',
        topK: most,
        tokenBudget: TOKEN_BUDGET,
        pinned: [],
        agent: recalledAgent(lessons),
        taskType,
        tools: [],
        without,
        input: query,
      },
      null,
    );
    return found?.lessons ?? null;
  };
}
