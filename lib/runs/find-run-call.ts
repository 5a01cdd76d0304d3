import type { AppContext } from '#lib/context/app-context.ts';
import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import type { CallRecord } from './call-record.ts';
import { findCall } from './find-call.ts';
import { findRun } from './find-run.ts';
import { versionFinder } from './list-run-calls.ts';

/** A call of a run whole, as it was sent and received, what looks like a key blotted out; null where there is none. */
export async function findRunCall(
  context: Pick<AppContext, 'database'>,
  runId: string,
  callId: number,
): Promise<CallRecord | null> {
  const { database } = context;
  const [found, call] = await Promise.all([findRun(database, runId), findCall(database, runId, callId)]);
  if (found === null || call === null) return null;
  const versionOf = await versionFinder(context, runId, found.history);
  return redacted({ ...call, version: versionOf(call) });
}

/** The value with every text in it fit to show. */
function redacted<Value>(value: Value): Value;
function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value, null);
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redacted(member)]));
}
