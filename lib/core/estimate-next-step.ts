import { agentOfTries } from './agents/agent-progress.ts';
import { callsOfEvaluation, hasScoringCost } from './criterion.ts';
import { isRecallingByMeaning } from './embedding-request.ts';
import { type History, isFromCases } from './history.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfRun, spendsOf } from './spend.ts';
import type { DueTurn, Step } from './step.ts';
import type { StopReason } from './stop-reasons.ts';
import { writesFirstPrompt } from './targets/component-texts.ts';
import type { Spend } from './token-usage.ts';
import { diagnosisCalls } from './tuning/case-groups.ts';
import { limitedTries, validationPositions } from './tuning/case-scores.ts';
import { checksModel } from './tuning/plan-variation.ts';

/** Estimated cost of the next step and its evaluation. `calls` are model calls without retries. `costUsd` counts unpriced calls as 0. */
type StepEstimate = { calls: number; tokens: number; costUsd: number; durationMs: number };

/** Assumed length of a first answer in tokens, before the run has produced any. */
export const FIRST_OUTPUT_TOKENS = 256;

/**
 * Estimates a step from the average cost of the run's own steps of the same kind. Before there is one, estimates tokens from the input
 * length (4 characters per token). A step that makes a version includes its evaluation.
 */
export function estimateNextStep(step: Step, history: History, settings: ExperimentSettings): StepEstimate {
  switch (step.type) {
    case 'generate':
    case 'attempt':
    case 'revise': {
      const draft = meanOf(history.versions) ?? firstEstimate(settings, history.inputLength);
      return withEvaluation({ ...draft, calls: 1 + callsOfRecall(settings) }, history, settings);
    }
    case 'turn': {
      const turns = step.agents.map((agent) => nextTurn(agent, step.version, history, settings));
      const recalls = step.agents.some(({ delegation, number }) => delegation === null && number === 0);
      const calls = turns.length + (recalls ? callsOfRecall(settings) : 0);
      return withEvaluation({ ...turns.reduce(sideBySide, NOTHING), calls }, history, settings);
    }
    case 'critique':
      return {
        ...(meanOf(history.critiques.filter(({ trigger }) => trigger !== 'run_end')) ??
          (isScoredByModel(settings) ? judging(history) : null) ??
          meanOf(history.versions) ??
          NOTHING),
        calls: 1,
      };
    case 'write_lesson':
    case 'write_reflection':
      return {
        // The reflections that a run writes at its end must not change earlier estimates, or the run would continue after it.
        ...(meanOf(history.lessons.filter(({ kind }) => kind === 'lesson')) ?? meanOf(history.versions) ?? NOTHING),
        calls: settings.lessons.check === null ? 1 : 2,
      };
    case 'evaluate':
      // The evaluation of a tuned prompt is the mean of its example scores.
      return settings.mode === 'tune' ? NO_CALLS : withEvaluation(NO_CALLS, history, settings);
    case 'vary':
      return checksModel(step.plan) ? { ...nextTry(history, settings), calls: callsOfAnswer(settings) } : NO_CALLS;
    case 'try':
      return { ...nextTry(history, settings), calls: callsOfAnswer(settings) + callsOfEvaluation(settings) };
    case 'propose': {
      const diagnoses = step.proposals.map((plan) => diagnosisCalls(history, settings, plan));
      return {
        ...diagnoses.map((count) => nextProposal(history, count)).reduce(sideBySide, NOTHING),
        calls: diagnoses.reduce((sum, count) => sum + 1 + count, callsOfRecall(settings)),
      };
    }
    case 'combine': {
      const proposals = step.components.map(() => nextProposal(history));
      return { ...proposals.reduce(sideBySide, NOTHING), calls: proposals.length };
    }
    case 'give':
      return writesFirstPrompt(settings) ? { ...firstProposal(history), calls: 1 } : NO_CALLS;
    case 'use_tools':
    case 'conclude':
    case 'merge':
    case 'demonstrate':
    case 'redraw':
    case 'proceed':
    case 'wait':
    case 'stop':
      return NO_CALLS;
  }
}

/** Returns the calls that embed the query of a recall. Vectors of lessons are made once and kept, so they are not counted. */
function callsOfRecall(settings: ExperimentSettings): number {
  return isRecallingByMeaning(settings) ? 1 : 0;
}

function withEvaluation(step: StepEstimate, history: History, settings: ExperimentSettings): StepEstimate {
  const evaluation = judging(history) ?? firstEvaluation(settings, history.inputLength);
  return { ...add(step, evaluation), calls: step.calls + callsOfEvaluation(settings) };
}

/** Returns the maximum calls to answer one case of a tuning run: one, or all turns of an agent. */
export function callsOfAnswer(settings: ExperimentSettings): number {
  return agentOfTries(settings)?.maxSteps ?? 1;
}

type SpendEstimate = Omit<StepEstimate, 'calls'>;

const NOTHING: SpendEstimate = { tokens: 0, costUsd: 0, durationMs: 0 };
const NO_CALLS: StepEstimate = { ...NOTHING, calls: 0 };

function add(one: SpendEstimate, other: SpendEstimate): SpendEstimate {
  return {
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd + other.costUsd,
    durationMs: one.durationMs + other.durationMs,
  };
}

/** Turns and proposals of a step run in parallel. */
function sideBySide(one: SpendEstimate, other: SpendEstimate): SpendEstimate {
  return { ...add(one, other), durationMs: Math.max(one.durationMs, other.durationMs) };
}

/** Uses the agent's last turn on its task, as conversations only grow. A first turn uses earlier first turns. */
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

/** Mean cost of automatic evaluations. Scores by people and reused evaluations cost nothing and are excluded. */
function judging(history: History): SpendEstimate | null {
  return meanOf(
    history.evaluations.filter((evaluation) => evaluation.by === 'machine' && (evaluation.copiedFrom ?? null) === null),
  );
}

/** Estimate for one case. Scoring stops between two cases when a budget is used up. */
function nextTry(history: History, settings: ExperimentSettings): SpendEstimate {
  return (
    meanOf(history.tries.filter(({ paidBefore }) => !paidBefore)) ??
    add(firstEstimate(settings, history.inputLength), firstEvaluation(settings, history.inputLength))
  );
}

/** Returns the mean cost of the proposals so far. Before there is one, estimates the first one and the `diagnoses` before it. */
function nextProposal(history: History, diagnoses = 0): SpendEstimate {
  const proposed = history.versions.filter(({ proposal }) => isFromCases(proposal));
  const first = firstProposal(history);
  return meanOf(proposed) ?? { ...first, tokens: first.tokens * (1 + diagnoses) };
}

/** Assumes the length of the parent prompt and of the examples in the request. */
function firstProposal(history: History): SpendEstimate {
  const prompt = history.versions.at(-1)?.output.length ?? 0;
  return { ...NOTHING, tokens: Math.ceil((2 * prompt + history.inputLength) / 4) + FIRST_OUTPUT_TOKENS };
}

function isScoredByModel(settings: ExperimentSettings): boolean {
  return settings.criteria.some(hasScoringCost);
}

function firstEstimate(settings: ExperimentSettings, inputLength: number): SpendEstimate {
  const { instructions } = settings.generator;
  return { ...NOTHING, tokens: Math.ceil((instructions.length + inputLength) / 4) + FIRST_OUTPUT_TOKENS };
}

function firstEvaluation(settings: ExperimentSettings, inputLength: number): SpendEstimate {
  return isScoredByModel(settings) ? firstEstimate(settings, inputLength + FIRST_OUTPUT_TOKENS * 4) : NOTHING;
}

/**
 * Returns the budgets that `step` would probably exceed. `times` is the number of such steps in parallel. Time is working time: waiting for
 * people does not count.
 */
export function findExceededBudgets(
  step: Step,
  history: History,
  settings: ExperimentSettings,
  times = 1,
): StopReason[] {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = settings.budget;
  const reasons: StopReason[] = exceedsTryLimit(step, history, settings, times) ? ['try_limit'] : [];
  if (maxCalls === null && maxTokens === null && maxCostUsd === null && maxSeconds === null) return reasons;
  const estimate = withReserve(estimateNextStep(step, history, settings), step, history, settings, times);
  const spent = spendOfRun(history);
  const knownCostUsd = spendsOf(history).reduce((sum, record) => sum + (record.costUsd ?? 0), 0);
  if (maxCalls !== null && history.calls + estimate.calls > maxCalls) reasons.push('call_budget');
  if (maxTokens !== null && exceedsLimit(spent.tokenUsage.total + estimate.tokens, maxTokens))
    reasons.push('token_budget');
  if (maxCostUsd !== null && exceedsLimit(knownCostUsd + estimate.costUsd, maxCostUsd)) reasons.push('cost_budget');
  if (maxSeconds !== null && exceedsLimit(history.activeMs + estimate.durationMs, maxSeconds * 1000))
    reasons.push('time_budget');
  return reasons;
}

function exceedsTryLimit(step: Step, history: History, { tune }: ExperimentSettings, times: number): boolean {
  const needed = triesNeeded(step, history, times);
  if (tune.maxTries === null || needed === 0) return false;
  return limitedTries(history).length + needed > tune.maxTries;
}

/** Returns the number of example scores that a step makes, or that its new prompts need. */
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

/** Returns the cost of `times` steps plus a reserve for the reflection that the run always writes at its end. */
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
  return { ...add(steps, reserve), calls: steps.calls + reserve.calls };
}

/** Sums such as 0.1 + 0.2 are slightly too high in floating point. A limit of 0.3 still covers them. */
function exceedsLimit(sum: number, limit: number): boolean {
  return sum - limit > 1e-9 * limit;
}
