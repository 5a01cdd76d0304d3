import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { lessonsThatFit } from '#lib/core/lesson-form.ts';

import { type Result, succeed } from '#lib/core/problem.ts';
import { recalledSection } from '#lib/core/prompts/recalled-section.ts';
import { integerBetween, nameSchema, taskTypeSchema } from '#lib/core/setting-parts.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { recallLessons } from './recall-lessons.ts';
import type { TriedRecall } from './schema.ts';

const MAX_INPUT_LENGTH = 200_000;

/** Input, with the scope and the limits of the lessons to recall. Omitted or null parts of the scope are ignored. */
export const tryRecallInputSchema = z.strictObject({
  input: z
    .string({ error: 'must be the text of a case' })
    .max(MAX_INPUT_LENGTH, { error: `must be at most ${MAX_INPUT_LENGTH.toLocaleString('en-US')} characters` }),
  topK: integerBetween(1, 20).default(3),
  tokenBudget: integerBetween(1, 100_000).default(1_500),
  scope: z
    .strictObject({
      agent: nameSchema.nullable().default(null),
      taskType: taskTypeSchema.nullable().default(null),
      tools: z.array(nameSchema).max(50, { error: 'must name at most 50 tools' }).default([]),
    })
    .prefault({}),
});

/**
 * Returns the promoted lessons that a run with this input would recall from the store `recall` without an embedding model, best first, and
 * the resulting part of the prompt. Stores nothing and calls no model.
 */
export async function tryRecall(context: AppContext, _actor: Actor, input: unknown): Promise<Result<TriedRecall>> {
  const parsed = parseInput(tryRecallInputSchema, input);
  if (!parsed.ok) return parsed;
  const { input: text, topK, tokenBudget, scope } = parsed.value;
  const question = { input: text, topK, tokenBudget, ...scope, ...RECALL };
  const recalled = await recallLessons(context.database, question, null);
  const lessons = recalled?.lessons ?? [];
  return succeed({
    lessons: lessons.map(({ score, ...lesson }, position) => ({ ...lesson, rank: position + 1, score: score ?? 0 })),
    tokens: lessonsThatFit(lessons, Number.POSITIVE_INFINITY).tokens,
    promptPart: recalledSection(lessons).join('\n\n'),
  });
}

const RECALL = { store: 'recall' as const, block: '', pinned: [], without: [] };
