import { versionNames } from '#components/run/run-versions.ts';
import { stopMeaning } from '#components/run/stop-reason-labels.ts';
import { agentOfTries } from '#lib/core/agents/agent-progress.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { RUN_BUDGET_REASONS, type StopReason } from '#lib/core/stop-reasons.ts';
import { parametersLabel } from '#lib/core/tuning/candidate-parameters.ts';
import { isBlocking } from '#lib/core/tuning/candidate-state.ts';
import { MIN_CHANGED_CASES, MIN_PAIRED_CASES } from '#lib/core/tuning/paired-evidence.ts';
import type { RestOfTuning } from '#lib/estimates/rest-of-tuning.ts';
import { formatChange, formatCost, formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import { type FormPart, settingsPath } from '#lib/runs/edit-form-path.ts';
import type { NextStep } from '#lib/runs/failure-advice.ts';
import { writeP } from '#lib/statistics/format-statistics.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import type { TuningGain } from '#lib/statistics/tuning-gain.ts';
import { madeVersions, type TunedVersion, type TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { countedKinds, proposalOutcomesLabel } from './proposal-outcomes.ts';

/**
 * Returns a note for saving a prompt that was tuned with an agent, because the prompt library stores no agents. Null if single calls were
 * used.
 */
export function agentNotSaved(settings: ExperimentSettings): string | null {
  if (agentOfTries(settings) === null) return null;
  return 'This run scored the prompt in an agent with tools. The playground and prompt evaluations use a single call without tools.';
}

/** Returns a short label for the state of a prompt. */
export function stateLabel(
  {
    state,
    evidence,
    lostAnchors,
    combinedInto,
  }: Pick<TunedVersion, 'state' | 'evidence' | 'lostAnchors' | 'combinedInto'>,
  isEnded: boolean,
): string {
  switch (state) {
    case 'given':
      return 'original';
    case 'by_hand':
      return 'by a reviewer';
    case 'untried':
      return isEnded ? 'not tested' : 'not tested yet';
    case 'held_back':
      return 'rejected by checks';
    case 'rejected':
      return evidence?.verdict === 'worse' || lostAnchors.length > 0 ? 'worse' : 'dropped';
    case 'accepted':
      return isEnded ? 'not validated' : 'being validated';
    case 'combined':
      return `combined into v${combinedInto}`;
    case 'candidate':
      if (evidence?.verdict === 'better') return 'better';
      return (evidence?.n ?? 0) < MIN_PAIRED_CASES ? 'validated on too few cases' : 'kept';
  }
}

/**
 * Returns the reason for the state of a prompt: its means on its training cases and the validation evidence, or the problems found by
 * checks. Empty if nothing was decided.
 */
export function decisionReason(
  version: Pick<TunedVersion, 'state' | 'minibatch' | 'evidence' | 'problems' | 'parents' | 'lostAnchors'>,
): string {
  const { state, minibatch, evidence, problems, parents, lostAnchors } = version;
  const [parent] = parents;
  if (lostAnchors.length > 0) {
    const named = lostAnchors.map((position) => position + 1).join(', ');
    return `Lower score than the original prompt on ${lostAnchors.length === 1 ? 'the anchor case' : 'the anchor cases'} ${named}.`;
  }
  switch (state) {
    case 'held_back':
      return problems
        .filter(isBlocking)
        .map(({ text }) => text)
        .join(' ');
    case 'rejected':
    case 'accepted':
    case 'combined':
    case 'candidate': {
      if (minibatch === null && evidence !== null) return `${evidenceLabel(evidence)}.`;
      if (minibatch === null || parent === undefined) return '';
      // The stored scores are sums.
      const [before, after] = [minibatch.before / minibatch.of, minibatch.after / minibatch.of];
      const means = `Mean ${formatScore(before)} → ${formatScore(after)} on its ${formatNumberOf(minibatch.of, 'case')}`;
      if (evidence !== null) return `${means}. ${evidenceLabel(evidence)}.`;
      if (state === 'combined') return `${means}: combined with others that were proposed at the same time.`;
      return state === 'rejected' ? `${means}: not validated.` : `${means}: moves on to validation.`;
    }
    case 'given':
    case 'by_hand':
    case 'untried':
      return '';
  }
}

/** Returns the number of validation cases and the criteria that a candidate leads on. Empty if there are none. */
export function leadsLabel(cases: number, { leadsCriteria }: Pick<TunedVersion, 'leadsCriteria'>): string {
  const leading = [
    ...(cases > 0 ? [`on ${formatNumberOf(cases, 'case')}`] : []),
    ...(leadsCriteria.length > 0 ? [`by the mean of ${leadsCriteria.join(', ')}`] : []),
  ];
  return leading.length === 0 ? '' : `Highest score ${leading.join(' and ')}.`;
}

/** Returns `5 better, 1 worse on 8 cases (p = 0.22): not enough evidence of a difference to v0`. */
function evidenceLabel({ against, n, better, worse, p, verdict }: NonNullable<TunedVersion['evidence']>): string {
  const counted = `${better} better, ${worse} worse on ${formatNumberOf(n, 'case')} (${writeP(p)})`;
  const texts: Record<typeof verdict, string> = {
    better: `${counted}: better than v${against}`,
    worse: `${counted}: worse than v${against}`,
    not_enough_evidence: `${counted}: not enough evidence of a difference to v${against}`,
  };
  return texts[verdict];
}

/** Outcome of a tuning run: the result in one sentence, the evidence, and links to next steps. */
export type TuningOutcome = { title: string; detail: string; next: NextStep[] };

/**
 * Returns the outcome of an ended tuning run, or null if it has not ended. The title is a gain confirmed on held-out cases, otherwise the
 * number of proposals: a run with none or one has shown little, whatever its scores. `datasetId`: dataset of the cases, null if it was
 * deleted or the cases were pasted.
 */
export function tuningOutcome(
  record: Pick<RunRecord, 'status' | 'convergenceReason' | 'finalVersion' | 'bestVersion' | 'experimentId'>,
  tuning: TuningSummary,
  settings: ExperimentSettings,
  datasetId: string | null,
): TuningOutcome | null {
  if (record.convergenceReason === null || record.status === 'running' || record.status === 'queued') return null;
  const best = record.finalVersion ?? record.bestVersion;
  const outcome =
    best === null || best === 0
      ? 'The original prompt stays.'
      : comparison(best, tuning, untestedLabel(record.convergenceReason, settings));
  const parameters = tuning.versions.find(({ number }) => number === best)?.parameters ?? null;
  const triedWith = parameters === null ? [] : [`v${best} was evaluated with ${parametersLabel(parameters)}.`];
  const why = `${stopMeaning(record.convergenceReason, settings)}.`;
  const goOn = nextSteps(record, tuning, settings, datasetId);
  const tried =
    hasBetterPrompt(tuning) || countedKinds(tuning.versions).length === 0 ? [] : [proposalOutcomesLabel(tuning)];
  const found = best === null ? null : heldOutGain(best, tuning);
  const made = proposalLabel(tuning);
  return {
    title: found ?? made,
    detail: [
      ...(found === null ? [] : [made]),
      ...(tuning.versions.length === 0 ? [] : [outcome]),
      ...triedWith,
      why,
      ...tried,
      ...redrawLabel(tuning),
      ...referenceLabel(tuning),
      ...goOn.text,
    ].join(' '),
    next: goOn.next,
  };
}

/** Reason why a tuning run found no prompt that is shown to be better. */
type TuningCause =
  | 'nothing_to_mend'
  | 'no_more_examples'
  | 'too_few_cases'
  | 'all_held_back'
  | 'budget_used_up'
  | 'limit_reached'
  | 'within_noise'
  | 'app_unchanged'
  | 'no_gain';

/** Advice for each cause. `kind` names the cases that select prompts. */
const TUNING_ADVICE: Record<
  TuningCause,
  (context: { edit: (part: FormPart) => string; addCases: NextStep; kind: string }) => {
    text: string;
    next: NextStep[];
  }
> = {
  nothing_to_mend: ({ edit, addCases }) => ({
    text: 'To continue, add harder cases, raise the quality threshold or add criteria.',
    next: [{ label: 'Edit threshold and criteria', href: edit('criteria'), needs: 'editor' }, addCases],
  }),
  no_more_examples: ({ edit, addCases }) => ({
    text: 'Worked examples are training cases that the prompt solves. To continue, start with a better prompt, choose another strategy or add cases.',
    next: [{ label: 'Choose another strategy', href: edit('tuning'), needs: 'editor' }, addCases],
  }),
  too_few_cases: ({ addCases, kind }) => ({
    text: `A conclusion requires at least ${MIN_CHANGED_CASES} ${kind} cases that a prompt was not derived from. Add cases.`,
    next: [addCases],
  }),
  all_held_back: ({ edit }) => ({
    text: 'A stronger reflection model usually writes better proposals.',
    next: [{ label: 'Change reflection model', href: edit('task'), needs: 'editor' }],
  }),
  budget_used_up: ({ edit }) => ({
    text: 'The budget was used up before a better prompt was found. Continue with more, or raise the budget of the experiment.',
    next: [{ label: 'Raise the budget', href: edit('people'), needs: 'editor' }],
  }),
  limit_reached: ({ edit }) => ({
    text: 'The limit of cases was reached before a better prompt was found. Continue with more, or raise the limit of the experiment.',
    next: [{ label: 'Raise the limit', href: edit('tuning'), needs: 'editor' }],
  }),
  app_unchanged: ({ edit }) => ({
    text: 'No proposal scored differently from its parent. Open a case and compare the outputs: if they are equal, your app does not use the texts in `components`.',
    next: [
      { label: 'See how an app uses components', href: '/docs/how-to/connect-your-app#components', needs: 'viewer' },
      { label: 'Allow more proposals', href: edit('loop'), needs: 'editor' },
    ],
  }),
  no_gain: ({ edit }) => ({
    text: 'Allow more proposals, or choose a stronger reflection model.',
    next: [{ label: 'Allow more proposals', href: edit('loop'), needs: 'editor' }],
  }),
  within_noise: ({ edit, addCases, kind }) => ({
    text: `More ${kind} cases show smaller differences, and more proposals find larger ones.`,
    next: [addCases, { label: 'Allow more proposals', href: edit('loop'), needs: 'editor' }],
  }),
};

/** True if a prompt is shown to be better than its parent, or than the original on the held-out cases. */
function hasBetterPrompt({ shownBetter, gain }: TuningSummary): boolean {
  return shownBetter > 0 || gain?.heldOut?.verdict === 'better';
}

const BUDGET_REASONS: readonly StopReason[] = [...RUN_BUDGET_REASONS, 'experiment_budget', 'month_budget'];

function tuningCause(
  { convergenceReason }: Pick<RunRecord, 'convergenceReason'>,
  tuning: TuningSummary,
  settings: ExperimentSettings,
): TuningCause | null {
  if (convergenceReason === 'nothing_to_mend')
    return settings.tune.strategy === 'few_shot' ? 'no_more_examples' : 'nothing_to_mend';
  if (hasBetterPrompt(tuning)) return null;
  if (settings.generator.target !== null && hasChangedNoScore(tuning)) return 'app_unchanged';
  if (tuning.accepted === 0 && isOnTooFewCases(tuning)) return 'too_few_cases';
  if (isAllHeldBack(tuning)) return 'all_held_back';
  if (convergenceReason !== null && BUDGET_REASONS.includes(convergenceReason)) return 'budget_used_up';
  if (convergenceReason === 'try_limit') return 'limit_reached';
  const made = madeVersions(tuning);
  if (made.some(({ evidence }) => evidence !== null)) return 'within_noise';
  return made.length > 0 ? 'no_gain' : null;
}

function datasetPath(id: string | null): string {
  return id === null ? '/datasets' : `/datasets/${id}`;
}

/** Returns next steps for a run that found nothing better. Empty for other runs. */
function nextSteps(
  record: Pick<RunRecord, 'convergenceReason' | 'experimentId'>,
  tuning: TuningSummary,
  settings: ExperimentSettings,
  datasetId: string | null,
): { text: string[]; next: NextStep[] } {
  const cause = tuningCause(record, tuning, settings);
  if (cause === null) return { text: [], next: [] };
  const kind = tuning.validatesOn === 'validation' ? 'validation' : 'training';
  const addCases = { label: 'Add cases', href: datasetPath(datasetId), needs: 'editor' } as const;
  const edit = (part: FormPart) => settingsPath(record.experimentId, part);
  const { text, next } = TUNING_ADVICE[cause]({ edit, addCases, kind });
  return { text: [text], next };
}

/** True if prompts were tested and every case kept its score. */
function hasChangedNoScore(tuning: TuningSummary): boolean {
  const tested = madeVersions(tuning).filter(({ minibatch, evidence }) => minibatch !== null || evidence !== null);
  const isUnchanged = ({ minibatch, evidence }: TunedVersion) =>
    (minibatch === null || minibatch.before === minibatch.after) && (evidence === null || evidence.same === evidence.n);
  return tested.length > 0 && tested.every(isUnchanged);
}

function isAllHeldBack(tuning: TuningSummary): boolean {
  const proposed = madeVersions(tuning);
  return proposed.length > 0 && proposed.every(({ state }) => state === 'held_back');
}

/** True if a proposal was validated, but on too few cases for a verdict. */
function isOnTooFewCases(tuning: TuningSummary): boolean {
  return madeVersions(tuning).some(
    ({ state, evidence }) => state === 'candidate' && (evidence?.n ?? 0) < MIN_PAIRED_CASES,
  );
}

/** Returns the headline of a run whose gain is confirmed on held-out cases. Null for others. */
function heldOutGain(best: number, { gain, cases }: TuningSummary): string | null {
  if (gain?.version !== best || gain.heldOut?.verdict !== 'better') return null;
  return `v${best} is better than the original prompt on ${formatNumberOf(cases.heldOut, 'held-out case')}.`;
}

/** Returns the number of prompts created, kept after validation, and shown to be better. */
function proposalLabel(tuning: TuningSummary): string {
  const { versions, accepted, shownBetter } = tuning;
  const kinds = countedKinds(versions);
  if (kinds.length === 0) return 'No proposals.';
  const made = kinds.join(', ');
  if (isAllHeldBack(tuning))
    return `${made}, none tested. Checks rejected ${madeVersions(tuning).length === 1 ? 'it' : 'them'}, see below.`;
  if (accepted === 0 && isOnTooFewCases(tuning)) return `${made}, none validated on enough cases.`;
  const acceptedLabel = accepted === 0 ? 'none' : `${accepted}`;
  const shown =
    accepted === 0
      ? ''
      : `, ${shownBetter === 0 ? 'none' : shownBetter} shown to be better than ${(shownBetter || accepted) === 1 ? 'its parent' : 'their parents'}`;
  return `${made}, ${acceptedLabel} kept after validation${shown}.`;
}

/** Explains that the validation set was redrawn, and the effect on the scores. */
function redrawLabel({ redraw }: TuningSummary): string[] {
  if (redraw === null) return [];
  const moved = formatNumberOf(redraw.toTraining.length, 'missed validation case');
  const { length } = redraw.toValidation;
  const came = length === 0 ? 'without a replacement' : `replaced by ${formatNumberOf(length, 'unseen training case')}`;
  return [`${moved} became training cases, ${came}. All scores refer to the new validation set.`];
}

/** Returns the number of references shown to the reflection model. Empty if none. */
function referenceLabel({ referencesSeen }: TuningSummary): string[] {
  if (referencesSeen === 0) return [];
  return [
    `The reflection model saw the ${referencesSeen === 1 ? 'reference' : 'references'} of ${formatNumberOf(referencesSeen, 'training case')}.`,
  ];
}

/** Explains why an ended run did not try the held-out cases. A run that ends regularly skips them only if its budget does not allow all. */
function untestedLabel(reason: StopReason, { budget }: ExperimentSettings): string {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = budget;
  const hasBudget = [maxCalls, maxTokens, maxCostUsd, maxSeconds].some((limit) => limit !== null);
  return hasBudget && REGULAR_REASONS.includes(reason)
    ? 'Not tested on held-out cases, because the rest of the budget did not allow all of them.'
    : 'Not tested on held-out cases.';
}

const REGULAR_REASONS: readonly StopReason[] = [
  'quality_met',
  'plateau',
  'nothing_to_mend',
  'max_iterations',
  'try_limit',
];

function comparison(best: number, { versions, cases, gain }: TuningSummary, untested: string): string {
  const of = (number: number) => versions.find((version) => version.number === number);
  const [first, last] = [of(0), of(best)];
  const paired = gain?.version === best ? gain : null;
  const chosen = between(first?.chosenBy ?? null, last?.chosenBy ?? null, paired?.chosenBy ?? null);
  const heldOut = between(first?.heldOut ?? null, last?.heldOut ?? null, paired?.heldOut ?? null);
  return [
    `v${best} compared with the original prompt: ${chosen ?? 'not both validated'} on the cases used for selection.`,
    heldOut === null
      ? cases.heldOut === 0
        ? 'There are no held-out cases to confirm the result.'
        : untested
      : `On ${formatNumberOf(cases.heldOut, 'held-out case')}: ${heldOut}.`,
  ].join(' ');
}

/**
 * Returns `0.40 → 0.80 (+0.40, 95% +0.10 to +0.70)`, or states that there is not enough evidence of a difference. The gain is computed per
 * case.
 */
function between(before: MeanInterval | null, after: MeanInterval | null, gain: TuningGain['heldOut']): string | null {
  if (before === null || after === null) return null;
  const change = `${formatScore(before.mean)} → ${formatScore(after.mean)}`;
  if (gain === null || gain.lift === null || gain.lift === 0) return change;
  const test = gain.pairs === null ? '' : `, by a sequential test of ${formatNumberOf(gain.pairs, 'pair')}`;
  if (gain.isNoise || gain.low === null || gain.high === null)
    return `${change} (not enough evidence of a difference${test})`;
  return `${change} (${formatChange(gain.lift)}, 95% ${formatChange(gain.low)} to ${formatChange(gain.high)}${test})`;
}

/** Current activity of a tuning run. If it scores cases, `done` of `of` cases are complete. */
type TuningPhase = { label: string; done: number | null; of: number | null };

/** Returns the current phase, derived from the stored data. Null if the run is not in progress. */
export function tuningPhase(
  record: Pick<RunRecord, 'status' | 'versions'>,
  tuning: TuningSummary,
  isProposing: boolean,
): TuningPhase | null {
  if (record.status === 'queued') return { label: 'Queued', done: null, of: null };
  if (record.status !== 'running') return null;
  const last = tuning.versions.at(-1);
  const next = `v${tuning.versions.length}`;
  if (last === undefined)
    return { label: isProposing ? 'Writing the first prompt' : 'Original prompt', done: null, of: null };
  const { finalTest } = tuning;
  if (finalTest !== null)
    return {
      label: `Final test of v${finalTest.version}, ${formatNumberOf(finalTest.pairs, 'pair')}`,
      done: null,
      of: null,
    };
  const unseen = tuning.versions.find(({ tried }) => tried.heldOut > 0 && tried.heldOut < tuning.cases.heldOut);
  if (unseen !== undefined)
    return { label: `v${unseen.number} on the held-out cases`, done: unseen.tried.heldOut, of: tuning.cases.heldOut };
  const newest = newestVersions(tuning);
  const accepted = newest.filter(({ state }) => state === 'accepted');
  if (isProposing) {
    const label = accepted.length > 1 ? `Combining ${namesOf(accepted)}` : `Writing proposals (${next} and later)`;
    return { label, done: null, of: null };
  }
  const untried = newest.filter(({ state }) => state === 'untried');
  if (untried.length > 0)
    return {
      label: `${namesOf(untried)} on ${untried.length === 1 ? 'its' : 'their'} own cases`,
      done: null,
      of: null,
    };
  const [validated, due] =
    tuning.validatesOn === 'validation'
      ? [({ tried }: TunedVersion) => tried.validation, tuning.cases.validation]
      : [({ tried }: TunedVersion) => tried.train, tuning.cases.train];
  const open = newest.filter((version) => VALIDATED_STATES.includes(version.state) && validated(version) < due);
  if (open.length === 0) return { label: `Finding failed cases for ${next}`, done: null, of: null };
  const done = open.reduce((sum, version) => sum + validated(version), 0);
  return { label: `Validating ${namesOf(open)}`, done, of: due * open.length };
}

const VALIDATED_STATES: readonly TunedVersion['state'][] = ['given', 'by_hand', 'accepted', 'candidate'];

/** Returns the prompts created together with the last one, and their combination. */
function newestVersions({ versions }: TuningSummary): TunedVersion[] {
  const last = versions.findLast(({ kind }) => kind !== 'combination');
  return last === undefined ? [] : versions.filter(({ step }) => step >= last.step);
}

function namesOf(versions: readonly TunedVersion[]): string {
  return versionNames(versions.map(({ number }) => number));
}

/** Returns `4 of 12 cases`. Empty if nothing is counted. */
export function phaseCount({ done, of }: TuningPhase): string {
  return done === null || of === null ? '' : `${done} of ${formatNumberOf(of, 'case')}`;
}

/** Returns `About $0.0500 more, about $0.160 if every proposal is validated`. Counts calls if a model has no price. */
export function restLabel({ expected, most }: RestOfTuning): string {
  const amount = ({ calls, costUsd }: RestOfTuning['most']) =>
    costUsd === null ? `${formatCount(calls)} calls` : formatCost(costUsd, false);
  if (expected === null) return `About ${amount(most)} more if every proposal is validated`;
  return `About ${amount(expected)} more, about ${amount(most)} if every proposal is validated`;
}
