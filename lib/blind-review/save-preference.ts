import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { openPair } from './pair-token.ts';
import { insertPreference, judgedPairs, PREFERENCE_CHOICES } from './queries.ts';

const SECONDS = 'must be a number of seconds from 0 to 86400';

/** A preference between the two texts of a pair. `pair` is its token. */
export const preferenceInputSchema = z.strictObject({
  pair: z.string({ error: 'must be the pair as it was shown' }).max(200, { error: 'must be the pair as it was shown' }),
  choice: z.enum(PREFERENCE_CHOICES, { error: `must be one of ${PREFERENCE_CHOICES.join(', ')}` }),
  seconds: z
    .number({ error: SECONDS })
    .min(0, { error: SECONDS })
    .max(86_400, { error: SECONDS })
    .nullable()
    .default(null)
    .meta({ description: 'Time that the pair was shown, in seconds.' }),
});

/** Stores a person's preference for a pair. Only their first one per pair counts. Returns the number they have judged. */
export async function savePreference(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  input: unknown,
): Promise<Result<{ judged: number }>> {
  const parsed = parseInput(preferenceInputSchema, input);
  if (!parsed.ok) return parsed;
  const { pair: token, choice, seconds } = parsed.value;
  const pair = openPair(context, { experimentId, actorId: personOf(actor) }, token);
  if (pair === null)
    return fail(
      'invalid',
      'pair is not a pair that you were shown in this experiment. Request the next pairs.',
      'pair',
    );
  const preference = {
    ...pair,
    id: context.newId(),
    experimentId,
    choice,
    actorId: personOf(actor),
    actor: actor.name,
    seconds,
    at: context.now(),
  };
  const outcome = await inTransaction(context.database, async (transaction) => {
    const stored = await insertPreference(transaction, preference);
    if (stored === 'stored')
      await recordChange(transaction, actor, {
        act: 'preferred',
        subject: { kind: 'run', id: pair.runId },
        change: { choice },
      });
    return stored;
  });
  switch (outcome) {
    case 'judged':
      return fail('conflict', 'You have already judged this pair. The first choice counts.', 'pair');
    case 'gone':
      return fail('not_found', 'The run of this pair was deleted.', 'pair');
    case 'stored':
      return succeed({ judged: (await judgedPairs(context.database, experimentId, personOf(actor))).length });
  }
}
