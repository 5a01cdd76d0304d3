import { agentBase } from '#lib/core/agents/agent-base.ts';
import type { AgentBase } from '#lib/core/agents/base-settings.ts';
import { callsOfEvaluation } from '#lib/core/calls-of-evaluation.ts';
import type { CallRole } from '#lib/core/model-request.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CallRange } from './calls-of-run.ts';
import { callsOfTuning, type SplitCounts } from './calls-of-tuning.ts';
import { turnsOfAttempt } from './turns-by-model.ts';

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
  const isRecallingByMeaning = lessons.store === 'recall' && lessons.embeddings !== null;
  return [
    ['generate', base === null ? drafts : NONE],
    ['turn', base === null ? NONE : { lowest: drafts.lowest, highest: drafts.highest * turnsOfAttempt(base) }],
    ...judging(settings, 'evaluate', versions, isRecallingByMeaning ? 1 : 0),
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
  if (splits === null) throw new Error("a tuning run's calls go by its cases");
  // Without judges and budget: one call a try, and one for each proposal.
  const bare = { ...settings, criteria: [], budget: { ...settings.budget, maxCalls: null } };
  const { lowest, highest } = callsOfTuning(bare, splits);
  const tries = { lowest, highest: highest - settings.maxIterations };
  return [
    ['try', tries],
    ...judging(settings, 'judge', tries, 0),
    ['reflect', { lowest: 0, highest: settings.maxIterations }],
  ];
}

/** What scoring takes, and the vectors that are asked for with each version. */
function judging(
  { criteria, evaluation }: ExperimentSettings,
  role: CallRole,
  versions: CallRange,
  vectorsAVersion: number,
): [CallRole, CallRange][] {
  const embedded = criteria.filter((one) => one.evaluator === 'reference' && one.config.match === 'embedding').length;
  const judges = callsOfEvaluation({ criteria }) - embedded;
  // The first version has nothing earlier to be compared with, in either order.
  const spared =
    2 * criteria.filter((one) => one.evaluator === 'comparison' && one.config.against !== 'reference').length;
  const { below, action } = evaluation.confidence;
  // At most each judgement is asked for again.
  const times = below !== null && action === 'rejudge' ? 2 : 1;
  const vectors = embedded + vectorsAVersion;
  return [
    [role, { lowest: versions.lowest * judges - spared, highest: times * (versions.highest * judges - spared) }],
    ['embed', { lowest: versions.lowest * vectors, highest: versions.highest * vectors }],
  ];
}
