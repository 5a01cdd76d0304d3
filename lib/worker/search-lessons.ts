import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { recallLessons } from '#lib/lessons/recall-lessons.ts';
import { recalledAgent } from '#lib/lessons/recalled-agent.ts';
import type { SearchLessons } from '#lib/tools/lesson-search-tool.ts';

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
