import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { roundTo6, seededNumber } from '#lib/core/text-values.ts';

/**
 * A version that may be shown blind. `score` is the machine's, null where it has none; `text` is a fingerprint, the same for
 * texts that are word for word the same, null where the text was not kept or is blank.
 */
export type BlindCandidate = { runId: string; version: number; score: number | null; text: string | null };

/** Two versions of a run, `first` the lower number, and which stands at the left. */
export type BlindPair = { runId: string; first: number; second: number; left: number };

/**
 * All pairs that a person may be asked about, in the order of asking. Pairs whose scores differ (rounded to 6 decimals) come
 * first: only they can tell whether the judge agrees. Of those each run gives one before any gives a second. Among them chance
 * decides, not how far the scores lie apart: wide differences alone would flatter the judge. The same seed gives the same pairs
 * in the same order with the same sides, in whatever order the candidates come.
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

type Shown = { runId: string; version: number; score: number; text: string };
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

/** Even pairs behind the others; then by chance, and by name where chance falls on the same number. */
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

/** A pair as a person is shown it: nothing but the task, the two texts, and a name that tells nothing. */
export type ShownPair = { pair: string; task: string; messages: ChatMessage[] | null; left: string; right: string };
/** The next pairs of a person, how many they have judged, and how many remain with these. */
export type ShownPairs = { items: ShownPair[]; judged: number; remaining: number };
