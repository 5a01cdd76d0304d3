import { z } from 'zod';
import { pendingPromotionSchema } from '#lib/assignments/queries.ts';
import { lessonListItemSchema } from '#lib/core/lesson-library.ts';
import {
  formatTaskType,
  LESSON_ADMISSIONS,
  LESSON_KINDS,
  LESSON_SCOPE_PARTS,
  LESSON_SELECTIONS,
  LESSON_STATUSES,
  type LessonScopePart,
} from '#lib/core/lesson-schema.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { component } from '#lib/http/define-route.ts';
import { count, id, page, time } from '#lib/http/fields.ts';
import { pagedByTime, queryText, searchText } from '#lib/http/parameters.ts';
import { trialReportSchema } from '#lib/statistics/trial-report.ts';

export const trialEstimateSchema = component(
  'TrialEstimate',
  z.object({
    cases: count,
    leftOut: count.meta({
      description: 'Number of excluded cases: the cases that the lesson was learned from, and duplicate inputs.',
    }),
    runs: count.meta({ description: 'Number of runs with and without the lesson together.' }),
    calls: z
      .object({ lowest: count, highest: count })
      .meta({ description: 'Estimated number of model calls of all runs.' }),
  }),
);

export const startedTrialSchema = component(
  'StartedTrial',
  trialEstimateSchema.extend({ id, experimentId: id, batchWithoutId: id, batchWithId: id }),
);

export const trialsSchema = component(
  'Trials',
  z.object({ items: z.array(component('TrialReport', trialReportSchema)) }),
);

const lessonKind = choiceOf(LESSON_KINDS).optional();

const lessonStatus = choiceOf(LESSON_STATUSES).optional();

const archiveYear = queryText
  .regex(/^[12]\d{3}$/, { error: 'must be a year such as 2025' })
  .transform(Number)
  .optional()
  .meta({ description: 'Only archived lessons of this yearly archive: those that were written in the year, UTC.' });

function readScope(text: string): { by: LessonScopePart; value: string } | null {
  const [, name, value] = /^(\w+):(.+)$/s.exec(cleanText(text)) ?? [];
  const by = LESSON_SCOPE_PARTS.find((part) => part === name);
  if (by === undefined || value === undefined) return null;
  return { by, value: by === 'taskType' ? formatTaskType(value) : value };
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const SCOPE = `must be agent:, taskType: or tool: and a name, such as taskType:code`;

export const lessonsQuery = z.strictObject({
  ...pagedByTime,
  query: searchText.default('').meta({
    description:
      'Words or beginnings of words. All of them must occur in the lesson or in the input that it was learned from.',
  }),
  kind: lessonKind,
  status: lessonStatus,
  year: archiveYear,
  scope: queryText
    .max(200, { error: 'must be at most 200 characters' })
    .transform((text, context) => readScope(text) ?? refuse(context, SCOPE))
    .optional()
    .meta({
      description:
        'Lessons for one agent, task type or tool, such as taskType:code. agent:* finds lessons for all agents.',
    }),
  only: choiceOf(LESSON_SELECTIONS).optional().meta({
    description:
      '`review`: waits for a review. `held`: waits, and the screening found something. `clear`: waits, and the screening found nothing. `contested`: waits, with votes for and against its current text. `assigned`: waits, and is assigned to you. `refuted`: promoted, but did more harm than good. `merged`: archived, because a similar lesson replaced it. `unmerged`: all others.',
  }),
});

export const lessonsSchema = component('Lessons', page(component('LessonListItem', lessonListItemSchema)));

export const reviewedLessonSchema = component(
  'ReviewedLesson',
  z.object({ id, status: z.enum(LESSON_STATUSES), admission: z.enum(LESSON_ADMISSIONS) }),
);

export const givenReviewSchema = component(
  'GivenReview',
  reviewedLessonSchema.extend({ pending: pendingPromotionSchema }),
);

export const editedLessonSchema = component('EditedLesson', reviewedLessonSchema.extend({ editCount: count }));

export const storedCommentSchema = component(
  'LessonComment',
  z.object({ id, actor: z.string(), text: z.string(), createdAt: time }),
);

export const importedLessonsSchema = component(
  'ImportedLessons',
  z.object({
    stored: count,
    present: count.meta({
      description: 'Number of lessons that were already in the library, or that the import contains twice.',
    }),
  }),
);

export const lessonsExportQuery = z.strictObject({
  format: z
    .enum(['markdown', 'jsonl'], { error: 'must be one of markdown, jsonl' })
    .meta({ description: '`markdown`: a tar archive with one file per lesson. `jsonl`: one lesson per line.' }),
  kind: lessonKind,
  status: lessonStatus,
  year: archiveYear,
});
