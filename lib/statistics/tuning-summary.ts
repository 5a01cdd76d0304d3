import { z } from 'zod';
import { bestVersion } from '#lib/core/best-version.ts';
import {
  candidateParametersSchema,
  type ExampleScore,
  type History,
  isFromCases,
  PROPOSAL_PROBLEMS,
  type Split,
  type TuningCase,
  type Version,
} from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { type ExperimentSettings, TUNING_STRATEGIES } from '#lib/core/settings.ts';
import { lostAnchors } from '#lib/core/tuning/anchors.ts';
import { parametersOf } from '#lib/core/tuning/candidate-parameters.ts';
import {
  CANDIDATE_STATES,
  type CandidateState,
  candidateState,
  candidates,
  combinationOf,
} from '#lib/core/tuning/candidate-state.ts';
import { effectiveScores, positionsOf, validationPositions } from '#lib/core/tuning/case-scores.ts';
import { finalTest } from '#lib/core/tuning/final-test.ts';
import { firstPromptCases, minibatchResult } from '#lib/core/tuning/minibatch.ts';
import { EVIDENCE_VERDICTS, MIN_PAIRED_CASES, proposalEvidence } from '#lib/core/tuning/paired-evidence.ts';
import { referenceFor } from '#lib/core/tuning/proposal-prompt.ts';
import { strategyOf } from '#lib/core/tuning/strategies/phases.ts';
import { phasesOf } from '#lib/core/tuning/strategies/registry.ts';
import { meanIntervalSchema } from './shares.ts';
import { scoreInterval, tuningGain, tuningGainSchema } from './tuning-gain.ts';
import { type CriterionLeaders, criterionLeaders } from './tuning-objectives.ts';

/** Returns the number of cases whose references the reflection model saw, for proposals and the first prompt. 0 if references are off. */
function referencesSeen({ versions, cases, redraw }: History, settings: Pick<ExperimentSettings, 'tune'>): number {
  const shown = new Set(versions.flatMap(({ proposal }) => (isFromCases(proposal) ? proposal.positions : [])));
  if (versions[0]?.origin === 'generated') {
    const before = cases.map((one) => ({ ...one, split: splitBefore(redraw, one) }));
    for (const position of firstPromptCases({ cases: before }, settings)) shown.add(position);
  }
  return cases.filter((one) => shown.has(one.position) && referenceFor(one, settings.tune) !== null).length;
}

function splitBefore(redraw: History['redraw'], { position, split }: TuningCase): Split {
  if (redraw?.toTraining.includes(position)) return 'validation';
  return redraw?.toValidation.includes(position) ? 'train' : split;
}

const VERSION_KINDS = ['original', 'proposal', 'combination', 'merge', 'examples', 'variation', 'by_hand'] as const;
/**
 * Origin of a prompt in a tuning run. `proposal`: by the reflection model, from failed cases. `combination`: of proposals made at the same
 * time. `merge`: of two candidates. `examples`: worked examples were added. `variation`: the text of its parent with another model or
 * temperature.
 */
export type VersionKind = (typeof VERSION_KINDS)[number];

function kindOf({ proposal }: Version, state: CandidateState): VersionKind {
  if (proposal === null) return state === 'given' ? 'original' : 'by_hand';
  if (proposal.combined !== undefined) return 'combination';
  if (proposal.merged === true) return 'merge';
  if (proposal.parameters !== undefined) return 'variation';
  return proposal.demonstrations === undefined ? 'proposal' : 'examples';
}

const count = z.int().min(0);
const perSplit = z.object({ train: count, validation: count, heldOut: count });

/**
 * A prompt of a tuning run. Means use the last example score of each case and the weights of the cases. `train` covers the scored training
 * cases, however few. `validation` and `heldOut` are null until all of their cases are scored, because partial means cannot be compared.
 */
const versionSchema = z.object({
  number: count,
  kind: z.enum(VERSION_KINDS),
  state: z.enum(CANDIDATE_STATES),
  parents: z.array(count),
  /** Round that made it, from 0. Null for the original and for hand-written prompts. */
  round: count.nullable(),
  /** Strategy that made it, if the run uses several in sequence. Null otherwise. */
  strategy: z.enum(TUNING_STRATEGIES).nullable(),
  /** Model and temperature that replace those of the settings. Null if it uses the settings. */
  parameters: candidateParametersSchema.nullable(),
  /** The saved step that made it. Prompts that were proposed together share it. */
  step: count,
  /** Number of the prompt into which it was combined with others of its step. Null for all others. */
  combinedInto: count.nullable(),
  diagnosis: z.string().nullable(),
  problems: z.array(z.object({ kind: z.enum(PROPOSAL_PROBLEMS), text: z.string() })),
  /**
   * Sums of scores over the `of` training cases it was made from: its parent's (`before`) and its own (`after`). If weights differ, the
   * weighted mean times `of`. Null until both are known.
   */
  minibatch: z.object({ positions: z.array(count), before: z.number(), after: z.number(), of: count }).nullable(),
  /** Comparison with its parent, case by case over validation cases it was not made from. Null until it is validated. */
  evidence: z
    .object({
      against: count,
      n: count,
      better: count,
      worse: count,
      same: count,
      difference: z.number(),
      p: z.number().min(0).max(1),
      verdict: z.enum(EVIDENCE_VERDICTS),
    })
    .nullable(),
  /** Positions of the anchor cases on which it scores lower than the first prompt. */
  lostAnchors: z.array(count),
  train: meanIntervalSchema.nullable(),
  validation: meanIntervalSchema.nullable(),
  heldOut: meanIntervalSchema.nullable(),
  /** The mean used to choose it: over the validation cases, or over all training cases if there are none. */
  chosenBy: meanIntervalSchema.nullable(),
  /** Number of scored cases by split. */
  tried: perSplit,
  /** Positions of the validation cases on which no other candidate scores higher. */
  leads: z.array(count),
  /** IDs of the lessons that the reflection model saw when it made this prompt. */
  lessons: z.array(z.string()),
  /** Criteria for which no other candidate has a higher mean. */
  leadsCriteria: z.array(z.string()),
});
type WholeVersion = z.infer<typeof versionSchema>;
/** A prompt of a tuning run without `leads`, of which a long run has thousands. */
export type TunedVersion = Omit<WholeVersion, 'leads'>;

/** Summary of a tuning run so far, without the texts of prompts and cases. */
export const tuningSummarySchema = z.object({
  cases: perSplit,
  /** The split used to choose candidates: the training cases if there are no validation cases. */
  validatesOn: z.enum(['train', 'validation']),
  versions: z.array(versionSchema),
  /** The prompt of the final test, and the number of pairs so far. Null while there is no test, and once it is decided. */
  finalTest: z.object({ version: count, pairs: count }).nullable(),
  /** Gain of the accepted prompt, otherwise of the best one, over the given one. Null while that is the given one. */
  gain: tuningGainSchema.nullable(),
  /** Number of versions of kind `proposal`. */
  proposals: count,
  /** Versions except `original` and `by_hand`, validated on enough cases and not significantly worse than their parents. */
  accepted: count,
  /** Number of accepted versions that are significantly better. */
  shownBetter: count,
  /** Positions of the cases whose split the redraw of the validation set changed. Null without a redraw. `cases` counts current splits. */
  redraw: z.object({ toTraining: z.array(count), toValidation: z.array(count) }).nullable(),
  /** Number of training cases whose references the reflection model saw. 0 if `tune.references` is off. */
  referencesSeen: count,
  /** Number of model calls made, including failed ones. */
  calls: count,
  /** Number of example scores, including repeated ones. `paidBefore` of them cost nothing. */
  tries: count,
  paidBefore: count,
  /** Number of example scores on held-out cases. */
  heldOutTries: count,
  /** Number of paid example scores of no proposal: on held-out cases, and those of the first prompt on validation cases. */
  baselineTries: count,
});
export type WholeTuningSummary = z.infer<typeof tuningSummarySchema>;
export type TuningSummary = Omit<WholeTuningSummary, 'versions'> & { versions: TunedVersion[] };

/** Returns the prompts that the run made: all except the first one and hand-written ones. */
export function madeVersions({ versions }: Pick<TuningSummary, 'versions'>): TunedVersion[] {
  return versions.filter(({ round }) => round !== null);
}

/** Summarizes a tuning run from its history: the scores of each prompt by split, with 95 % intervals. */
export function tuningSummary(history: History, settings: ExperimentSettings): WholeTuningSummary {
  const leads = leadsOf(history);
  const criteria = criterionLeaders(
    history,
    candidates(history).map(({ number }) => number),
  );
  const versions = history.versions.map((version) => ofVersion(version, history, settings, leads, criteria));
  const accepted = versions.filter(
    ({ state, evidence }) => state === 'candidate' && (evidence?.n ?? 0) >= MIN_PAIRED_CASES,
  );
  const heldOut = new Set(positionsOf(history, 'held_out'));
  const validated = new Set(validationPositions(history));
  const isBaseline = ({ position, version }: ExampleScore) =>
    heldOut.has(position) || (version === 0 && validated.has(position));
  return {
    cases: countPerSplit((split) => positionsOf(history, split)),
    validatesOn: positionsOf(history, 'validation').length > 0 ? 'validation' : 'train',
    versions,
    finalTest: openTest(history, settings),
    gain: tuningGain(history, settings),
    proposals: versions.filter(({ kind }) => kind === 'proposal').length,
    accepted: accepted.length,
    shownBetter: accepted.filter(({ evidence }) => evidence?.verdict === 'better').length,
    redraw: history.redraw && { toTraining: history.redraw.toTraining, toValidation: history.redraw.toValidation },
    referencesSeen: referencesSeen(history, settings),
    calls: history.calls,
    tries: history.tries.length,
    paidBefore: history.tries.filter(({ paidBefore }) => paidBefore).length,
    heldOutTries: history.tries.filter(({ position }) => heldOut.has(position)).length,
    baselineTries: history.tries.filter((one) => !one.paidBefore && isBaseline(one)).length,
  };
}

function countPerSplit(of: (split: Split) => unknown[]): TuningSummary['cases'] {
  return { train: of('train').length, validation: of('validation').length, heldOut: of('held_out').length };
}

function openTest(history: History, settings: ExperimentSettings): TuningSummary['finalTest'] {
  const accepted = history.decisions.findLast(({ decision }) => decision === 'accept')?.version ?? null;
  const version = accepted ?? bestVersion(history, settings.bestVersion);
  const test = version === null || version === 0 ? null : finalTest(history, settings, version);
  return version === null || test?.verdict !== 'open' ? null : { version, pairs: test.n };
}

function ofVersion(
  version: Version,
  history: History,
  settings: ExperimentSettings,
  leads: ReadonlyMap<number, number[]>,
  criteria: readonly CriterionLeaders[],
): WholeVersion {
  const { number, parents, proposal } = version;
  const state = candidateState(history, settings, version);
  const isHeldBack = state === 'held_back';
  // A repeated text is rejected, so the example scores of the earlier version do not count for it.
  const tries = isHeldBack ? new Map<number, ExampleScore>() : effectiveScores(history, number);
  const of = (split: Split) => positionsOf(history, split).flatMap((position) => tries.get(position) ?? []);
  const meanOn = (split: Split) => scoreInterval(history, of(split));
  const whole = (split: Split) => {
    const mean = meanOn(split);
    return mean?.n === positionsOf(history, split).length ? mean : null;
  };
  const validatesOn = positionsOf(history, 'validation').length > 0 ? 'validation' : 'train';
  const result = isHeldBack ? null : minibatchResult(history, version);
  const chosenBy = whole(validatesOn);
  const parameters = parametersOf(history, number);
  return {
    number,
    kind: kindOf(version, state),
    state,
    parents,
    round: proposal?.round ?? null,
    parameters: Object.keys(parameters).length === 0 ? null : parameters,
    strategy: phasesOf(settings.tune.strategy).length === 1 ? null : strategyOf(history, settings, version),
    step: version.step,
    combinedInto: combinationOf(history, number)?.number ?? null,
    diagnosis: proposal?.diagnosis ?? null,
    problems: proposal?.problems ?? [],
    minibatch: result === null ? null : { ...result, of: result.positions.length },
    evidence: chosenBy === null ? null : proposalEvidence(history, version),
    lostAnchors: isHeldBack ? [] : lostAnchors(history, number),
    train: meanOn('train'),
    validation: whole('validation'),
    heldOut: whole('held_out'),
    chosenBy,
    tried: countPerSplit(of),
    leads: leads.get(number) ?? [],
    lessons: version.recalledLessons.map(({ lessonId }) => lessonId),
    leadsCriteria: criteria.flatMap(({ criterion, versions }) => (versions.includes(number) ? [criterion] : [])),
  };
}

/** Returns for each candidate the positions where it has the top score. All candidates that share a top score lead. */
function leadsOf(history: History): Map<number, number[]> {
  const tried = candidates(history).map(({ number }) => ({ number, tries: effectiveScores(history, number) }));
  const leads = new Map(tried.map(({ number }): [number, number[]] => [number, []]));
  for (const position of validationPositions(history)) {
    const scores = tried
      .map(({ tries }) => tries.get(position)?.score ?? null)
      .map((score) => score && roundTo6(score));
    const top = scores.reduce<number>((most, score) => Math.max(most, score ?? 0), 0);
    for (const [index, { number }] of tried.entries()) if (scores[index] === top) leads.get(number)?.push(position);
  }
  return leads;
}
