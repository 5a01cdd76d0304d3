import { agentOfTries } from './agents/agent-progress.ts';
import { asksModelToScore, callsOfEvaluation } from './criterion.ts';
import { isRecallingByMeaning } from './embedding-request.ts';
import { type History, isFromCases } from './history.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfRun, spendsOf } from './spend.ts';
import type { DueTurn, Step } from './step.ts';
import type { StopReason } from './stop-reasons.ts';
import { writesFirstPrompt } from './targets/component-texts.ts';
import type { Spend } from './token-usage.ts';
import { diagnosisCalls } from './tuning/case-groups.ts';
import { limitedTries, validationPositions } from './tuning/cases-of.ts';
import { checksModel } from './tuning/plan-variation.ts';

/** What the next step may cost, its evaluation included. `calls` of models, none asked again; `costUsd` counts unpriced calls as 0. */
type StepEstimate = { calls: number; tokens: number; costUsd: number; durationMs: number };

/** Output length taken for a first answer, in tokens, before the run has shown how long its answers are. */
const FIRST_OUTPUT_TOKENS = 256;

/**
 * Estimates a step from what the run's own steps of the kind cost on average; before there is one, tokens by the length of the
 * input (4 characters a token). A step that makes a version counts that version's evaluation too.
 */
export function estimateNextStep(step: Step, history: History, settings: ExperimentSettings): StepEstimate {
  return { ...spendOfStep(step, history, settings), calls: callsOfStep(step, history, settings) };
}

function callsOfStep(step: Step, history: History, settings: ExperimentSettings): number {
  switch (step.type) {
    case 'turn':
      return step.agents.length + callsOfEvaluation(settings);
    case 'generate':
    case 'attempt':
    case 'revise':
      return 1 + callsOfEvaluation(settings);
    case 'try':
      return callsOfAnswer(settings) + callsOfEvaluation(settings);
    case 'evaluate':
      return settings.mode === 'tune' ? 0 : callsOfEvaluation(settings);
    case 'write_lesson':
    case 'write_reflection':
      return settings.lessons.check === null ? 1 : 2;
    case 'critique':
      return 1;
    case 'propose':
      return step.proposals.reduce(
        (sum, plan) => sum + 1 + diagnosisCalls(history, settings, plan),
        isRecallingByMeaning(settings) ? 1 : 0,
      );
    case 'combine':
      return step.components.length;
    case 'give':
      return writesFirstPrompt(settings) ? 1 : 0;
    case 'vary':
      return checksModel(step.plan) ? callsOfAnswer(settings) : 0;
    case 'use_tools':
    case 'conclude':
    case 'merge':
    case 'demonstrate':
    case 'redraw':
    case 'proceed':
    case 'wait':
    case 'stop':
      return 0;
  }
}

/** The most calls that answer one case of a tuning run: one, or all turns of an agent. */
export function callsOfAnswer(settings: ExperimentSettings): number {
  return agentOfTries(settings)?.maxSteps ?? 1;
}

type SpendEstimate = Omit<StepEstimate, 'calls'>;

function spendOfStep(step: Step, history: History, settings: ExperimentSettings): SpendEstimate {
  switch (step.type) {
    case 'generate':
    case 'attempt':
    case 'revise':
      return add(
        meanOf(history.versions) ?? firstEstimate(settings, history.inputLength),
        judging(history) ?? firstEvaluation(settings, history.inputLength),
      );
    case 'turn':
      return add(
        step.agents.map((agent) => nextTurn(agent, step.version, history, settings)).reduce(sideBySide, NOTHING),
        judging(history) ?? firstEvaluation(settings, history.inputLength),
      );
    case 'critique':
      return (
        meanOf(history.critiques.filter(({ trigger }) => trigger !== 'run_end')) ??
        (isScoredByModel(settings) ? judging(history) : null) ??
        meanOf(history.versions) ??
        NOTHING
      );
    case 'write_lesson':
    case 'write_reflection':
      // What a run writes at its end must not change what was estimated before: else it would go on after it.
      return meanOf(history.lessons.filter(({ kind }) => kind === 'lesson')) ?? meanOf(history.versions) ?? NOTHING;
    case 'evaluate':
      // A tuned prompt's evaluation is the mean of its tries.
      if (settings.mode === 'tune') return NOTHING;
      return judging(history) ?? firstEvaluation(settings, history.inputLength);
    case 'vary':
      return checksModel(step.plan) ? nextTry(history, settings) : NOTHING;
    case 'try':
      return nextTry(history, settings);
    case 'propose':
      return step.proposals
        .map((plan) => nextProposal(history, diagnosisCalls(history, settings, plan)))
        .reduce(sideBySide, NOTHING);
    case 'combine':
      return step.components.map(() => nextProposal(history)).reduce(sideBySide, NOTHING);
    case 'give':
      return writesFirstPrompt(settings) ? firstProposal(history) : NOTHING;
    case 'use_tools':
    case 'conclude':
    case 'merge':
    case 'demonstrate':
    case 'redraw':
    case 'proceed':
    case 'wait':
    case 'stop':
      return NOTHING;
  }
}

const NOTHING: SpendEstimate = { tokens: 0, costUsd: 0, durationMs: 0 };

function add(one: SpendEstimate, other: SpendEstimate): SpendEstimate {
  return {
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd + other.costUsd,
    durationMs: one.durationMs + other.durationMs,
  };
}

/** Turns and proposals of a step are made at the same time. */
function sideBySide(one: SpendEstimate, other: SpendEstimate): SpendEstimate {
  return { ...add(one, other), durationMs: Math.max(one.durationMs, other.durationMs) };
}

/** As the agent's last turn on its task, which a conversation only makes longer; its first as first turns were before. */
function nextTurn(
  { delegation, number }: DueTurn,
  version: number,
  { turns, inputLength }: History,
  settings: ExperimentSettings,
): SpendEstimate {
  const last = turns.findLast(
    (turn) => turn.version === version && turn.delegation === delegation && turn.number === number - 1,
  );
  const alike = turns.filter((turn) => turn.number === 0 && (turn.delegation === null) === (delegation === null));
  return meanOf(last === undefined ? alike : [last]) ?? firstEstimate(settings, inputLength);
}

function meanOf(records: Spend[]): SpendEstimate | null {
  if (records.length === 0) return null;
  const mean = (value: (record: Spend) => number) =>
    records.reduce((sum, record) => sum + value(record), 0) / records.length;
  return {
    tokens: mean((record) => record.tokenUsage.total),
    costUsd: mean((record) => record.costUsd ?? 0),
    durationMs: mean((record) => record.durationMs),
  };
}

/** What the machine's evaluations cost on average: a person's score and one that was kept cost nothing and say nothing. */
function judging(history: History): SpendEstimate | null {
  return meanOf(
    history.evaluations.filter((evaluation) => evaluation.by === 'machine' && (evaluation.copiedFrom ?? null) === null),
  );
}

/** Of one case: a try stops between two cases where a budget is used up. */
function nextTry(history: History, settings: ExperimentSettings): SpendEstimate {
  return (
    meanOf(history.tries.filter(({ paidBefore }) => !paidBefore)) ??
    add(firstEstimate(settings, history.inputLength), firstEvaluation(settings, history.inputLength))
  );
}

/** The mean cost of the proposals so far, or that of the first one and the `diagnoses` before it. */
function nextProposal(history: History, diagnoses = 0): SpendEstimate {
  const proposed = history.versions.filter(({ proposal }) => isFromCases(proposal));
  const first = firstProposal(history);
  return meanOf(proposed) ?? { ...first, tokens: first.tokens * (1 + diagnoses) };
}

/** As long as the prompt it starts from, and what was tried with it. */
function firstProposal(history: History): SpendEstimate {
  const prompt = history.versions.at(-1)?.output.length ?? 0;
  return { tokens: Math.ceil((2 * prompt + history.inputLength) / 4) + FIRST_OUTPUT_TOKENS, costUsd: 0, durationMs: 0 };
}

function isScoredByModel(settings: ExperimentSettings): boolean {
  return settings.criteria.some(asksModelToScore);
}

function firstEstimate(settings: ExperimentSettings, inputLength: number): SpendEstimate {
  return {
    tokens: Math.ceil((settings.generator.instructions.length + inputLength) / 4) + FIRST_OUTPUT_TOKENS,
    costUsd: 0,
    durationMs: 0,
  };
}

function firstEvaluation(settings: ExperimentSettings, inputLength: number): SpendEstimate {
  return isScoredByModel(settings) ? firstEstimate(settings, inputLength + FIRST_OUTPUT_TOKENS * 4) : NOTHING;
}

/**
 * The budgets that doing `step` would probably pass; `times` where so many of its kind are under way with it. Time is working time:
 * waiting for people does not count.
 */
export function heldBudgets(step: Step, history: History, settings: ExperimentSettings, times = 1): StopReason[] {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = settings.budget;
  const held: StopReason[] = passesTries(step, history, settings, times) ? ['try_limit'] : [];
  if (maxCalls === null && maxTokens === null && maxCostUsd === null && maxSeconds === null) return held;
  const estimate = withReserve(estimateNextStep(step, history, settings), step, history, settings, times);
  const spent = spendOfRun(history);
  const knownCostUsd = spendsOf(history).reduce((sum, record) => sum + (record.costUsd ?? 0), 0);
  if (maxCalls !== null && history.calls + estimate.calls > maxCalls) held.push('call_budget');
  if (maxTokens !== null && passes(spent.tokenUsage.total + estimate.tokens, maxTokens)) held.push('token_budget');
  if (maxCostUsd !== null && passes(knownCostUsd + estimate.costUsd, maxCostUsd)) held.push('cost_budget');
  if (maxSeconds !== null && passes(history.activeMs + estimate.durationMs, maxSeconds * 1000))
    held.push('time_budget');
  return held;
}

/** True if `times` more tries would exceed `tune.maxTries`. */
function passesTries(step: Step, history: History, { tune }: ExperimentSettings, times: number): boolean {
  const needed = triesNeeded(step, history, times);
  if (tune.maxTries === null || needed === 0) return false;
  return limitedTries(history).length + needed > tune.maxTries;
}

/** The tries that a step makes, or that its new prompts need. */
function triesNeeded(step: Step, history: History, times: number): number {
  switch (step.type) {
    case 'propose':
      return step.proposals.reduce((sum, { positions }) => sum + positions.length, 0);
    case 'combine':
      return validationPositions(history).length;
    case 'demonstrate':
      return step.plan.positions.length === 0 ? validationPositions(history).length : 0;
    case 'vary':
      return step.plan.positions.length;
    case 'try':
      return step.purpose === 'held_out' ? 0 : times;
    default:
      return 0;
  }
}

/**
 * What `times` steps cost, and beside them the reflection that the run writes at its end in any case: a reserve within its budgets, so
 * that no step takes what that one call needs.
 */
function withReserve(
  estimate: StepEstimate,
  step: Step,
  history: History,
  settings: ExperimentSettings,
  times: number,
): StepEstimate {
  const { calls, tokens, costUsd, durationMs } = estimate;
  const steps = { calls: times * calls, tokens: times * tokens, costUsd: times * costUsd, durationMs };
  const { alwaysReflect, write } = settings.lessons;
  if (!alwaysReflect || write === 'off' || settings.mode === 'tune' || step.type === 'write_reflection') return steps;
  const reserve = estimateNextStep(
    { type: 'write_reflection', version: 0, kind: 'failure', reason: 'max_iterations', withheldBy: [] },
    history,
    settings,
  );
  return {
    calls: steps.calls + reserve.calls,
    tokens: steps.tokens + reserve.tokens,
    costUsd: steps.costUsd + reserve.costUsd,
    durationMs: steps.durationMs + reserve.durationMs,
  };
}

/** Sums of money such as 0.1 + 0.2 come out a little high in floating point: 0.3 still covers them. */
function passes(sum: number, limit: number): boolean {
  return sum - limit > 1e-9 * limit;
}
