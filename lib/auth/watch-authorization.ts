import { headers } from 'next/headers';
import { getAppDatabase } from '#lib/context/app-database.ts';
import { getLog } from '#lib/log/log.ts';
import type { Entry } from './actor.ts';
import { bearerToken } from './api-tokens.ts';
import { AuthorizationError } from './authorization-error.ts';
import { findSender } from './find-person.ts';
import { findTokenActor } from './find-token-actor.ts';
import { roleAllows } from './role.ts';

/**
 * Checks a condition every `stepMs` milliseconds and calls `end` once when it is false. Returns a function that stops checking. A failed
 * check, for example without the database, is retried.
 */
export function watchWhile(holds: () => Promise<boolean>, end: () => void, stepMs: number): () => void {
  const asking = setInterval(() => {
    holds().then(
      (still) => {
        if (still) return;
        clearInterval(asking);
        end();
      },
      (error: unknown) =>
        getLog().warn('the authorization of a stream could not be checked', { reason: String(error) }),
    );
  }, stepMs);
  asking.unref();
  return () => clearInterval(asking);
}

const STEP_MS = 30_000;

/**
 * Rechecks every 30 s the access that `authorize` granted to a stream. Calls `end` once when the session or token has ended or the role no
 * longer suffices. Returns a function that stops checking.
 */
export async function watchAuthorization(entry: Entry, end: () => void): Promise<() => void> {
  const sent = new Headers(await headers());
  return watchWhile(() => isStillAuthorized(entry, sent), end, STEP_MS);
}

async function isStillAuthorized(entry: Entry, sent: Headers): Promise<boolean> {
  const token = bearerToken(sent.get('authorization'));
  if (token === null) {
    const actor = await findSender(sent);
    return actor !== null && roleAllows(actor.role, entry.role);
  }
  try {
    await findTokenActor(getAppDatabase(), token, entry, { now: new Date(), address: 'stream' });
    return true;
  } catch (error) {
    if (error instanceof AuthorizationError) return false;
    throw error;
  }
}
