import type { Database } from '#lib/database/database.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import type { Interruption } from '#lib/live/interrupt.ts';
import { type Claim, holdsClaim } from '#lib/runs/claim-run.ts';

/** The known state of a worker's claim. */
export type Ownership = {
  /** Returns true if another worker is known to have the run. No more calls are then made, and those in flight are aborted. */
  isLost(): boolean;
  /** Records the state of the claim after a write. */
  note(isOwn: boolean): void;
  /** Must be called before a paid call. Reads the claim again if the last confirmation is too old. */
  isSure(): Promise<boolean>;
};

/**
 * Maximum age of a confirmed claim, in milliseconds. A worker without heartbeat for 30 s may have been taken over, so the limit is lower.
 */
const SURE_FOR_MS = 15_000;

/** Tracks the claim of a worker on a run. Aborts its calls in flight as soon as the claim is known to be lost. */
export function ownershipOf(
  { database, now, signal }: { database: Database; now: () => Date; signal: AbortSignal },
  claim: Claim,
  interruption: Interruption,
): Ownership {
  let isLost = false;
  let confirmedAtMs = now().getTime();
  const note = (isOwn: boolean) => {
    confirmedAtMs = now().getTime();
    if (isOwn || isLost) return;
    isLost = true;
    interruption.abort();
  };
  return {
    isLost: () => isLost,
    note,
    isSure: async () => {
      if (!isLost && Math.abs(now().getTime() - confirmedAtMs) > SURE_FOR_MS)
        note(await retryWhileUnreachable(() => holdsClaim(database, claim), signal));
      return !isLost;
    },
  };
}
