import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { seededNumber } from '#lib/core/text-values.ts';

/**
 * A version that can be shown in a blind review. `score` is the automatic score, null if there is none. `text` is a fingerprint, equal for
 * identical texts, null if the text was not kept or is blank.
 */
export type BlindCandidate = { runId: string; version: number; score: number | null; text: string | null };

/** Two versions of a run, `first` with the lower number. `left` is the one shown on the left. */
export type BlindPair = { runId: string; first: number; second: number; left: number };

/**
 * Returns all pairs for a person, in order. Pairs with different scores (rounded to 6 decimals) come first, because only they measure
 * agreement with the judge. Each run provides one of them before any provides a second. The rest is random and independent of the score
 * difference, because large differences alone would overstate the agreement. The same seed gives the same pairs, order and sides for any
 * order of candidates.
 */
export function blindPairs(candidates: readonly BlindCandidate[], seed: string): BlindPair[] {
  const shown = candidates.flatMap(({ score, text, ...version }) =>
    score === null || text === null ? [] : [{ ...version, score: roundTo6(score), text }],
  );
  const runs = Map.groupBy(shown, ({ runId }) => runId);
  return [...runs.values()]
    .flatMap((versions) =>
      pairsOf(versions, seed)
        .sort(byChance)
        .map((pair, turn) => ({ ...pair, turn })),
    )
    .sort((one, other) => Number(one.isEven) - Number(other.isEven) || one.turn - other.turn || byChance(one, other))
    .map(({ runId, first, second }) => ({
      runId,
      first,
      second,
      left: seededNumber(seed, 'left', ...namesOf({ runId, first, second })) < 0.5 ? first : second,
    }));
}

type Shown = { [Part in keyof BlindCandidate]: NonNullable<BlindCandidate[Part]> };
type Weighed = { runId: string; first: number; second: number; isEven: boolean; chance: number };

function pairsOf(versions: Shown[], seed: string): Weighed[] {
  const inOrder = versions.toSorted((one, other) => one.version - other.version);
  return inOrder.flatMap((first, at) =>
    inOrder.slice(at + 1).flatMap((second) => {
      if (first.text === second.text) return [];
      const pair = { runId: first.runId, first: first.version, second: second.version };
      return [{ ...pair, isEven: first.score === second.score, chance: seededNumber(seed, ...namesOf(pair)) }];
    }),
  );
}

/** Sorts pairs with equal scores last, then randomly, then by name if the random numbers are equal. */
function byChance(one: Weighed, other: Weighed): number {
  return (
    Number(one.isEven) - Number(other.isEven) ||
    one.chance - other.chance ||
    one.runId.localeCompare(other.runId) ||
    one.first - other.first ||
    one.second - other.second
  );
}

function namesOf({ runId, first, second }: { runId: string; first: number; second: number }): string[] {
  return [runId, String(first), String(second)];
}

/** A pair as shown to a person: only the task, the two texts, and an opaque token. */
export type ShownPair = { pair: string; task: string; messages: ChatMessage[] | null; left: string; right: string };
/** The next pairs for a person, the number already judged, and the number remaining including these. */
export type ShownPairs = { items: ShownPair[]; judged: number; remaining: number };
