import { evaluateCandidate } from '#lib/core/tuning/perform-tuning-step.ts';
import { appendResult } from './append-result.ts';
import {
  EMPTY_HISTORY,
  type ExampleScore,
  type History,
  type ProposalProblem,
  type Split,
  type TuningCase,
  type Version,
  type VersionOrigin,
} from './history.ts';
import type { ExperimentSettings } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';
import type { CandidateParameters } from './tuning/candidate-parameters.ts';

const AT = '2026-01-05T10:00:00.000Z';

/** A prompt in a scenario, with its scores by case position. Null could not be scored. `minibatch` makes it a proposal. */
export type PromptGiven = {
  output?: string;
  scores?: Record<number, number | null>;
  origin?: VersionOrigin;
  parent?: number;
  minibatch?: number[];
  round?: number;
  diagnosis?: string;
  problems?: ProposalProblem[];
  /** The proposals that were combined into it. */
  combined?: number[];
  /** The parameters if it is a variation. */
  parameters?: CandidateParameters;
  /** The training cases that it contains as worked examples. */
  demonstrations?: number[];
  /** True if its validation cases are all scored, and it was evaluated. */
  evaluated?: boolean;
};

/** Returns this many cases of each split: training cases first, then the validation cases, then the held-out ones. */
export function tuningCases(counts: Partial<Record<Split, number>>): TuningCase[] {
  const splits = (['train', 'validation', 'held_out'] as const).flatMap((split) =>
    Array.from({ length: counts[split] ?? 0 }, () => split),
  );
  return splits.map((split, position) => ({
    input: `input of case ${position}`,
    reference: `reference of case ${position}`,
    tags: [],
    metadata: {},
    position,
    split,
  }));
}

/**
 * Returns the history of a tuning run with these prompts. Each was scored, and evaluated if specified, before the next was made. A list of
 * prompts was proposed in one step.
 */
export function tuningHistory(
  settings: ExperimentSettings,
  counts: Partial<Record<Split, number>>,
  given: (PromptGiven | PromptGiven[])[],
): History {
  let history: History = { ...EMPTY_HISTORY, inputLength: 10, cases: tuningCases(counts) };
  for (const one of given) {
    const made = [one].flat();
    const first = history.versions.length;
    const versions = made.map((prompt, index) => versionOf(history, prompt, first + index));
    history = appendResult(history, { type: 'proposals', versions, durationMs: 0, lost: NO_SPEND });
    for (const [index, { scores = {} }] of made.entries()) history = withTries(history, first + index, scores);
    for (const [index, { evaluated }] of made.entries())
      if (evaluated) history = withEvaluation(history, settings, first + index);
  }
  return history;
}

function withEvaluation(history: History, settings: ExperimentSettings, version: number): History {
  const evaluation = {
    ...evaluateCandidate(history, settings, version),
    version,
    by: 'machine' as const,
    actor: null,
    reason: null,
    sameModelJudge: false,
    createdAt: AT,
    step: history.step,
  };
  return appendResult(history, { type: 'evaluation', evaluation });
}

/** Returns the history after one more step of example scores. */
export function withTries(history: History, version: number, scores: Record<number, number | null>): History {
  const tries = Object.entries(scores).map(([position, score]) => tryOf(history, version, Number(position), score));
  if (tries.length === 0) return history;
  return appendResult(history, { type: 'tries', tries, durationMs: 10, lost: NO_SPEND });
}

/** Returns the next example score of a version on a case after those in `tries`. Null could not be scored. */
export function tryOf(
  { tries, step }: Pick<History, 'tries' | 'step'>,
  version: number,
  position: number,
  score: number | null,
): ExampleScore {
  return {
    ...NO_SPEND,
    version,
    position,
    attempt: tries.filter((one) => one.version === version && one.position === position).length,
    output: `answer of ${version} to ${position}`,
    finishReason: 'stop',
    status: score === null ? 'partial' : 'scored',
    score,
    criteriaScores: { right: score },
    satisfactory: (score ?? 0) >= 0.8,
    issues: [],
    suggestions: [],
    feedback: `feedback on case ${position}`,
    detail: `detail of case ${position}`,
    paidBefore: false,
    createdAt: AT,
    step,
  };
}

function versionOf({ versions, step }: History, given: PromptGiven, number: number): Version {
  const { minibatch, round = number - 1, diagnosis = 'It is too short.', problems = [] } = given;
  const { combined, parameters, demonstrations } = given;
  return {
    ...NO_SPEND,
    number,
    iteration: versions.filter(({ proposal }) => proposal !== null).length + (minibatch === undefined ? 0 : 1),
    origin: given.origin ?? (minibatch === undefined ? 'given' : 'revised'),
    parents: given.parent === undefined && number === 0 ? [] : [given.parent ?? 0, ...(given.combined ?? [])],
    output: given.output ?? `Prompt ${number}: {{input}}`,
    outputDropped: false,
    strategy: null,
    strategyNote: null,
    improvementsApplied: [],
    finishReason: 'stop',
    interrupted: false,
    recalledLessons: [],
    proposal:
      minibatch === undefined
        ? null
        : {
            ...{ round, positions: minibatch, diagnosis, problems },
            ...(combined && { combined }),
            ...(parameters && { parameters }),
            ...(demonstrations && { demonstrations }),
          },
    createdAt: AT,
    step,
  };
}
