import { performAgentStep } from '#lib/core/agents/agent-step.ts';
import { issuesForCritic, openIssues } from '#lib/core/issues/open-issues.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { evaluateCandidate, performTuningStep } from '#lib/core/tuning/perform-tuning-step.ts';
import { isJudgedByModel } from './criterion.ts';
import { guidanceOn } from './decisions.ts';
import { buildDraftInput } from './draft-input.ts';
import { earlierOutputs, retainedScore } from './earlier-outputs.ts';
import { evaluatorCalls, type MadeEvaluation } from './evaluate-request.ts';
import { type Decision, type Evaluation, PLAIN_DECISION, type Version, versionNumbered } from './history.ts';
import { identifyIssues, knownIssues } from './issues/identify-issues.ts';
import {
  distinctLessons,
  formSchema,
  ownLessons,
  type ReadReflection,
  readReflection,
  stepLessons,
} from './lesson-form.ts';
import { LESSON_LENGTH } from './lesson-schema.ts';
import type { ModelOutcome, ModelRequest } from './model-request.ts';
import { type ModelRole, modelFor } from './model-roles.ts';
import { answerForm } from './prompt-options.ts';
import { critiqueOpenResponseSchema, critiqueResponseSchema, readCritique } from './prompts/critique-prompt.ts';
import { triedBefore } from './prompts/earlier-findings.ts';
import { endReflectionPrompt } from './prompts/end-reflection-prompt.ts';
import { formatAgentTrajectory, MAX_TRAJECTORY_LENGTH } from './prompts/format-agent-trajectory.ts';
import { lessonPrompt } from './prompts/lesson-prompt.ts';
import { reflectionPrompt } from './prompts/reflection-prompt.ts';
import { issueTexts } from './prompts/revise-prompt.ts';
import { withoutThinking } from './responses.ts';
import { reviseText } from './revise-text.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import { callSettings } from './settings.ts';
import { spendOfCall, sumSpend } from './spend.ts';
import type { Step, StepResult } from './step.ts';
import { failedStep, nextVersion, type StepContext, stamp } from './step-context.ts';
import { type OutputOutcome, readOutput, reviseByTarget } from './targets/target-request.ts';
import { NO_SPEND } from './token-usage.ts';

/** Performs one step. Returns null if its call was aborted by a decision in the meantime or a stopping worker. */
export async function performStep(step: Step, context: StepContext): Promise<StepResult | null> {
  switch (step.type) {
    case 'generate':
      return generate(context, { origin: 'generated', iteration: 0 });
    case 'attempt':
      return generate(context, { origin: 'retried', iteration: step.iteration });
    case 'revise':
      return revise(context, step);
    case 'evaluate':
      return evaluate(context, versionNumbered(context.history, step.version));
    case 'critique':
      return critique(context, step);
    case 'write_lesson':
      return writeLesson(context, versionNumbered(context.history, step.version));
    case 'write_reflection':
      return writeReflection(context, step);
    case 'turn':
    case 'use_tools':
    case 'conclude':
      return performAgentStep(step, context);
    case 'give':
    case 'try':
    case 'propose':
    case 'combine':
    case 'merge':
    case 'demonstrate':
    case 'vary':
    case 'redraw':
      return performTuningStep(step, context);
    case 'proceed':
      return { type: 'decision', decision: policyDecision(context, step.version, 'continue', null) };
    case 'wait': {
      const { type: _type, ...pause } = step;
      const { timeoutSeconds } = context.settings.callbacks;
      const since = context.now();
      const expiresAt =
        timeoutSeconds === null ? null : new Date(since.getTime() + timeoutSeconds * 1000).toISOString();
      return {
        type: 'pause',
        pause: { pauseId: context.newId(), ...pause, since: since.toISOString(), expiresAt },
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

type Drafted = { origin: 'generated' | 'retried'; iteration: number };

async function generate(context: StepContext, kind: Drafted): Promise<StepResult | null> {
  const drafted = await buildDraftInput(context);
  if (drafted === null) return null;
  const { lessons, prompt } = drafted;
  const outcome = await askForOutput(context, 'generate', prompt);
  if (!outcome.ok) return failedStep(context, 'generate', outcome.failure);
  const { ok: _ok, reply, ...made } = outcome;
  const spend = sumSpend([spendOfCall(outcome), lessons.spend]);
  const { recalledLessons } = lessons;
  const version = { ...spend, ...kind, ...made, finishReason: reply.finishReason, recalledLessons };
  return { type: 'version', version: nextVersion(context, version) };
}

async function revise(context: StepContext, step: Extract<Step, { type: 'revise' }>): Promise<StepResult | null> {
  const { history, settings } = context;
  const from = versionNumbered(history, step.from);
  const lessons = await stepLessons([], context.recall);
  if (lessons === null) return null;
  const revision = {
    settings,
    case: context.case,
    history,
    from,
    regressed: step.regressed,
    recalled: lessons.recalled,
  };
  const { target } = settings.generator;
  const made =
    target === null
      ? await reviseText({ ...revision, ask: (prompt, options) => ask(context, 'revise', prompt, options) })
      : await reviseByTarget(target, revision, (prompt) => askForOutput(context, 'revise', prompt));
  if (!made.ok) return failedStep(context, 'revise', made.failure);
  const version = nextVersion(context, {
    ...made.revised,
    ...sumSpend([made.revised, lessons.spend]),
    recalledLessons: lessons.recalledLessons,
    origin: 'revised',
    iteration: step.iteration,
    parents: [from.number],
    improvementsApplied: [...issueTexts(history, from), ...guidanceOn(history, from.number)],
  });
  return { type: 'version', version };
}

async function evaluate(context: StepContext, version: Version): Promise<StepResult | null> {
  const { settings } = context;
  if (settings.mode === 'tune')
    return evaluated(context, version, evaluateCandidate(context.history, settings, version.number));
  const retained = context.judgesAgain ? null : retainedScore(context.history, settings, version);
  if (retained !== null) return { type: 'evaluation', evaluation: { ...retained, ...stamp(context) } };
  const outcome = await context.evaluate({
    settings,
    case: context.case,
    output: version.output,
    target: version.target ?? null,
    version: version.number,
    earlier: earlierOutputs(context.history, version.number),
    openIssues: openIssues(context.history, version),
    ...evaluatorCalls(settings, (request) => answerTo(context, request)),
  });
  if (!outcome.ok) return failedStep(context, 'evaluate', outcome.failure);
  return evaluated(context, version, outcome.evaluation);
}

function evaluated(context: StepContext, version: Version, made: MadeEvaluation): StepResult {
  const { settings } = context;
  const model = modelFor(settings, 'evaluate');
  const writer = modelFor(settings, 'generate');
  const judged = settings.criteria.some(isJudgedByModel);
  const sameModelJudge = judged && model.provider === writer.provider && model.model === writer.model;
  const evaluation: Evaluation = {
    ...made,
    issues: identifyIssues(knownIssues(context.history), made.issues),
    version: version.number,
    by: 'machine',
    actor: null,
    reason: null,
    sameModelJudge,
    ...stamp(context),
  };
  return { type: 'evaluation', evaluation };
}

type CritiqueStep = Extract<Step, { type: 'critique' }>;

async function critique(context: StepContext, step: CritiqueStep): Promise<StepResult | null> {
  const { history, settings } = context;
  const prompt = reflectionPrompt(history, settings, context.case, step);
  const speaksOfVersion = step.trigger === 'completion' || step.trigger === 'manual';
  const open = speaksOfVersion ? issuesForCritic(history, versionNumbered(history, step.version)) : [];
  const schema = open.length === 0 ? critiqueResponseSchema : critiqueOpenResponseSchema;
  const output = settings.structuredReflection ? { name: 'critique', schema } : null;
  const outcome = await ask(context, 'reflect', prompt, { output });
  if (!outcome.ok) return failedStep(context, 'reflect', outcome.failure);
  const read = readCritique(outcome.reply.text, settings.structuredReflection, open);
  return {
    type: 'critique',
    critique: {
      ...spendOfCall(outcome),
      version: step.version,
      trigger: step.trigger,
      ...read,
      issues: identifyIssues(knownIssues(history), read.issues),
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
    lessonPrompt(
      settings,
      context.case,
      version,
      evaluation,
      distinctLessons(ownLessons(history.lessons, settings)),
      formatAgentTrajectory(history, version.number, MAX_TRAJECTORY_LENGTH),
      triedBefore(history, version.number),
    ),
  );
  if (!outcome.ok) return failedStep(context, 'lesson', outcome.failure);
  const text = outcome.reply.text.trim().slice(0, LESSON_LENGTH).toWellFormed();
  return {
    type: 'lesson',
    lesson: {
      ...spendOfCall(outcome),
      id: context.newId(),
      version: version.number,
      kind: 'lesson',
      text,
      fields: {},
      ...stamp(context),
    },
  };
}

/**
 * An unusable or missing response never fails a completed run: it is recorded in a critique, and no lesson is stored. The same applies to a
 * call that budgets forbid.
 */
async function writeReflection(
  context: StepContext,
  { version: number, kind, reason, withheldBy }: Extract<Step, { type: 'write_reflection' }>,
): Promise<StepResult | null> {
  const { history, settings } = context;
  if (withheldBy.length > 0) {
    const text = `No reflection was written at the run's end: its budget does not hold another call (${withheldBy.join(', ')}). Resume the run with a larger budget, or use Look back.`;
    const made = { ...NO_SPEND, version: number, ...stamp(context) };
    return { type: 'critique', critique: { ...made, trigger: 'run_end', text, issues: [], suggestions: [] } };
  }
  const version = history.versions.find((candidate) => candidate.number === number) ?? null;
  const subject = { kind, version, evaluation: effectiveEvaluation(history, number), reason };
  const outcome = await ask(context, 'lesson', endReflectionPrompt(settings, context.case, history, subject), {
    output: { name: `${kind}_reflection`, schema: formSchema(kind, { isComplete: true }) },
  });
  if (!outcome.ok && outcome.failure.kind === 'aborted') return null;
  const made = { ...spendOfCall(outcome), version: number, ...stamp(context) };
  const read: ReadReflection = outcome.ok
    ? readReflection(kind, outcome.reply.text)
    : { ok: false, reason: outcome.failure.message };
  if (read.ok)
    return { type: 'lesson', lesson: { ...made, id: context.newId(), kind, text: read.text, fields: read.fields } };
  const text = `The reflection at the run's end could not be used, so no lesson was stored: ${read.reason}`;
  return { type: 'critique', critique: { ...made, trigger: 'run_end', text, issues: [], suggestions: [] } };
}

function ask(
  context: StepContext,
  role: ModelRole,
  prompt: Prompt,
  options: Partial<Pick<ModelRequest, 'ordinal' | 'output' | 'tools'>> = {},
): Promise<ModelOutcome> {
  const { settings } = context;
  return answerTo(context, {
    role,
    ordinal: 0,
    model: modelFor(settings, role),
    ...prompt,
    ...callSettings(settings, role),
    output: null,
    ...options,
  });
}

/** Requests an output from the generator: a model, or a target instead. */
async function askForOutput(context: StepContext, role: 'generate' | 'revise', prompt: Prompt): Promise<OutputOutcome> {
  const outcome = await ask(context, role, prompt, answerForm(context.settings.generator));
  if (!outcome.ok) return outcome;
  return { ok: true, ...readOutput(context.settings, outcome.reply.text), reply: outcome.reply };
}

/** Calls the model and removes its thinking from the answer. */
async function answerTo(context: StepContext, request: ModelRequest): Promise<ModelOutcome> {
  const outcome = await context.call(context.history.step, request);
  if (!outcome.ok) return outcome;
  return { ok: true, reply: { ...outcome.reply, text: withoutThinking(outcome.reply.text) } };
}

function policyDecision(
  context: StepContext,
  version: number,
  decision: 'continue' | 'stop',
  reason: string | null,
): Decision {
  const { history } = context;
  const at = context.now().toISOString();
  const { iteration } = versionNumbered(history, version);
  return {
    ...PLAIN_DECISION,
    ...{ hook: 'onReflection', version, iteration, decision, by: 'policy', reason, at, step: history.step },
  };
}
