import type { Case } from './case.ts';
import type { Evaluate } from './evaluate-request.ts';
import type { Decision, Evaluation, History, Spend, Version } from './history.ts';
import type { ModelFailure, ModelOutcome, ModelReply, ModelRequest, StepCall } from './model-request.ts';
import { critiquePrompt, critiqueReplySchema } from './prompts/critique-prompt.ts';
import { generatePrompt } from './prompts/generate-prompt.ts';
import { lessonPrompt } from './prompts/lesson-prompt.ts';
import type { Prompt } from './prompts/prompt.ts';
import { issueTexts, revisePrompt } from './prompts/revise-prompt.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import { type ExperimentSettings, type ModelRole, modelFor } from './settings.ts';
import type { Step, StepResult } from './step.ts';
import { structuredReply } from './structured-reply.ts';

/** A lesson is kept word for word up to this many characters. */
const LESSON_LENGTH = 2_000;

/** What a step stands in: the loop so far, its settings and case, and the shell's models, evaluators, clock and ids. */
export type StepContext = {
  history: History;
  settings: ExperimentSettings;
  case: Case;
  call: StepCall;
  evaluate: Evaluate;
  now: () => Date;
  newId: () => string;
};

/** Does one step; null when its call was aborted (somebody decided meanwhile, or the worker stops). */
export async function performStep(step: Step, context: StepContext): Promise<StepResult | null> {
  switch (step.type) {
    case 'generate':
      return makeVersion(context, generatePrompt(context.settings, context.case, []), 'generate', {
        origin: 'generated',
        iteration: 0,
      });
    case 'attempt':
      return makeVersion(context, generatePrompt(context.settings, context.case, context.history.lessons), 'generate', {
        origin: 'retried',
        iteration: step.iteration,
        recalledLessons: context.history.lessons.map((lesson, position) => ({
          lessonId: lesson.id,
          rank: position + 1,
          score: null,
        })),
      });
    case 'revise':
      return revise(context, step);
    case 'evaluate':
      return evaluate(context, versionOf(context.history, step.version));
    case 'critique':
      return critique(context, versionOf(context.history, step.version));
    case 'write_lesson':
      return writeLesson(context, versionOf(context.history, step.version));
    case 'proceed':
      return { type: 'decision', decision: policyDecision(context, step.version, 'continue', null) };
    case 'wait': {
      const { hook, version, wouldStopAs } = step;
      return {
        type: 'pause',
        pause: {
          pauseId: context.newId(),
          hook,
          version,
          wouldStopAs,
          since: context.now().toISOString(),
          expiresAt: null,
        },
      };
    }
    case 'stop': {
      const { reason } = step.ending;
      const ordered = reason === 'user_accepted' || reason === 'user_stopped';
      const last = context.history.versions.at(-1);
      return {
        type: 'end',
        ending: step.ending,
        decision: ordered || last === undefined ? null : policyDecision(context, last.number, 'stop', reason),
      };
    }
  }
}

type VersionKind = Pick<Version, 'origin' | 'iteration'> &
  Partial<Pick<Version, 'parents' | 'strategy' | 'improvementsApplied' | 'recalledLessons'>>;

async function makeVersion(
  context: StepContext,
  prompt: Prompt,
  role: ModelRole,
  kind: VersionKind,
): Promise<StepResult | null> {
  const { history, settings } = context;
  const outcome = await ask(context, role, prompt, {
    maxOutputTokens: role === 'revise' ? settings.revision.maxTokens : null,
  });
  if (!outcome.ok) return failed(context, role, outcome.failure);
  return {
    type: 'version',
    version: {
      ...spendOf(outcome.reply),
      parents: [],
      strategy: null,
      improvementsApplied: [],
      recalledLessons: [],
      ...kind,
      number: history.versions.length,
      output: outcome.reply.text,
      finishReason: outcome.reply.finishReason,
      interrupted: false,
      ...stamp(context),
    },
  };
}

function revise(context: StepContext, step: Extract<Step, { type: 'revise' }>): Promise<StepResult | null> {
  const { history, settings } = context;
  const from = versionOf(history, step.from);
  const critiqueOfIt = history.critiques.findLast((candidate) => candidate.version === from.number);
  return makeVersion(context, revisePrompt(settings, context.case, history, from, step.regressed), 'revise', {
    origin: 'revised',
    iteration: step.iteration,
    parents: [from.number],
    strategy: settings.revision.strategy,
    improvementsApplied: issueTexts(history, from, critiqueOfIt),
  });
}

async function evaluate(context: StepContext, version: Version): Promise<StepResult | null> {
  let ordinal = 0;
  const { settings } = context;
  const model = modelFor(settings, 'evaluate');
  const outcome = await context.evaluate({
    settings,
    case: context.case,
    output: version.output,
    ask: (request) => context.call(context.history.step, { ...request, role: 'evaluate', model, ordinal: ordinal++ }),
  });
  if (!outcome.ok) return failed(context, 'evaluate', outcome.failure);
  const judged = settings.criteria.some((criterion) => criterion.evaluator === 'llm');
  const sameModelJudge =
    judged && model.provider === settings.generator.provider && model.model === settings.generator.model;
  const evaluation: Evaluation = {
    ...outcome.evaluation,
    version: version.number,
    by: 'machine',
    actor: null,
    reason: null,
    sameModelJudge,
    ...stamp(context),
  };
  return { type: 'evaluation', evaluation };
}

async function critique(context: StepContext, version: Version): Promise<StepResult | null> {
  const { history, settings } = context;
  const evaluation = effectiveEvaluation(history, version.number);
  const output = settings.structuredReflection ? { name: 'critique', schema: critiqueReplySchema } : null;
  const outcome = await ask(context, 'reflect', critiquePrompt(settings, context.case, version, evaluation), {
    output,
  });
  if (!outcome.ok) return failed(context, 'reflect', outcome.failure);
  const read = output === null ? null : structuredReply(outcome.reply.text, critiqueReplySchema);
  const structured = read?.ok ? read.value : { summary: outcome.reply.text, issues: [], suggestions: [] };
  return {
    type: 'critique',
    critique: {
      ...spendOf(outcome.reply),
      version: version.number,
      text: structured.summary,
      issues: structured.issues,
      suggestions: structured.suggestions,
      ...stamp(context),
    },
  };
}

async function writeLesson(context: StepContext, version: Version): Promise<StepResult | null> {
  const { history, settings } = context;
  const evaluation = effectiveEvaluation(history, version.number);
  const outcome = await ask(
    context,
    'lesson',
    lessonPrompt(settings, context.case, version, evaluation, history.lessons),
  );
  if (!outcome.ok) return failed(context, 'lesson', outcome.failure);
  const text = outcome.reply.text.trim().slice(0, LESSON_LENGTH).toWellFormed();
  return {
    type: 'lesson',
    lesson: { ...spendOf(outcome.reply), id: context.newId(), version: version.number, text, ...stamp(context) },
  };
}

function ask(
  context: StepContext,
  role: ModelRole,
  prompt: Prompt,
  options: Partial<Pick<ModelRequest, 'maxOutputTokens' | 'output'>> = {},
): Promise<ModelOutcome> {
  const { settings } = context;
  const temperature = role === 'generate' || role === 'revise' ? settings.generator.temperature : null;
  return context.call(context.history.step, {
    role,
    ordinal: 0,
    model: modelFor(settings, role),
    ...prompt,
    temperature,
    maxOutputTokens: null,
    output: null,
    ...options,
  });
}

function failed(context: StepContext, role: ModelRole, failure: ModelFailure): StepResult | null {
  if (failure.kind === 'aborted') return null;
  const { message, remedy, tokenUsage, costUsd, latencyMs } = failure;
  const at = context.now().toISOString();
  return {
    type: 'failure',
    failure: {
      kind: 'model_failed',
      role,
      message,
      remedy,
      tokenUsage,
      costUsd,
      durationMs: latencyMs,
      step: context.history.step,
      at,
    },
  };
}

function policyDecision(
  context: StepContext,
  version: number,
  decision: 'continue' | 'stop',
  reason: string | null,
): Decision {
  const { history } = context;
  const at = context.now().toISOString();
  const { iteration } = versionOf(history, version);
  return {
    hook: 'onReflection',
    version,
    iteration,
    decision,
    by: 'policy',
    actor: null,
    reason,
    score: null,
    criterion: null,
    pauseId: null,
    at,
    step: history.step,
  };
}

function versionOf(history: History, number: number): Version {
  const version = history.versions.find((candidate) => candidate.number === number);
  if (version === undefined) throw new Error(`the history has no version ${number}`);
  return version;
}

function spendOf(reply: ModelReply): Spend {
  return { tokenUsage: reply.tokenUsage, costUsd: reply.costUsd, durationMs: reply.latencyMs };
}

function stamp(context: StepContext): { createdAt: string; step: number } {
  return { createdAt: context.now().toISOString(), step: context.history.step };
}
