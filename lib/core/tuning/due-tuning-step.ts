import { agentOfTries } from '#lib/core/agents/agent-progress.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import { findRequestedBase, isSkippedUnevaluated } from '#lib/core/decisions.ts';
import { findExceededBudgets } from '#lib/core/estimate-next-step.ts';
import { type History, isFromCases, type Version } from '#lib/core/history.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings, SingleStrategy } from '#lib/core/settings.ts';
import type { PlannedProposal, Step } from '#lib/core/step.ts';
import { type StopReason, stopReasonsWith } from '#lib/core/stop-reasons.ts';
import { iterationCap, iterationsUsed } from '#lib/core/stop-rules.ts';
import { tunedNames } from '../targets/component-texts.ts';
import { plainWords } from '../text-values.ts';
import { anchorPositions } from './anchors.ts';
import { type CandidateState, candidateState, isHeldBack, newestWave } from './candidate-state.ts';
import { effectiveScores, isPerfect, positionsOf, validationPositions } from './case-scores.ts';
import { dueTries, type TryStep } from './due-try.ts';
import { dueFinalTest } from './final-test.ts';
import { minibatch, roundsOfEpoch } from './minibatch.ts';
import { plannedCombination } from './plan-combination.ts';
import { isVariation, plannedVariation } from './plan-variation.ts';
import { dueRedraw, dueReevaluation } from './redraw-validation.ts';
import { remainingPhases, strategyOf } from './strategies/phases.ts';
import { phasesOf, singleStrategy } from './strategies/registry.ts';
import type { ProposalStarts } from './strategies/strategy.ts';

/**
 * Returns the next step of a tuning run that neither ends nor pauses: evaluating the newest versions, or starting the next round. Null if
 * there is nothing to improve: the selected prompt is right on every training case, other candidates were tried, and no failed validation
 * case is left to learn from. Source: GEPA, reflective prompt evolution (Agrawal et al. 2025).
 */
export function dueTuningStep(history: History, settings: ExperimentSettings): Step | null {
  const last = history.versions.at(-1);
  if (last === undefined) return { type: 'give' };
  return (
    dueJudging(history, settings) ??
    dueReevaluation(history) ??
    planRequestedRound(history, settings, last) ??
    dueSearch(history, settings, last)
  );
}

/** Alternates variations of the best candidate with steps of the strategies, which cost more than half. Null if neither is left. */
function dueSearch(history: History, settings: ExperimentSettings, last: Version): Step | null {
  if (isVariation(last)) return dueByStrategies(history, settings, last) ?? dueVariation(history, settings);
  return dueVariation(history, settings) ?? dueByStrategies(history, settings, last);
}

/**
 * Returns the next variation, or first its parent's example scores on the cases of the round. Null if its parent fails no training case.
 * Rounds of variations are counted separately from those of proposals.
 */
function dueVariation(history: History, settings: ExperimentSettings): Step | null {
  const plan = plannedVariation(history, settings);
  if (plan === null) return null;
  const [failing] = failingRounds(
    history,
    settings,
    nextRoundOf(history.versions.filter(isVariation)),
    1,
    () => plan.parent,
  );
  if (failing === undefined) return null;
  const { positions, round } = failing;
  const tries = dueTries(history, [{ version: plan.parent, positions }], 'minibatch');
  return tries ?? { type: 'vary', plan: { ...plan, positions }, round };
}

/** Returns the next step of the current strategy, or of the first later one with remaining work. */
function dueByStrategies(history: History, settings: ExperimentSettings, last: Version): Step | null {
  const round = nextRoundNumber(history);
  for (const name of remainingPhases(history, settings)) {
    const strategy = singleStrategy(name);
    const step =
      strategy.assembled?.(history, settings, round) ??
      (strategy.proposes === null ? null : nextRound(history, settings, last, strategy.proposes));
    if (step !== null) return madeBy(step, name, settings);
  }
  return null;
}

/** Returns the step with the strategy to record in its prompts, if the run uses several. */
function madeBy(step: Step, strategy: SingleStrategy, { tune }: ExperimentSettings): Step {
  if (phasesOf(tune.strategy).length === 1) return step;
  switch (step.type) {
    case 'propose':
      return { ...step, proposals: step.proposals.map((one) => ({ ...one, strategy })) };
    case 'merge':
    case 'demonstrate':
      return { ...step, strategy };
    default:
      return step;
  }
}

/**
 * Returns the next step to evaluate the newest versions, which were made in one step. All are scored on the cases they are based on,
 * accepted ones are combined, and then validated. Null once each is validated, rejected, combined, held back or skipped.
 */
export function dueJudging(history: History, settings: ExperimentSettings): Step | null {
  const open = newestWave(history).filter(
    (version) => !version.outputDropped && !isSkippedUnevaluated(history, version),
  );
  const inState = (...states: CandidateState[]) =>
    open.filter((version) => states.includes(candidateState(history, settings, version)));
  const onMinibatch = inState('untried').flatMap(({ number, parents, proposal }) =>
    [number, ...parents].map((version) => ({ version, positions: proposal?.positions ?? [] })),
  );
  const due = dueTries(history, onMinibatch, 'minibatch');
  if (due !== null) return due;
  const [newest] = open;
  const maker = newest === undefined ? null : strategyOf(history, settings, newest);
  const isCombined = maker !== null && singleStrategy(maker).combines;
  const combination = isCombined ? plannedCombination(history, inState('accepted')) : null;
  if (combination !== null) return combination;
  const validated = inState('accepted', 'given', 'by_hand').filter(({ number }) => scoreOf(history, number) === null);
  const on = (positions: number[]) => validated.map(({ number: version }) => ({ version, positions }));
  // Anchor cases come first. A prompt that loses one of them is scored on no others.
  const [first] = validated;
  return (
    dueTries(history, on(anchorPositions(history)), 'validation') ??
    dueTries(history, on(validationPositions(history)), 'validation') ??
    (first === undefined ? null : { type: 'evaluate', version: first.number })
  );
}

/** Returns a proposal from the version that a reviewer selected, regardless of the strategy and of failures. */
function planRequestedRound(history: History, settings: ExperimentSettings, last: Version): Step | null {
  const ordered = findRequestedParent(history, last);
  if (ordered === null) return null;
  const first = nextRoundNumber(history);
  const [failing] = failingRounds(history, settings, first, 1, () => ordered);
  const step = proposeFrom(history, settings, [failing ?? roundOf(history, settings, ordered, first)]);
  const [present] = remainingPhases(history, settings);
  return present === undefined ? step : madeBy(step, present, settings);
}

/**
 * Returns the next proposals, or first their parents' example scores on the minibatches. If the parent fails no case, tries in this order:
 * another candidate that the strategy selects, each once for every parent without failures, and then a redraw of the validation set, once.
 */
function nextRound(
  history: History,
  settings: ExperimentSettings,
  last: Version,
  { isSequential, start, others }: ProposalStarts,
): Step | null {
  const first = nextRoundNumber(history);
  const select = (round: number) => start(history, settings, round) ?? last.number;
  const most = isSequential ? 1 : proposalsAtOnce(history, settings);
  const rounds = failingRounds(history, settings, first, most, select);
  if (rounds.length > 0) return proposeFrom(history, settings, rounds);
  const parent = select(first);
  for (const other of others(history, settings, parent)) {
    const instead = failingRounds(history, settings, first, most, () => other);
    if (instead.length > 0) return proposeFrom(history, settings, instead);
  }
  return dueRedraw(history, settings, parent);
}

/** Returns the number of proposals of the next round by settings and iteration limit. One if reviewers see each proposal. */
function proposalsAtOnce(history: History, settings: ExperimentSettings): number {
  const { pause, review, escalate } = settings.callbacks;
  if (pause !== 'never' || review.revisions || escalate) return 1;
  // The cost of a proposal is unknown before the first one.
  const { maxTokens, maxCostUsd } = settings.budget;
  const isCostKnown = history.versions.some(({ proposal }) => isFromCases(proposal));
  if ((maxTokens !== null || maxCostUsd !== null) && !isCostKnown) return 1;
  const left = iterationCap(history, settings) - iterationsUsed(history);
  return Math.max(1, Math.min(settings.tune.proposalsAtOnce, left));
}

type Round = Omit<PlannedProposal, 'component'>;

/** Returns the next rounds, at most `most`, whose prompt failed a case of the round or was not scored on it. */
function failingRounds(
  history: History,
  settings: ExperimentSettings,
  first: number,
  most: number,
  select: (round: number) => number,
): Round[] {
  const rounds: Round[] = [];
  // This many rounds contain a whole epoch, wherever they start in one.
  const end = first + 2 * roundsOfEpoch(history, settings) - 1;
  for (let round = first; round < end && rounds.length < most; round++) {
    const one = roundOf(history, settings, select(round), round);
    const tries = effectiveScores(history, one.parent);
    if (!one.positions.every((position) => isPerfect(tries.get(position)))) rounds.push(one);
  }
  return rounds;
}

function roundOf(history: History, settings: ExperimentSettings, parent: number, round: number): Round {
  return { parent, round, positions: minibatch(history, settings, round, parent) };
}

/** Returns the proposals of these rounds, as many as the budgets allow, or first the missing example scores of their parents. */
function proposeFrom(history: History, settings: ExperimentSettings, rounds: Round[]): Step {
  const proposals: PlannedProposal[] = [];
  for (const round of rounds) {
    const component = chooseComponent(history, settings, round, proposals);
    proposals.push({ ...round, ...(component !== undefined && { component }) });
  }
  const step: Step = { type: 'propose', proposals };
  while (proposals.length > 1 && findExceededBudgets(step, history, settings).length > 0) proposals.pop();
  const ofParents = proposals.map(({ parent, positions }) => ({ version: parent, positions }));
  return dueTries(history, ofParents, 'minibatch') ?? step;
}

function nextRoundNumber({ versions }: History): number {
  return nextRoundOf(versions.filter((version) => !isVariation(version)));
}

function nextRoundOf(versions: readonly Version[]): number {
  return 1 + Math.max(-1, ...versions.map(({ proposal }) => proposal?.round ?? -1));
}

/** Returns the version that someone requested as the parent of the next proposal. For one that is held back, returns its parent. */
function findRequestedParent(history: History, last: Version): number | null {
  let ordered = findRequestedBase(history, last);
  for (;;) {
    const version = history.versions.find(({ number }) => number === ordered);
    if (version === undefined || !isHeldBack(version)) return ordered;
    ordered = version.parents[0] ?? null;
  }
}

/** Normal endings of a run, before which the final steps are performed. */
const NORMAL_STOP_REASONS = stopReasonsWith(
  ({ reflectsOn, reflectsOnRequest }) => reflectsOn !== null && reflectsOnRequest !== true,
);

/**
 * Returns the final example scores of a tuning run that is about to end for `reason`: its first prompt and its best (or the accepted one)
 * on the held-out cases, which were not used for learning or selection, and again if scores vary. Null once they are made, if the budgets
 * do not allow all of them, because a part gives no result, and if the run ends by a budget, a failure or a manual stop.
 */
export function heldOutStep(
  history: History,
  settings: ExperimentSettings,
  reason: StopReason,
  accepted: number | null,
): TryStep | null {
  if (history.failure !== null || !NORMAL_STOP_REASONS.includes(reason)) return null;
  const positions = positionsOf(history, 'held_out');
  const best = accepted ?? bestVersion(history, settings.bestVersion);
  const wanted = [0, ...(best === null ? [] : [best])].map((version) => ({ version, positions }));
  const once = dueTries(history, wanted, 'held_out');
  if (once !== null) {
    const all = dueTries(history, wanted, 'held_out', 1, Number.POSITIVE_INFINITY) ?? once;
    return fitsAll(all, history, settings) ? withinBudgets(once, history, settings) : null;
  }
  const due = best === null ? null : dueFinalTest(history, settings, best);
  return due === null ? null : withinBudgets(due, history, settings);
}

/** True if the budgets probably allow all these tries. An agent rarely makes all the calls it may make, so its calls are not counted. */
function fitsAll(step: TryStep, history: History, settings: ExperimentSettings): boolean {
  const times = step.parts.reduce((sum, { positions }) => sum + positions.length, 0);
  const exceeded = findExceededBudgets(step, history, settings, times);
  const isAgent = agentOfTries(settings) !== null;
  return exceeded.every((reason) => isAgent && reason === 'call_budget');
}

function withinBudgets(step: TryStep, history: History, settings: ExperimentSettings): TryStep | null {
  return findExceededBudgets(step, history, settings).length > 0 ? null : step;
}

type Tuned = Pick<ExperimentSettings, 'tune' | 'generator'>;

/**
 * Returns the component that the next proposal from `parent` improves. Undefined means the whole text. `planned`: proposals made in the
 * same step. `round_robin`: each in turn, starting after the one that was improved to make the parent. `blame`: among those that feedback
 * on these cases names, the one improved least often, then the one named most often. Falls back to `round_robin` if it names none. Source:
 * GEPA (Agrawal et al. 2025), module selection.
 */
export function chooseComponent(
  history: History,
  { tune, generator: { target } }: Tuned,
  { parent, positions }: Pick<PlannedProposal, 'parent' | 'positions'>,
  planned: readonly PlannedProposal[] = [],
): string | undefined {
  const names = target === null ? [] : tunedNames(target);
  if (names.length < 2 || tune.components === 'all') return undefined;
  const tried = [
    ...history.versions.flatMap(({ proposal, parents }) =>
      isFromCases(proposal) && parents[0] === parent ? [proposal] : [],
    ),
    ...planned.filter((one) => one.parent === parent),
  ];
  const last = names.indexOf(history.versions[parent]?.proposal?.component ?? '');
  const inTurn = names[(last + 1 + tried.length) % names.length];
  if (tune.components === 'round_robin') return inTurn;
  const blamed = namedComponents(history, names, parent, positions);
  const times = (name: string) => tried.filter(({ component }) => component === name).length;
  const [most] = [...blamed].sort(
    ([one, often], [other, lessOften]) =>
      times(one) - times(other) || lessOften - often || names.indexOf(one) - names.indexOf(other),
  );
  return most?.[0] ?? inTurn;
}

/** Counts how often feedback on the parent's outputs for these cases names each component, with or without underscores. */
function namedComponents(
  history: History,
  names: readonly string[],
  parent: number,
  positions: readonly number[],
): Map<string, number> {
  const tries = effectiveScores(history, parent);
  const texts = positions.flatMap((position) => {
    const tried = tries.get(position);
    return tried === undefined ? [] : [tried.feedback, ...tried.issues.map(({ text }) => text), ...tried.suggestions];
  });
  const text = ` ${plainWords(texts.join('\n'))} `;
  const counts = names.map((name): [string, number] => [name, text.split(` ${plainWords(name)} `).length - 1]);
  return new Map(counts.filter(([, count]) => count > 0));
}
