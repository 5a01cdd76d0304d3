import { failureText, type ModelOutcome, type StepCall } from '#lib/core/model-request.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import { namedServices } from '#lib/core/named-models.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import { callSettings } from '#lib/core/settings.ts';
import { spendOfCall, sumSpend } from '#lib/core/spend.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { checkText, checkWithModel } from '#lib/lessons/check-text.ts';
import { redactedExcerpt } from '#lib/lessons/redact-lesson.ts';
import {
  type ReadRetrospective,
  type RetrospectiveLesson,
  readRetrospective,
  retrospectivePrompt,
  retrospectiveResponseSchema,
} from '#lib/lessons/retrospectives/retrospective-prompt.ts';
import { type SettledRetrospective, settleRetrospective } from '#lib/lessons/retrospectives/retrospectives.ts';
import { retrospectiveStep } from '#lib/lessons/retrospectives/steps.ts';
import type { NewRetrospectiveLesson } from '#lib/lessons/write-queries.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { performQueuedWork, runWithQueuedWorkCalls } from './perform-queued-work.ts';
import type { WorkerContext } from './worker-context.ts';

/** Performs the waiting retrospectives of a run, see `performQueuedWork`. A crash loses at most the call in progress. */
export async function performRetrospectives(worker: WorkerContext, runId: string): Promise<void> {
  await performQueuedWork(worker, 'retrospectives', runId, async (worker, stored, piece) => {
    const step = retrospectiveStep(piece.number);
    const settled = await runWithQueuedWorkCalls(worker, piece, stored.run, step, (call) =>
      requestRetrospectiveLessons(worker, stored, step, call),
    );
    if (settled !== null) await settleRetrospective(worker.database, piece, settled, worker.now());
  });
}

/**
 * Requests structured lessons. If that fails or the response is unusable, requests JSON as plain text once. If that fails too, stores no
 * lessons and returns the reason. Returns null if the worker stops meanwhile.
 */
async function requestRetrospectiveLessons(
  worker: WorkerContext,
  stored: StoredRun,
  step: number,
  call: StepCall,
): Promise<SettledRetrospective | null> {
  let spend = NO_SPEND;
  let problem = '';
  let wasAnswered = false;
  for (const asText of [false, true]) {
    const outcome = await ask(stored, step, call, asText);
    if (!outcome.ok && outcome.failure.kind === 'aborted') return null;
    spend = sumSpend([spend, spendOfCall(outcome)]);
    if (outcome.ok) {
      wasAnswered = true;
      const read = readRetrospective(withoutThinking(outcome.reply.text));
      if (read.ok) {
        const sourceInput = await redactedExcerpt(stored.run.input);
        return withChecks(stored, step, call, worker.now(), {
          ...spend,
          ...done(worker, stored, read.value, sourceInput),
        });
      }
      problem = read.reason;
    } else {
      problem = failureText(outcome.failure);
      if (outcome.failure.kind !== 'malformed' && outcome.failure.kind !== 'bad_request') break;
    }
  }
  return wasAnswered
    ? {
        ...spend,
        status: 'unusable',
        message: `No response could be used, so nothing was stored: ${problem}`,
        lessons: [],
      }
    : { ...spend, status: 'failed', message: problem, lessons: [] };
}

/**
 * Adds the verdict of the model in `lessons.check` for each lesson that passed the patterns. Returns null if the worker stops meanwhile.
 */
async function withChecks(
  { settings }: StoredRun,
  step: number,
  call: StepCall,
  now: Date,
  settled: SettledRetrospective,
): Promise<SettledRetrospective | null> {
  const { check: model } = settings.lessons;
  if (model === null) return settled;
  const lessons: NewRetrospectiveLesson[] = [];
  let spend = sumSpend([settled]);
  for (const [index, lesson] of settled.lessons.entries()) {
    const { kind, fields } = lesson;
    const { text, findings } = await checkText({ kind, text: lesson.text, fields, sourceInput: '' }, 0, now);
    const checked = findings.length > 0 ? null : await checkWithModel({ model, call, step, index }, text);
    if (findings.length === 0 && checked === null) return null;
    if (checked !== null) spend = sumSpend([spend, checked.spend]);
    lessons.push({ ...lesson, modelCheck: checked?.modelCheck ?? null });
  }
  return { ...settled, ...spend, lessons };
}

function ask(
  { run, history, settings }: StoredRun,
  step: number,
  call: StepCall,
  asText: boolean,
): Promise<ModelOutcome> {
  const outcome = { reason: run.convergenceReason, success: run.success, asText };
  return call(step, {
    role: 'lesson',
    ordinal: asText ? 1 : 0,
    model: modelFor(settings, 'lesson'),
    ...retrospectivePrompt(settings, run, history, outcome),
    ...callSettings(settings, 'lesson'),
    output: asText ? null : { name: 'retrospective', schema: retrospectiveResponseSchema },
  });
}

function done(
  worker: WorkerContext,
  { settings }: StoredRun,
  { lessons, leftOut }: ReadRetrospective,
  sourceInput: string,
): Pick<SettledRetrospective, 'status' | 'message' | 'lessons'> {
  const { provider, model } = modelFor(settings, 'lesson');
  return {
    status: 'done',
    message:
      leftOut === 0
        ? null
        : `${leftOut === 1 ? 'One entry was' : `${leftOut} entries were`} skipped: not in the required format, or too many.`,
    lessons: lessons.map((lesson) => ({
      ...lesson,
      id: worker.newId(),
      admission: settings.lessons.write === 'stage' ? 'staged' : 'waiting',
      block: settings.lessons.block,
      agent: settings.lessons.agent,
      taskType: settings.taskType,
      tools: toolsOf(lesson),
      sourceInput,
      sourceScore: null,
      createdBy: `${provider}/${model}`,
      services: namedServices(settings),
      modelCheck: null,
    })),
  };
}

/** A tool policy applies to its tool, other lessons to no specific one. */
function toolsOf({ kind, fields }: RetrospectiveLesson): string[] {
  return kind === 'tool_policy' && fields.tool !== undefined ? [fields.tool] : [];
}
