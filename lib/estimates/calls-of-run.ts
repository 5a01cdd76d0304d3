import { agentBase } from '#lib/core/agents/agent-progress.ts';
import type { AgentBase } from '#lib/core/agents/base-settings.ts';
import { callsOfEvaluation, comparedVersion, usesEmbeddings } from '#lib/core/criterion.ts';
import { isRecallingByMeaning } from '#lib/core/embedding-request.ts';
import { callsOfAnswer } from '#lib/core/estimate-next-step.ts';
import type { Split } from '#lib/core/history.ts';
import type { CallRole } from '#lib/core/model-request.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { ExperimentSettings, ModelReference } from '#lib/core/settings.ts';
import { tunedNames, writesFirstPrompt } from '#lib/core/targets/component-texts.ts';
import { MAX_CASES_PER_REQUEST } from '#lib/core/tuning/case-groups.ts';
import { MAX_MERGES, MERGE_CASES } from '#lib/core/tuning/merge-candidates.ts';
import { hasVariations } from '#lib/core/tuning/plan-variation.ts';
import { phasesOf, singleStrategy, usesSetting } from '#lib/core/tuning/strategies/registry.ts';

/** Number of cases per split, as assigned by `splitCases`. */
export type SplitCounts = Record<Split, number>;

/**
 * Returns the range of model calls of a tuning run. Lowest: the given prompt is good enough. Highest: every proposal reaches validation,
 * and the validation set is redrawn. Never exceeds the call budget. Retries add to it, and cached responses reduce it.
 */
export function callsOfTuning(settings: ExperimentSettings, cases: SplitCounts): CallRange {
  const judged = callsOfEvaluation(settings);
  const budget = settings.budget.maxCalls ?? Number.POSITIVE_INFINITY;
  return {
    lowest: Math.min(callsOfFirst(settings, cases, 1 + judged), budget),
    highest: Math.min(countMaxTuningCalls(settings, cases, callsOfAnswer(settings) + judged), budget),
  };
}

function validatedOn({ validation, train }: SplitCounts): number {
  return validation > 0 ? validation : train;
}

/** Calls to score the first prompt on the validation and held-out cases. `perTry`: calls per example score. */
function callsOfFirst(settings: ExperimentSettings, cases: SplitCounts, perTry: number): number {
  return firstPromptCalls(settings) + (validatedOn(cases) + cases.held_out) * perTry;
}

function countMaxTuningCalls(settings: ExperimentSettings, cases: SplitCounts, perTry: number): number {
  const validation = validatedOn(cases);
  const minibatch = Math.min(settings.tune.minibatchSize, cases.train);
  const { proposes, drawsExamples } = strategiesOf(settings);
  // Parent and proposal (or variation) on the minibatch, and the proposal itself. Then its validation.
  const onMinibatch = proposes || hasVariations(settings) ? 2 * minibatch * perTry : 0;
  const round = onMinibatch + (proposes ? callsOfProposal(settings, cases) : 0) + validation * perTry;
  // The first prompt runs on the training cases to find solved ones.
  const solving = drawsExamples ? cases.train * perTry : 0;
  // Both candidates and their merge on a few cases, then validation of the merge.
  const merge = 3 * Math.min(MERGE_CASES, validation) * perTry + validation * perTry;
  const merges = countMaxMerges(settings);
  // Every prompt on the cases that join a redrawn validation set: at most half the size of the old set.
  const redrawn =
    (settings.maxIterations + merges) *
    Math.min(Math.ceil(cases.validation / 2), Math.max(0, cases.train - minibatch)) *
    perTry;
  return (
    callsOfFirst(settings, cases, perTry) +
    settings.maxIterations * round +
    merges * merge +
    solving +
    combinations(settings) +
    recallsOfTuning(settings) +
    (proposes ? redrawn : 0) +
    (settings.maxIterations > 0 ? cases.held_out * perTry + finalTestTries(settings, cases) * perTry : 0)
  );
}

/** In a run without a prompt, the reflection model writes the first one. */
function firstPromptCalls(settings: ExperimentSettings): number {
  return writesFirstPrompt(settings) ? 1 : 0;
}

/** Calls of one proposal, including earlier requests that diagnose its cases if there are many. Long cases and traces take more. */
function callsOfProposal({ tune }: ExperimentSettings, { train }: SplitCounts): number {
  const groups = Math.ceil(Math.min(tune.minibatchSize, train) / MAX_CASES_PER_REQUEST);
  return groups > 1 ? 1 + groups : 1;
}

/** Maximum number of embedding calls to recall lessons: one per step that proposes. */
function recallsOfTuning(settings: ExperimentSettings): number {
  return isRecallingByMeaning(settings) && strategiesOf(settings).proposes ? settings.maxIterations : 0;
}

/** Returns the capabilities of all strategies of a run combined. */
function strategiesOf({ tune, maxIterations }: ExperimentSettings) {
  const phases = maxIterations === 0 ? [] : phasesOf(tune.strategy).map(singleStrategy);
  return {
    proposes: phases.some(({ proposes }) => proposes !== null),
    drawsExamples: phases.some(({ drawsExamples }) => drawsExamples),
    combines: phases.some(({ combines }) => combines),
  };
}

/** Maximum number of calls that combine proposals. A combination needs two proposals, and one call for each component that both changed. */
function combinations(settings: ExperimentSettings): number {
  const { tune, generator, maxIterations } = settings;
  const { target } = generator;
  if (tune.proposalsAtOnce === 1 || !strategiesOf(settings).combines) return 0;
  const componentCount = tune.components === 'all' && target !== null ? tunedNames(target).length : 1;
  return Math.floor(maxIterations / 2) * componentCount;
}

/** Maximum number of merges of candidates. The first one needs two proposals. */
function countMaxMerges(settings: ExperimentSettings): number {
  const { tune, maxIterations } = settings;
  const { target } = settings.generator;
  const isUsed = tune.merge && usesSetting(settings, 'merge');
  return isUsed && maxIterations > 1 && target !== null && tunedNames(target).length > 1 ? MAX_MERGES : 0;
}

/** Maximum number of extra example scores in the final test, beyond one per held-out case for the first and the best prompt. */
function finalTestTries({ tune }: ExperimentSettings, cases: SplitCounts): number {
  return 2 * (tune.maxRepeats - 1) * cases.held_out;
}

/** Approximate maximum number of turns of an attempt: all turns of the agent, and of each worker on one task. */
function turnsOfAttempt(base: AgentBase): number {
  const workers = base.type === 'supervisor' ? base.workers : [];
  return base.maxSteps + workers.reduce((sum, { maxSteps }) => sum + maxSteps, 0);
}

/** Returns the turns of a run per model. The agent's own model comes first and gets all turns of the lowest estimate. */
export function turnsByModel(
  settings: ExperimentSettings,
  calls: CallRange,
): { model: ModelReference; calls: CallRange }[] {
  const generator = modelFor(settings, 'generate');
  const base = agentBase(settings);
  if (base === null || base.type === 'react') return [{ model: generator, calls }];
  const attempts = calls.highest / turnsOfAttempt(base);
  const found = [{ model: generator, calls: { lowest: calls.lowest, highest: attempts * base.maxSteps } }];
  for (const { provider, model, maxSteps } of base.workers) {
    const critic = { provider: provider ?? generator.provider, model: model ?? generator.model };
    const known = found.find((one) => one.model.provider === critic.provider && one.model.model === critic.model);
    if (known === undefined) found.push({ model: critic, calls: { lowest: 0, highest: attempts * maxSteps } });
    else known.calls.highest += attempts * maxSteps;
  }
  return found;
}

/**
 * Returns the calls of one run by role, without roles that make none. Lowest: the first version is good enough. Highest: the cap is
 * reached. Retries and reflections on a score drop or an error add to it, and cached responses reduce it. `splits` are the cases of a
 * tuning run, null for others. Throws for a tuning run without splits.
 */
export function callsByRole(settings: ExperimentSettings, splits: SplitCounts | null): Map<CallRole, CallRange> {
  const calls = settings.mode === 'tune' ? tuningCalls(settings, splits) : loopCalls(settings);
  return new Map(calls.filter(([, { highest }]) => highest > 0));
}

function loopCalls(settings: ExperimentSettings): [CallRole, CallRange][] {
  const { mode, lessons, maxAttempts, maxIterations } = settings;
  const rounds = mode === 'retry' ? maxAttempts - 1 : maxIterations;
  const versions = { lowest: 1, highest: 1 + rounds };
  const writes = lessons.write !== 'off';
  const atEnd = {
    lowest: writes && lessons.reflectOnEnd ? 1 : 0,
    highest: writes && (lessons.reflectOnEnd || lessons.alwaysReflect) ? 1 : 0,
  };
  const between = mode === 'retry' && writes ? rounds : 0;
  const written = { lowest: atEnd.lowest, highest: between + atEnd.highest };
  const base = agentBase(settings);
  const drafts = mode === 'retry' ? versions : { lowest: 1, highest: 1 };
  const checks = drafts.highest * (base === null ? 0 : checksOfAttempt(settings, base));
  return [
    ['generate', base === null ? drafts : NONE],
    ['turn', base === null ? NONE : { lowest: drafts.lowest, highest: drafts.highest * turnsOfAttempt(base) }],
    ...listJudgeCalls(settings, 'evaluate', versions, isRecallingByMeaning(settings) ? 1 : 0),
    ['reflect', { lowest: 0, highest: checks + (mode === 'retry' ? 0 : rounds) }],
    ['revise', { lowest: 0, highest: mode === 'retry' ? 0 : rounds }],
    ['lesson', written],
    // Lessons that match the injection patterns are not sent to the check model.
    ['lesson_check', lessons.check === null ? NONE : { lowest: 0, highest: written.highest }],
  ];
}

const NONE: CallRange = { lowest: 0, highest: 0 };

/** Maximum number of reflections between turns: at the configured interval, and after turns that use a watched tool. */
function checksOfAttempt({ triggers }: ExperimentSettings, { maxSteps }: AgentBase): number {
  const between = maxSteps - 1;
  const byInterval = triggers.stepInterval === null ? 0 : Math.floor(between / triggers.stepInterval);
  return byInterval + (triggers.onTools.length > 0 ? between : 0);
}

function tuningCalls(settings: ExperimentSettings, splits: SplitCounts | null): [CallRole, CallRange][] {
  if (splits === null) throw new Error('the calls of a tuning run depend on its cases');
  // Without judges, agent and budget: one call per example score, proposal and combination.
  const generator = { ...settings.generator, base: { type: 'single' as const } };
  const bare = { ...settings, generator, criteria: [], budget: { ...settings.budget, maxCalls: null } };
  const { lowest, highest } = callsOfTuning(bare, splits);
  const first = firstPromptCalls(settings);
  const proposals = strategiesOf(settings).proposes ? settings.maxIterations * callsOfProposal(settings, splits) : 0;
  const later = proposals + combinations(settings);
  const recalls = recallsOfTuning(settings);
  const tries = { lowest: lowest - first, highest: highest - first - later - recalls };
  return [
    ['try', { lowest: tries.lowest, highest: tries.highest * callsOfAnswer(settings) }],
    ...listJudgeCalls(settings, 'judge', tries, 0).map(([role, { lowest, highest }]): [CallRole, CallRange] => [
      role,
      { lowest, highest: highest + (role === 'embed' ? recalls : 0) },
    ]),
    ['reflect', { lowest: first, highest: first + later }],
  ];
}

/** Returns the calls for scoring, and the embedding calls per version. */
function listJudgeCalls(
  { criteria, evaluation }: ExperimentSettings,
  role: CallRole,
  versions: CallRange,
  vectorsAVersion: number,
): [CallRole, CallRange][] {
  const embedded = criteria.filter(usesEmbeddings).length;
  const judges = callsOfEvaluation({ criteria }) - embedded;
  // The first version has no earlier version to be compared with.
  const spared = callsOfEvaluation({ criteria: criteria.filter((one) => comparedVersion(one) !== null) });
  const { below, action } = evaluation.confidence;
  // Each judgement is repeated at most once.
  const times = below !== null && action === 'rejudge' ? 2 : 1;
  const vectors = embedded + vectorsAVersion;
  return [
    [role, { lowest: versions.lowest * judges - spared, highest: times * (versions.highest * judges - spared) }],
    ['embed', { lowest: versions.lowest * vectors, highest: versions.highest * vectors }],
  ];
}

/** Lowest and approximate highest number of model calls of one run. */
export type CallRange = { lowest: number; highest: number };

/**
 * Returns the range of model calls of a run. Lowest: the first version is good enough. Highest: the cap is reached. Retries and reflections
 * on a score drop or an error add to it. Throws for a tuning run, whose calls depend on its cases: see `callsOfTuning`.
 */
export function callsOfRun(settings: ExperimentSettings): CallRange {
  return sumOfCalls([...callsByRole(settings, null).values()]);
}

/** Returns the sum of the ranges. */
export function sumOfCalls(ranges: readonly CallRange[]): CallRange {
  return ranges.reduce(
    (sum, { lowest, highest }) => ({ lowest: sum.lowest + lowest, highest: sum.highest + highest }),
    { lowest: 0, highest: 0 },
  );
}
