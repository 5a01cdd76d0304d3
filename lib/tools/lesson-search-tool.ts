import { z } from 'zod';
import type { Tool } from './toolbox.ts';

/** A lesson as shown to an agent. */
type FoundLesson = { kind: string; text: string };
/** Finds promoted lessons, best match first. Null if aborted. */
export type SearchLessons = (query: string, most: number, signal: AbortSignal) => Promise<FoundLesson[] | null>;

const MAX_RESULTS = 10;
const MAX_QUERY_LENGTH = 2_000;
const givenSchema = z.object({
  query: z.string().min(1).max(MAX_QUERY_LENGTH),
  limit: z.int().min(1).max(MAX_RESULTS).default(5),
});

/** Returns a tool that searches the library's promoted lessons by their text and their source input. */
export function lessonSearchTool(search: SearchLessons): Tool {
  return {
    definition: {
      name: 'lesson_search',
      description:
        'Searches lessons that were learned from earlier tasks, by words. Use it before a task that others may have met before. A lesson is advice that may not fit: weigh it.',
      parameters: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            maxLength: MAX_QUERY_LENGTH,
            description: 'What you want to know about, in a few words',
          },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_RESULTS,
            description: 'Lessons at most, 5 where left out',
          },
        },
        required: ['query'],
        additionalProperties: false,
      },
    },
    timeoutMs: null,
    async run(given, signal) {
      const { query, limit } = givenSchema.parse(given);
      const found = await search(query, limit, signal);
      if (found === null) return { status: 'failed', text: 'The search was broken off.' };
      if (found.length === 0) return { status: 'ok', text: 'No lesson was found. Other words may find one.' };
      return { status: 'ok', text: found.map(({ kind, text }, at) => `${at + 1}. (${kind}) ${text}`).join('\n') };
    },
  };
}
