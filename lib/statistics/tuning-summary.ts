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
import { type ExperimentSettings, TUNING_STRATEGIES } from '#lib/core/settings.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { lostAnchors } from '#lib/core/tuning/anchors.ts';
import { parametersOf } from '#lib/core/tuning/candidate-parameters.ts';
import {
  CANDIDATE_STATES,
  type CandidateState,
  candidateState,
  candidates,
  combinationOf,
} from '#lib/core/tuning/candidate-state.ts';
import { weightsAt } from '#lib/core/tuning/case-weights.ts';
import { effectiveScores, positionsOf, validationPositions } from '#lib/core/tuning/cases-of.ts';
import { finalTest } from '#lib/core/tuning/final-test.ts';
import { firstPromptCases, minibatchResult } from '#lib/core/tuning/minibatch.ts';
import { EVIDENCE_VERDICTS, LEAST_EVIDENCE, proposalEvidence } from '#lib/core/tuning/paired-evidence.ts';
import { referenceFor } from '#lib/core/tuning/proposal-prompt.ts';
import { strategyOf } from '#lib/core/tuning/strategies/phases.ts';
import { phasesOf } from '#lib/core/tuning/strategies/registry.ts';
import { weightedInterval } from './intervals.ts';
import { meanIntervalSchema } from './shares.ts';
import { tuningGain, tuningGainSchema } from './tuning-gain.ts';
import { type CriterionLeaders, criterionLeaders } from './tuning-objectives.ts';

/** Number of cases whose references the reflection model saw, for proposals and the first prompt. 0 if references are off. */
function referencesSeen({ versions, cases, redraw }: History, settings: Pick<ExperimentSettings, 'tune'>): number {
  const shown = new Set(versions.flatMap(({ proposal }) => (isFromCases(proposal) ? proposal.positions : [])));
  if (versions[0]?.origin === 'generated') {
    const before = cases.map((one) => ({ ...one, split: splitBefore(redraw, one) }));
    for (const position of firstPromptCases({ cases: before }, settings)) shown.add(position);
  }
  return cases.filter((one) => shown.has(one.position) && referenceFor(one, settings.tune) !== null).length;
}

/** The split of a case before the validation set was drawn anew. */
function splitBefore(redraw: History['redraw'], { position, split }: TuningCase): Split {
  if (redraw?.toTraining.includes(position)) return 'validation';
  return redraw?.toValidation.includes(position) ? 'train' : split;
}

const VERSION_KINDS = ['original', 'proposal', 'combination', 'merge', 'examples', 'variation', 'by_hand'] as const;
/**
 * How a prompt of a tuning run was made. `proposal`: by the reflection model, from failed cases. `combination`: of proposals that were made
 * at the same time. `merge`: of two candidates. `examples`: worked examples were added.
 * `variation`: the text of its parent, tried with another model or temperature.
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
 * A prompt of a tuning run. Means go by the last try of each case, and by the weights of the cases. `train` is over the training cases it was tried on, however few;
 * `validation` and `heldOut` are null until every case of theirs is scored: a part is a gap, never a number to compare.
 */
const versionSchema = z.object({
  number: count,
  kind: z.enum(VERSION_KINDS),
  state: z.enum(CANDIDATE_STATES),
  parents: z.array(count),
  /** The round it was made in, from 0; null for the original and for prompts by hand. */
  round: count.nullable(),
  /** The strategy that made it, if the run uses several one after another. Null for all others. */
  strategy: z.enum(TUNING_STRATEGIES).nullable(),
  /** Model and temperature that it is tried with in place of those of the settings. Null: those of the settings. */
  parameters: candidateParametersSchema.nullable(),
  /** The saved step that made it. Prompts that were proposed at the same time have the same. */
  step: count,
  /** The prompt that it was combined into with others of its step; null for all others. */
  combinedInto: count.nullable(),
  diagnosis: z.string().nullable(),
  problems: z.array(z.object({ kind: z.enum(PROPOSAL_PROBLEMS), text: z.string() })),
  /** Sums of scores over the `of` training cases it was made from: its parent's (`before`) and its own (`after`). If weights differ: the weighted mean, times `of`. Null until both are known. */
  minibatch: z.object({ positions: z.array(count), before: z.number(), after: z.number(), of: count }).nullable(),
  /** How it does beside its parent, case by case over the cases candidates are validated on, its own left out; null until it is validated. */
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
  /** What it is chosen by: its mean over the cases for validation, or over all training cases where none were set apart. */
  chosenBy: meanIntervalSchema.nullable(),
  /** Cases it was tried on, by split. */
  tried: perSplit,
  /** Positions of the cases that candidates are validated on where no other candidate scores higher. */
  leads: z.array(count),
  /** IDs of the lessons that the reflection model saw for it. */
  lessons: z.array(z.string()),
  /** Criteria of which no other candidate has a higher mean. */
  leadsCriteria: z.array(z.string()),
});
type WholeVersion = z.infer<typeof versionSchema>;
/** A prompt of a tuning run without the cases it leads on, of which a long run has thousands. */
export type TunedVersion = Omit<WholeVersion, 'leads'>;

/** What a tuning run came to so far, without texts of prompts and cases. */
export const tuningSummarySchema = z.object({
  cases: perSplit,
  /** The cases that candidates are chosen by: the training cases where none were set apart. */
  validatesOn: z.enum(['train', 'validation']),
  versions: z.array(versionSchema),
  /** The prompt that the final test is about, and the pairs of tries so far; null while there is no test, and once it is decided. */
  finalTest: z.object({ version: count, pairs: count }).nullable(),
  /** What the accepted prompt, else the best one, gains on the given one; null while that is the given one. */
  gain: tuningGainSchema.nullable(),
  /** Versions of kind `proposal`. */
  proposals: count,
  /** Versions of all kinds but `original` and `by_hand` that were validated on enough cases and are not shown to be worse than their parents. */
  accepted: count,
  /** Those of the accepted versions that are shown to be better. */
  shownBetter: count,
  /** The cases, by position, that changed sides when the validation set was drawn anew; null where it was not. `cases` counts them where they are now. */
  redraw: z.object({ toTraining: z.array(count), toValidation: z.array(count) }).nullable(),
  /** Training cases whose references the reflection model was shown; 0 if `tune.references` is off. */
  referencesSeen: count,
  /** Calls of models that were really made, those that failed included. */
  calls: count,
  /** Cases that prompts were tried on, tries of the same counted each; `paidBefore` of them cost nothing. */
  tries: count,
  paidBefore: count,
  /** Tries on held-out cases. */
  heldOutTries: count,
  /** Tries that were paid for and belong to no proposal: those on held-out cases, and those of the first prompt on the cases that candidates are validated on. */
  baselineTries: count,
});
export type WholeTuningSummary = z.infer<typeof tuningSummarySchema>;
export type TuningSummary = Omit<WholeTuningSummary, 'versions'> & { versions: TunedVersion[] };

/** The prompts that the run made: all but the first one and those of people. */
export function madeVersions({ versions }: Pick<TuningSummary, 'versions'>): TunedVersion[] {
  return versions.filter(({ round }) => round !== null);
}

/** Sums up a tuning run by its history: how each of its prompts did on each kind of case, with intervals at 95 %. */
export function tuningSummary(history: History, settings: ExperimentSettings): WholeTuningSummary {
  const leads = leadsOf(history);
  const criteria = criterionLeaders(
    history,
    candidates(history).map(({ number }) => number),
  );
  const versions = history.versions.map((version) => ofVersion(version, history, settings, leads, criteria));
  const accepted = versions.filter(
    ({ state, evidence }) => state === 'candidate' && (evidence?.n ?? 0) >= LEAST_EVIDENCE,
  );
  const heldOut = new Set(positionsOf(history, 'held_out'));
  const validated = new Set(validationPositions(history));
  const isBaseline = ({ position, version }: ExampleScore) =>
    heldOut.has(position) || (version === 0 && validated.has(position));
  return {
    cases: {
      train: positionsOf(history, 'train').length,
      validation: positionsOf(history, 'validation').length,
      heldOut: positionsOf(history, 'held_out').length,
    },
    validatesOn: positionsOf(history, 'validation').length > 0 ? 'validation' : 'train',
    versions,
    finalTest: openTest(history, settings),
    gain: tuningGain(history, settings),
    proposals: versions.filter(({ kind }) => kind === 'proposal').length,
    accepted: accepted.length,
    shownBetter: accepted.filter(({ evidence }) => evidence?.verdict === 'better').length,
    redraw:
      history.redraw === null
        ? null
        : { toTraining: history.redraw.toTraining, toValidation: history.redraw.toValidation },
    referencesSeen: referencesSeen(history, settings),
    calls: history.calls,
    tries: history.tries.length,
    paidBefore: history.tries.filter(({ paidBefore }) => paidBefore).length,
    heldOutTries: history.tries.filter(({ position }) => heldOut.has(position)).length,
    baselineTries: history.tries.filter((one) => !one.paidBefore && isBaseline(one)).length,
  };
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
  // A repeated text is rejected. The tries of the earlier version do not count for it.
  const tries = isHeldBack ? new Map<number, ExampleScore>() : effectiveScores(history, number);
  const of = (split: Split) => positionsOf(history, split).flatMap((position) => tries.get(position) ?? []);
  const meanOn = (split: Split) => {
    const scored = of(split).flatMap(({ position, score }) => (score === null ? [] : [{ position, score }]));
    return weightedInterval(
      scored.map(({ score }) => score),
      weightsAt(
        history,
        scored.map(({ position }) => position),
      ),
    );
  };
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
    tried: { train: of('train').length, validation: of('validation').length, heldOut: of('held_out').length },
    leads: leads.get(number) ?? [],
    lessons: version.recalledLessons.map(({ lessonId }) => lessonId),
    leadsCriteria: criteria.flatMap(({ criterion, versions }) => (versions.includes(number) ? [criterion] : [])),
  };
}

/** Per candidate the positions where it has the top score among the candidates; all of those that share it lead. */
function leadsOf(history: History): Map<number, number[]> {
  const tried = candidates(history).map(({ number }) => ({ number, tries: effectiveScores(history, number) }));
  const leads = new Map(tried.map(({ number }): [number, number[]] => [number, []]));
  for (const position of validationPositions(history)) {
    const scores = tried
      .map(({ tries }) => tries.get(position)?.score ?? null)
      .map((score) => score && roundTo6(score));
    const top = scores.reduce<number>((most, score) => Math.max(most, score ?? 0), 0);
    for (const [place, { number }] of tried.entries()) if (scores[place] === top) leads.get(number)?.push(position);
  }
  return leads;
}
