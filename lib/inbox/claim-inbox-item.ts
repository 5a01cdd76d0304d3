import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { InboxClaim } from './inbox-item.ts';
import { claimInboxItem as claim, releaseInboxItem } from './queries.ts';

/** `window`: an id that a window of the browser gave itself, so that one person's windows can be told apart. */
export const claimInputSchema = z.strictObject({
  window: z.uuid({ error: 'must be an id that the window keeps' }).toLowerCase(),
});

/**
 * Says that somebody looks at a waiting run, so that others take another one. It tells, and keeps nobody from deciding. Holds for two
 * minutes, or until the window claims another run. Answers who was first on it; null where the run does not wait.
 */
export async function claimInboxItem(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<{ claim: InboxClaim | null }>> {
  const parsed = parseInput(claimInputSchema, input);
  if (!parsed.ok) return parsed;
  const holder = { actorId: actor.id, actorName: actor.name, windowId: parsed.value.window };
  return succeed({ claim: await claim(database, runId, holder, now()) });
}

/** Says that they no longer do. Answers whether they did. */
export async function leaveInboxItem(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  runId: string,
  windowId: string,
): Promise<Result<{ released: boolean }>> {
  return succeed({ released: await releaseInboxItem(database, runId, { actorId: actor.id, windowId }) });
}
