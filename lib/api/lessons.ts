import { assignmentsSchema, lessonOpinionsSchema, lessonPeopleSchema } from '#lib/assignments/queries.ts';
import { personOf } from '#lib/auth/actor.ts';
import { recordExport } from '#lib/auth/record-change.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { succeed } from '#lib/core/problem.ts';
import { addToInstructions, ruleInputSchema } from '#lib/experiments/add-to-instructions.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { idOf, notFound, orNotFound, word } from '#lib/http/parameters.ts';
import { mediaType, receiveBody, unsupportedType } from '#lib/http/read-body.ts';
import { assign, assignmentInputSchema, unassign } from '#lib/inbox/assign.ts';
import { addLesson } from '#lib/lessons/add-lesson.ts';
import { requestScreening } from '#lib/lessons/admit-lessons.ts';
import { deleteLesson } from '#lib/lessons/delete-lesson.ts';
import { editLesson } from '#lib/lessons/edit-lesson.ts';
import { exportLessons } from '#lib/lessons/export-lessons.ts';
import {
  importLessons,
  LESSON_UPLOAD_BYTES,
  type LessonUpload,
  lessonImportSchema,
} from '#lib/lessons/import-lessons.ts';
import {
  commentLesson,
  deleteComment,
  editComment,
  findLessonPeople,
  opinionInputSchema,
  submitOpinion,
} from '#lib/lessons/lesson-people.ts';
import { findLesson, findTrials, listLessons } from '#lib/lessons/queries.ts';
import { tryRecall, tryRecallInputSchema } from '#lib/lessons/recall-lessons.ts';
import { reviewLesson } from '#lib/lessons/review-lesson.ts';
import {
  lessonCommentSchema,
  lessonEditSchema,
  lessonInputSchema,
  lessonReviewSchema,
  ruleProposalSchema,
  triedRecallSchema,
} from '#lib/lessons/schema.ts';
import { planTrial, startTrial, trialInputSchema } from '#lib/trials/start-trial.ts';
import {
  editedLessonSchema,
  givenReviewSchema,
  importedLessonsSchema,
  lessonsExportQuery,
  lessonsQuery,
  lessonsSchema,
  reviewedLessonSchema,
  startedTrialSchema,
  storedCommentSchema,
  trialEstimateSchema,
  trialsSchema,
} from './lessons-schema.ts';

const FORMATS = new Map<string, LessonUpload['format']>([
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['text/markdown', 'markdown'],
  ['application/x-tar', 'tar'],
]);

export const lessonRoutes = {
  tryRecall: defineRoute('POST /api/v1/lessons/recall', {
    summary: 'Preview the lessons that a run of an input would recall. Stores nothing',
    role: 'reviewer',
    scope: 'lessons:read',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    body: component('TryRecallInput', tryRecallInputSchema),
    response: component('TriedRecall', triedRecallSchema),
    handle: async ({ context, actor, body }) => tryRecall(context, actor, body),
  }),
  addToInstructions: defineRoute('POST /api/v1/lessons/{id}/instructions', {
    summary: 'Add a promoted principle or procedure to the instructions of an experiment, or preview it',
    role: 'editor',
    scope: ['lessons:write', 'runs:write'],
    audit: 'changed',
    params: { id: idOf('lesson') },
    body: component('RuleInput', ruleInputSchema),
    response: component('RuleProposal', ruleProposalSchema),
    handle: async ({ context, actor, params, body }) => addToInstructions(context, actor, params.id, body),
  }),
  startTrial: defineRoute('POST /api/v1/lessons/{id}/trials', {
    summary: 'Run other cases with and without a lesson',
    role: 'editor',
    scope: ['lessons:write', 'runs:write'],
    limit: 'start',
    audit: 'started',
    params: { id: idOf('lesson') },
    body: component('TrialInput', trialInputSchema),
    status: 201,
    response: startedTrialSchema,
    handle: async ({ context, actor, params, body }) => startTrial(context, actor, params.id, body),
  }),
  estimateTrial: defineRoute('POST /api/v1/lessons/{id}/trials/estimate', {
    summary: 'Estimate a trial. Stores nothing',
    role: 'editor',
    scope: ['lessons:write', 'runs:write'],
    limit: 'read',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    params: { id: idOf('lesson') },
    body: component('TrialInput', trialInputSchema),
    response: trialEstimateSchema,
    handle: async ({ context, params, body }) => {
      const planned = await planTrial(context, params.id, body);
      if (!planned.ok) return planned;
      const { cases, repetitions, leftOut, calls } = planned.value;
      return succeed({ cases: cases.length, leftOut, runs: 2 * cases.length * repetitions, calls });
    },
  }),
  listTrials: defineRoute('GET /api/v1/lessons/{id}/trials', {
    summary: 'List the trials of a lesson with their effect and interval',
    role: 'viewer',
    scope: 'lessons:read',
    params: { id: idOf('lesson') },
    response: trialsSchema,
    handle: async ({ context: { database }, params }) => {
      const items = await findTrials(database, params.id);
      if (items.length === 0 && (await findLesson(database, params.id)) === null) return notFound('lesson');
      return succeed({ items });
    },
  }),
  listLessons: defineRoute('GET /api/v1/lessons', {
    summary: 'List lessons, newest first, by words, kind, status or scope',
    role: 'viewer',
    scope: 'lessons:read',
    query: lessonsQuery,
    response: lessonsSchema,
    handle: async ({ context: { database }, actor, query }) => {
      const { cursor, limit, query: words, kind, status, year, scope, only } = query;
      const filter = {
        query: words,
        kind: kind ?? null,
        status: status ?? null,
        year: year ?? null,
        scope: scope ?? null,
        only: only ?? null,
        personId: personOf(actor),
      };
      return succeed(await listLessons(database, { ...filter, order: 'newest' }, { cursor: cursor ?? null, limit }));
    },
  }),
  createLesson: defineRoute('POST /api/v1/lessons', {
    summary: 'Add a lesson as a candidate, redacted and screened',
    role: 'editor',
    scope: 'lessons:write',
    audit: 'created',
    body: component('LessonInput', lessonInputSchema),
    status: 201,
    response: component('Lesson', lessonDetailSchema),
    handle: async ({ context, actor, body }) => addLesson(context, actor, body),
  }),
  getLesson: defineRoute('GET /api/v1/lessons/{id}', {
    summary: 'Get a lesson with its edits, checks, uses, reviews and comments',
    role: 'viewer',
    scope: 'lessons:read',
    params: { id: idOf('lesson') },
    response: component('Lesson', lessonDetailSchema),
    handle: async ({ context: { database }, params }) => orNotFound(await findLesson(database, params.id), 'lesson'),
  }),
  updateLesson: defineRoute('PATCH /api/v1/lessons/{id}', {
    summary: 'Change a lesson. 409 if it was edited since you read it',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'changed',
    params: { id: idOf('lesson') },
    body: component('LessonEdit', lessonEditSchema),
    response: editedLessonSchema,
    handle: async ({ context, actor, params, body }) => editLesson(context, actor, params.id, body),
  }),
  deleteLesson: defineRoute('DELETE /api/v1/lessons/{id}', {
    summary: 'Delete a lesson. 409 while the run that wrote it is running',
    role: 'editor',
    scope: 'lessons:write',
    audit: 'deleted',
    params: { id: idOf('lesson') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deleteLesson(context, actor, params.id),
  }),
  reviewLesson: defineRoute('POST /api/v1/lessons/{id}/reviews', {
    summary: 'Promote, reject, archive or restore a lesson. 409 if it was decided or edited since you read it',
    role: 'reviewer',
    scope: 'people',
    audit: 'reviewed',
    params: { id: idOf('lesson') },
    body: component('LessonReview', lessonReviewSchema),
    response: givenReviewSchema,
    handle: async ({ context, actor, params, body }) => reviewLesson(context, actor, params.id, body),
  }),
  addLessonComment: defineRoute('POST /api/v1/lessons/{id}/comments', {
    summary: 'Add a comment to a lesson',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'commented',
    params: { id: idOf('lesson') },
    body: component('LessonRemark', lessonCommentSchema),
    status: 201,
    response: storedCommentSchema,
    handle: async ({ context, actor, params, body }) => commentLesson(context, actor, params.id, body),
  }),
  updateLessonComment: defineRoute('PATCH /api/v1/lessons/{id}/comments/{commentId}', {
    summary: 'Change your own comment on a lesson',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'edited_comment',
    params: { id: idOf('lesson'), commentId: idOf('comment') },
    body: component('LessonRemark', lessonCommentSchema),
    response: storedCommentSchema,
    handle: async ({ context, actor, params, body }) =>
      editComment(context, actor, { lessonId: params.id, id: params.commentId }, body),
  }),
  deleteLessonComment: defineRoute('DELETE /api/v1/lessons/{id}/comments/{commentId}', {
    summary: 'Delete your own comment on a lesson, or any comment as an owner',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'deleted_comment',
    params: { id: idOf('lesson'), commentId: idOf('comment') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) =>
      deleteComment(context, actor, { lessonId: params.id, id: params.commentId }),
  }),
  getLessonPeople: defineRoute('GET /api/v1/lessons/{id}/people', {
    summary: 'Get the assignments and opinions on a lesson',
    role: 'viewer',
    scope: 'lessons:read',
    params: { id: idOf('lesson') },
    response: component('LessonPeople', lessonPeopleSchema),
    handle: async ({ context, actor, params }) => findLessonPeople(context, actor, params.id),
  }),
  saveOpinion: defineRoute('POST /api/v1/lessons/{id}/opinions', {
    summary: 'Say whether you would promote a lesson. Then you see the opinions of others',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'judged',
    params: { id: idOf('lesson') },
    body: component('OpinionInput', opinionInputSchema),
    status: 201,
    response: component('LessonOpinions', lessonOpinionsSchema),
    handle: async ({ context, actor, params, body }) => submitOpinion(context, actor, params.id, body),
  }),
  assignLesson: defineRoute('POST /api/v1/lessons/{id}/assignments', {
    summary: 'Assign a lesson to a member who had no part in it',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'assigned',
    params: { id: idOf('lesson') },
    body: component('AssignmentInput', assignmentInputSchema),
    response: component('Assignments', assignmentsSchema),
    handle: async ({ context, actor, params, body }) => assign(context, actor, { kind: 'lesson', id: params.id }, body),
  }),
  unassignLesson: defineRoute('DELETE /api/v1/lessons/{id}/assignments/{memberId}', {
    summary: 'Remove an assignment from a lesson',
    role: 'reviewer',
    scope: 'lessons:write',
    audit: 'unassigned',
    params: { id: idOf('lesson'), memberId: word },
    response: component('Assignments', assignmentsSchema),
    handle: async ({ context, actor, params }) =>
      unassign(context, actor, { kind: 'lesson', id: params.id }, params.memberId),
  }),
  screenLesson: defineRoute('POST /api/v1/lessons/{id}/screen', {
    summary: 'Screen a staged lesson and send it to review',
    role: 'reviewer',
    scope: 'lessons:write',
    limit: 'start',
    audit: 'requested',
    params: { id: idOf('lesson') },
    response: reviewedLessonSchema,
    handle: async ({ context, actor, params }) => requestScreening(context, actor, params.id),
  }),
  /**
   * Accepts JSON Lines, one Markdown file, a tar of Markdown files as exported, or JSON that contains one of these. This route bypasses
   * proxy.ts, which would truncate bodies at 10 MB. `authorize` checks Host and Origin.
   */
  importLessons: defineRoute('POST /api/v1/lessons/import', {
    summary: 'Import lessons as candidates. Nothing is imported twice, and a bad line is named',
    role: 'editor',
    scope: 'lessons:write',
    limit: 'import',
    audit: 'imported',
    upload: {
      types: ['application/jsonl', 'application/x-ndjson', 'text/markdown', 'application/x-tar'],
      json: component('LessonImport', lessonImportSchema),
    },
    status: 201,
    response: importedLessonsSchema,
    handle: async ({ context, request, actor }) => {
      const type = mediaType(request);
      const format = FORMATS.get(type);
      if (format === undefined) return unsupportedType(type, [...FORMATS.keys()]);
      return receiveBody(request, { actor, limitBytes: LESSON_UPLOAD_BYTES }, (bytes) =>
        importLessons(context, actor, { format, bytes }),
      );
    },
  }),
  exportLessons: defineRoute('GET /api/v1/lessons/export', {
    summary: 'Export the library as JSON Lines, or as a tar of Markdown files',
    role: 'viewer',
    scope: 'lessons:read',
    limit: 'read',
    audit: 'exported',
    query: lessonsExportQuery,
    response: { types: ['application/x-ndjson', 'application/x-tar'] },
    handle: async ({ context, request, actor, query }) => {
      const { format, kind, status, year } = query;
      const part = { format, kind: kind ?? null, status: status ?? null, year: year ?? null };
      const download = exportLessons(context, part);
      await recordExport(actor, { kind: 'lesson' }, part);
      return downloadResponse(request, download);
    },
  }),
};
