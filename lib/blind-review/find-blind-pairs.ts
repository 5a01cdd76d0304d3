import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { blindCandidates, blindTexts } from './blind-candidates.ts';
import { blindPairs, type ShownPairs } from './blind-pairs.ts';
import { pairSeed, sealPair } from './pair-token.ts';
import { judgedPairs } from './preferences.ts';

/**
 * The next pairs of an experiment for a person, who gets each once, with how many they have judged and how many remain. The
 * same until they are judged. Answers nothing that tells which version is which.
 */
export async function findBlindPairs(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  limit: number,
): Promise<Result<ShownPairs>> {
  const shownTo = { experimentId, actorId: personOf(actor) };
  const candidates = await blindCandidates(context.database, experimentId);
  if (candidates === null) return fail('not_found', `There is no experiment ${experimentId}.`);
  const judged = await judgedPairs(context.database, experimentId, personOf(actor));
  const names = new Set(judged.map(nameOf));
  const open = blindPairs(candidates, pairSeed(context, shownTo)).filter((pair) => !names.has(nameOf(pair)));
  const next = open.slice(0, limit);
  const texts = await blindTexts(context.database, next);
  const items = texts.flatMap(({ place, task, left, right }) => {
    const pair = next[place];
    return pair === undefined ? [] : [{ pair: sealPair(context, shownTo, pair), task, left, right }];
  });
  return succeed({ items, judged: judged.length, remaining: open.length });
}

function nameOf({ runId, first, second }: { runId: string; first: number; second: number }): string {
  return `${runId} ${first} ${second}`;
}
