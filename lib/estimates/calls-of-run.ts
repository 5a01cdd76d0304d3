import { agentBase } from '#lib/core/agents/agent-progress.ts';
import type { AgentBase } from '#lib/core/agents/base-settings.ts';
import { asksForVectors, callsOfEvaluation, comparedVersion } from '#lib/core/criterion.ts';
import { isRecallingByMeaning } from '#lib/core/embedding-request.ts';
import { callsOfAnswer } from '#lib/core/estimate-next-step.ts';
import type { Split } from '#lib/core/history.ts';
import type { CallRole } from '#lib/core/model-request.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { ExperimentSettings, ModelReference } from '#lib/core/settings.ts';
import { tunedNames, writesFirstPrompt } from '#lib/core/targets/component-texts.ts';
import { MOST_CASES_AT_ONCE } from '#lib/core/tuning/case-groups.ts';
import { MERGE_CASES, MOST_MERGES } from '#lib/core/tuning/merge-candidates.ts';
import { hasVariations } from '#lib/core/tuning/plan-variation.ts';
import { phasesOf, singleStrategy, usesSetting } from '#lib/core/tuning/strategies/registry.ts';

/** How many cases there are of each split, as `splitCases` makes them. */
export type SplitCounts = Record<Split, number>;

/**
 * How many model calls a tuning run takes: the fewest where the given prompt is good enough at once, the most where every proposal
 * comes as far as validation, which is drawn anew; never more than its budget of calls. Replies that are asked for again come on top, those that were paid
 * for before are taken off.
 */
export function callsOfTuning(settings: ExperimentSettings, cases: SplitCounts): CallRange {
  const judged = callsOfEvaluation(settings);
  const budget = settings.budget.maxCalls ?? Number.POSITIVE_INFINITY;
  return {
    lowest: Math.min(callsOfFirst(settings, cases, 1 + judged), budget),
    highest: Math.min(mostCallsOfTuning(settings, cases, callsOfAnswer(settings) + judged), budget),
  };
}

function validatedOn({ validation, train }: SplitCounts): number {
  return validation > 0 ? validation : train;
}

/** The first prompt on the validation and the held-out cases. `perTry`: calls of one try. */
function callsOfFirst(settings: ExperimentSettings, cases: SplitCounts, perTry: number): number {
  return firstPromptCalls(settings) + (validatedOn(cases) + cases.held_out) * perTry;
}

function mostCallsOfTuning(settings: ExperimentSettings, cases: SplitCounts, perTry: number): number {
  const validation = validatedOn(cases);
  const minibatch = Math.min(settings.tune.minibatchSize, cases.train);
  const { proposes, drawsExamples } = strategiesOf(settings);
  // The parent and the proposal or variation on the minibatch, and the proposal itself. Then its validation.
  const onMinibatch = proposes || hasVariations(settings) ? 2 * minibatch * perTry : 0;
  const round = onMinibatch + (proposes ? callsOfProposal(settings, cases) : 0) + validation * perTry;
  // The first prompt on the training cases, to solve some.
  const solving = drawsExamples ? cases.train * perTry : 0;
  // Both candidates and their merge on a few cases, and its validation.
  const merge = 3 * Math.min(MERGE_CASES, validation) * perTry + validation * perTry;
  const merges = mostMerges(settings);
  // Every prompt on the cases that join a validation set drawn anew: as many as half the old set at most.
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

/** A run without a prompt begins with one that the reflection model writes. */
function firstPromptCalls(settings: ExperimentSettings): number {
  return writesFirstPrompt(settings) ? 1 : 0;
}

/** A proposal, and the requests before it that diagnose its cases if they are many. Long cases and traces take more. */
function callsOfProposal({ tune }: ExperimentSettings, { train }: SplitCounts): number {
  const groups = Math.ceil(Math.min(tune.minibatchSize, train) / MOST_CASES_AT_ONCE);
  return groups > 1 ? 1 + groups : 1;
}

/** The most calls for vectors of what lessons are recalled by: one for each step that proposes. */
function recallsOfTuning(settings: ExperimentSettings): number {
  return isRecallingByMeaning(settings) && strategiesOf(settings).proposes ? settings.maxIterations : 0;
}

/** What any of the strategies of a run does. */
function strategiesOf({ tune, maxIterations }: ExperimentSettings) {
  const phases = maxIterations === 0 ? [] : phasesOf(tune.strategy).map(singleStrategy);
  return {
    proposes: phases.some(({ proposes }) => proposes !== null),
    drawsExamples: phases.some(({ drawsExamples }) => drawsExamples),
    combines: phases.some(({ combines }) => combines),
  };
}

/** The most calls that combine proposals. A combination needs two of them, and asks for each component that both changed. */
function combinations(settings: ExperimentSettings): number {
  const { tune, generator, maxIterations } = settings;
  const { target } = generator;
  if (tune.proposalsAtOnce === 1 || !strategiesOf(settings).combines) return 0;
  const asked = tune.components === 'all' && target !== null ? tunedNames(target).length : 1;
  return Math.floor(maxIterations / 2) * asked;
}

/** The most merges of candidates. The first one needs two proposals. */
function mostMerges(settings: ExperimentSettings): number {
  const { tune, maxIterations } = settings;
  const { target } = settings.generator;
  const isUsed = tune.merge && usesSetting(settings, 'merge');
  return isUsed && maxIterations > 1 && target !== null && tunedNames(target).length > 1 ? MOST_MERGES : 0;
}

/** The most tries of the final test, beyond one try of each held-out case with the first and the best prompt. */
function finalTestTries({ tune }: ExperimentSettings, cases: SplitCounts): number {
  return 2 * (tune.maxRepeats - 1) * cases.held_out;
}

/** About the most turns of an attempt: all of the agent's, and of each worker on one task. */
function turnsOfAttempt(base: AgentBase): number {
  const workers = base.type === 'supervisor' ? base.workers : [];
  return base.maxSteps + workers.reduce((sum, { maxSteps }) => sum + maxSteps, 0);
}

/** The turns of a run by the models that make them: the agent's own come first, and all of the fewest are its. */
export function turnsByModel(
  settings: ExperimentSettings,
  calls: CallRange,
): { model: ModelReference; calls: CallRange }[] {
  const own = modelFor(settings, 'generate');
  const base = agentBase(settings);
  if (base === null || base.type === 'react') return [{ model: own, calls }];
  const attempts = calls.highest / turnsOfAttempt(base);
  const found = [{ model: own, calls: { lowest: calls.lowest, highest: attempts * base.maxSteps } }];
  for (const { provider, model, maxSteps } of base.workers) {
    const asked = { provider: provider ?? own.provider, model: model ?? own.model };
    const known = found.find((one) => one.model.provider === asked.provider && one.model.model === asked.model);
    if (known === undefined) found.push({ model: asked, calls: { lowest: 0, highest: attempts * maxSteps } });
    else known.calls.highest += attempts * maxSteps;
  }
  return found;
}

/**
 * The calls of one run by what they are made for, roles without any left out: the fewest where the first version is good enough, the
 * most where the cap is reached. `splits` are the cases of a tuning run, null for others. Replies that are asked for again, and
 * reflections on a fall or an error, come on top; what was paid for before comes off. Throws for a tuning run without splits.
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
    ...judging(settings, 'evaluate', versions, isRecallingByMeaning(settings) ? 1 : 0),
    ['reflect', { lowest: 0, highest: checks + (mode === 'retry' ? 0 : rounds) }],
    ['revise', { lowest: 0, highest: mode === 'retry' ? 0 : rounds }],
    ['lesson', written],
    // What the patterns hold is not checked again.
    ['lesson_check', lessons.check === null ? NONE : { lowest: 0, highest: written.highest }],
  ];
}

const NONE: CallRange = { lowest: 0, highest: 0 };

/** Reflections between turns: after so many of them, and after those that use a tool which is watched. */
function checksOfAttempt({ triggers }: ExperimentSettings, { maxSteps }: AgentBase): number {
  const between = maxSteps - 1;
  const byInterval = triggers.stepInterval === null ? 0 : Math.floor(between / triggers.stepInterval);
  return byInterval + (triggers.onTools.length > 0 ? between : 0);
}

function tuningCalls(settings: ExperimentSettings, splits: SplitCounts | null): [CallRole, CallRange][] {
  if (splits === null) throw new Error('the calls of a tuning run depend on its cases');
  // Without judges, agent and budget: one call a try, and one for each proposal and combination.
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
    ...judging(settings, 'judge', tries, 0).map(([role, { lowest, highest }]): [CallRole, CallRange] => [
      role,
      { lowest, highest: highest + (role === 'embed' ? recalls : 0) },
    ]),
    ['reflect', { lowest: first, highest: first + later }],
  ];
}

/** What scoring takes, and the vectors that are asked for with each version. */
function judging(
  { criteria, evaluation }: ExperimentSettings,
  role: CallRole,
  versions: CallRange,
  vectorsAVersion: number,
): [CallRole, CallRange][] {
  const embedded = criteria.filter(asksForVectors).length;
  const judges = callsOfEvaluation({ criteria }) - embedded;
  // The first version has nothing earlier to be compared with, in either order.
  const spared = callsOfEvaluation({ criteria: criteria.filter((one) => comparedVersion(one) !== null) });
  const { below, action } = evaluation.confidence;
  // At most each judgement is asked for again.
  const times = below !== null && action === 'rejudge' ? 2 : 1;
  const vectors = embedded + vectorsAVersion;
  return [
    [role, { lowest: versions.lowest * judges - spared, highest: times * (versions.highest * judges - spared) }],
    ['embed', { lowest: versions.lowest * vectors, highest: versions.highest * vectors }],
  ];
}

/** The fewest and about the most model calls of one run. */
export type CallRange = { lowest: number; highest: number };

/**
 * How many model calls a run takes under some settings: the fewest where the first version is good enough, the most where the cap is
 * reached. Replies that are asked for again, and reflections on a fall or an error, come on top. Throws for a tuning run, whose calls
 * go by its cases: see `callsOfTuning`.
 */
export function callsOfRun(settings: ExperimentSettings): CallRange {
  return sumOfCalls([...callsByRole(settings, null).values()]);
}

/** All of them together. */
export function sumOfCalls(ranges: readonly CallRange[]): CallRange {
  return ranges.reduce(
    (sum, { lowest, highest }) => ({ lowest: sum.lowest + lowest, highest: sum.highest + highest }),
    { lowest: 0, highest: 0 },
  );
}
