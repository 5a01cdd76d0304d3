import {
  EMPTY_HISTORY,
  type ExampleScore,
  type History,
  NEW_VERSION,
  type Split,
  type TuningCase,
  type Version,
} from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import { evaluateCandidate } from '#lib/core/tuning/perform-tuning-step.ts';

export type TuningSize = { cases: number; candidates: number };

/** Intervals, in proposals, at which a guard rejects one, one is no better on its own cases, and two candidates are merged. */
const [HELD_BACK_EVERY, REJECTED_EVERY, MERGED_EVERY] = [13, 6, 8];
/**
 * In each group of this many proposals, the ones at the first two positions are made in parallel from one prompt, and combined at the
 * third.
 */
const COMBINED_EVERY = 20;
const [FIRST, SECOND, COMBINATION] = [9, 10, 11];
const STEPS_PER_VERSION = 1_000;
export const LONG_RUN_AT = '2026-03-02T09:00:00.000Z';

/**
 * Returns a realistically long tuning run: every candidate is scored on all validation cases, the first and the best one also on the
 * held-out cases. Deterministic.
 */
export function longTuningRun(size: TuningSize): { history: History; settings: ExperimentSettings } {
  const settings = settingsSchema.parse({
    mode: 'tune',
    generator: { provider: 'practice', model: 'practice-1' },
    prompts: { generate: 'Sort the mail.\n\n{{input}}' },
    criteria: ['right', 'tone'].map((name) => ({ name, evaluator: 'llm' })),
    maxIterations: 50,
  });
  const cases = Array.from({ length: size.cases }, (_, position) => caseAt(position));
  const of = (split: Split) => cases.flatMap((one) => (one.split === split ? [one.position] : []));
  const train = of('train');
  const quality = [0.35];
  const validated = [0];
  const versions: Version[] = [];
  const tries = new Map<string, ExampleScore>();
  const tryOn = (version: number, positions: readonly number[], hits: (position: number) => boolean) => {
    for (const position of positions) {
      const key = `${version} ${position}`;
      if (!tries.has(key)) tries.set(key, exampleScore(version, position, hits(position)));
    }
  };
  const isRight = (version: number) => (position: number) =>
    0.9 * seededNumber('case', String(position)) + 0.1 * seededNumber(String(version), String(position)) <
    (quality[version] ?? 0);
  for (let number = 0; validated.length < size.candidates; number++) {
    const index = number % COMBINED_EVERY;
    const isCombined = index === FIRST || index === SECOND;
    const combined = index === COMBINATION ? [number - 2, number - 1] : undefined;
    const isAlone = number > 0 && !isCombined && combined === undefined;
    const isHeldBack = isAlone && number % HELD_BACK_EVERY === 0;
    const isRejected = isAlone && number % REJECTED_EVERY === 0;
    const isMerged = isAlone && number > MERGED_EVERY && number % MERGED_EVERY === 0 && !isRejected && !isHeldBack;
    const sameParents = index === SECOND || combined !== undefined ? versions.at(-1)?.parents : undefined;
    const parents = [...(sameParents ?? parentsOf(number, validated, isMerged)), ...(combined ?? [])];
    const positions = train.slice((3 * number) % (train.length - 3)).slice(0, 3);
    versions.push(versionOf(number, parents, positions, { isHeldBack, isMerged, combined }));
    const [parent] = parents;
    if (parent !== undefined) {
      const gain = combined !== undefined ? 0.1 : 0.08 * (seededNumber('gain', String(number)) - 0.2);
      quality[number] = Math.min(0.9, (quality[parent] ?? 0) + gain);
      if (isHeldBack) continue;
      if (combined === undefined) {
        for (const one of parents) tryOn(one, positions, () => false);
        tryOn(number, positions, () => !isRejected);
      }
      if (isRejected || isCombined) continue;
      validated.push(number);
    }
    tryOn(number, of('validation'), isRight(number));
  }
  const best = validated.toSorted((one, other) => (quality[other] ?? 0) - (quality[one] ?? 0))[0] ?? 0;
  for (const version of [0, best]) tryOn(version, of('held_out'), isRight(version));
  const tuned: History = {
    ...EMPTY_HISTORY,
    ...{ inputLength: 400, cases, versions, tries: [...tries.values()] },
    ...{ calls: 3 * tries.size, step: STEPS_PER_VERSION * versions.length, activeMs: 3_600_000 },
  };
  const evaluations = validated.map((version) => ({
    ...evaluateCandidate(tuned, settings, version),
    ...{ version, by: 'machine' as const, actor: null, reason: null, sameModelJudge: false, copiedFrom: null },
    ...{ createdAt: LONG_RUN_AT, step: STEPS_PER_VERSION * version + 900 },
  }));
  return { history: { ...tuned, evaluations }, settings };
}

function caseAt(position: number): TuningCase {
  const split: Split = position % 4 === 3 ? 'held_out' : position % 10 < 4 ? 'validation' : 'train';
  const input = `Mail ${position + 1}: ${'The card was charged twice for one order. '.repeat(8)}`;
  return { position, split, input, reference: 'billing', tags: [], metadata: {} };
}

function parentsOf(number: number, validated: readonly number[], isMerged: boolean): number[] {
  if (number === 0) return [];
  const chosen = (key: string) =>
    validated[Math.floor(validated.length * seededNumber(key, String(number)) ** 0.5)] ?? 0;
  const [one, other] = [chosen('parent'), chosen('other parent')];
  return isMerged && one !== other ? [one, other] : [one];
}

function versionOf(
  number: number,
  parents: number[],
  positions: number[],
  { isHeldBack, isMerged, combined }: { isHeldBack: boolean; isMerged: boolean; combined: number[] | undefined },
): Version {
  const rules = Array.from({ length: number % 30 }, (_, at) => `${at + 1}. Rule ${at + 1} of the handbook applies.`);
  const problems = isHeldBack ? [{ kind: 'too_long' as const, text: 'The prompt is longer than the limit.' }] : [];
  return {
    ...NEW_VERSION,
    ...{
      number,
      iteration: number,
      parents,
      output: [`Sort mail, edition ${number}.`, ...rules, '{{input}}'].join('\n'),
    },
    ...(parents.length === 0
      ? { origin: 'given' }
      : {
          origin: combined === undefined ? 'revised' : 'merged',
          proposal: {
            ...{ round: number - 1, positions, diagnosis: `Cases of version ${parents[0]} miss a rule.`, problems },
            ...(isMerged && parents.length > 1 && { merged: true as const }),
            ...(combined !== undefined && { combined }),
          },
        }),
    ...{ createdAt: LONG_RUN_AT, step: STEPS_PER_VERSION * (number % COMBINED_EVERY === SECOND ? number - 1 : number) },
  };
}

function exampleScore(version: number, position: number, isRight: boolean): ExampleScore {
  const tone = roundTo6(seededNumber('tone', String(version), String(position)));
  return {
    ...{ version, position, attempt: 0, output: isRight ? 'billing' : 'other', finishReason: 'stop' },
    ...{ status: 'scored', score: isRight ? 1 : 0, criteriaScores: { right: isRight ? 1 : 0, tone } },
    ...{ satisfactory: isRight, issues: [], suggestions: [] },
    ...{ feedback: isRight ? '' : 'A charge is a matter of billing.', detail: '', paidBefore: false },
    ...{ tokenUsage: { input: 400 + 20 * version, output: 30, total: 430 + 20 * version } },
    ...{ costUsd: 0.0004 + 0.00002 * (version % 30), durationMs: 500 + 11 * ((version * 7) % 40) },
    ...{ createdAt: LONG_RUN_AT, step: STEPS_PER_VERSION * version + 1 + Math.floor(position / 16) },
  };
}
