import type { DatabaseContext } from '#lib/context/app-context.ts';
import type { History } from '#lib/core/history.ts';
import { mapTexts } from '#lib/core/json-values.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import type { ModelCall } from '#lib/database/generated/client.ts';
import { type Page, pageOf, withIsoTimes } from '#lib/database/query-values.ts';
import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import {
  type CallRecord,
  type CallSummary,
  callRecordSchema,
  type StoredConversation,
  storedOptionsSchema,
  wholeConversation,
} from './call-schema.ts';
import { type Judged, judgedSchema } from './judge-responses.ts';
import { conversationParts, type FoundRun, findRun, type ListedCall, listCalls } from './queries.ts';
import { listRescores } from './rescores.ts';
import { versionOfCall } from './schema.ts';
import { JUDGED, promptOf, wholeTexts, withShared } from './stored-texts.ts';

/** Call without its version, which is determined from the run's history. */
export type StoredCall = Omit<CallRecord, 'version'>;

/** Returns a complete call of a run without its version, or null if the run has no call with this id. */
export async function findCall(database: Database, runId: string, id: number): Promise<StoredCall | null> {
  const row = await database.prisma.modelCall.findFirst({ where: { id, runId } });
  if (row === null) return null;
  const { quotes, answered } = row;
  const versions = await database.prisma.reflectionVersion.findMany({
    where: { runId, number: { in: [...quotes, ...(answered === null ? [] : [answered])] } },
    select: { number: true, output: true },
  });
  const outputs = new Map(versions.map(({ number, output }) => [number, output]));
  const [own, before] = [await withOwnPrompt(database, row), await promptBefore(database, row)];
  const texts = wholeTexts(own, before, outputs, answered === JUDGED ? await judgedBy(database, row) : null);
  return callOfRow({ ...row, ...texts }, row.conversation === null ? [] : await conversationParts(database, row));
}

/** Returns the first automatic evaluation of a call's step. */
async function judgedBy({ prisma }: DatabaseClient, { runId, step }: ModelCall): Promise<Judged | null> {
  const row = await prisma.evaluation.findFirst({
    where: { runId, step, by: 'machine' },
    orderBy: { ordinal: 'asc' },
  });
  return row && judgedSchema.parse(row);
}

/** Returns the prompt of the call that a call references, without quoted outputs. Null if it references none. */
async function promptBefore(
  database: DatabaseClient,
  { id, runId, likeStep, role, ordinal }: ModelCall,
): Promise<ReturnType<typeof promptOf> | null> {
  if (likeStep === null) return null;
  const like = await database.prisma.modelCall.findFirst({
    where: {
      ...{ id: { lt: id }, runId, step: likeStep, role, ordinal },
      OR: [{ likeStep: null }, { kept: { isEmpty: false } }],
    },
    orderBy: { id: 'desc' },
  });
  return like === null ? null : promptOf(await withOwnPrompt(database, like), await promptBefore(database, like));
}

/** Adds the texts that a row shares with other runs, and replaces the empty list, which Prisma returns for null. */
async function withOwnPrompt({ prisma }: DatabaseClient, { kept, ...row }: ModelCall) {
  const { runId, sharedPromptId: id } = row;
  const shared =
    id === null
      ? null
      : await prisma.sharedPrompt.findFirst({ where: { id, experiment: { runs: { some: { id: runId } } } } });
  return withShared({ ...row, kept: kept.length === 0 ? null : kept }, shared);
}

const storedCallSchema = callRecordSchema
  .omit({ version: true, conversation: true })
  .extend({ options: storedOptionsSchema });

/** Converts a row to a call, with the parts of its conversation, latest first. */
function callOfRow(row: ModelCall, parts: readonly StoredConversation[]): StoredCall {
  const { inputTokens, outputTokens, warnings } = row;
  return {
    ...storedCallSchema.parse({
      ...withIsoTimes(row),
      tokenUsage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
      warnings:
        parts.length > 0 && parts.at(-1)?.after !== null
          ? [...warnings, 'The beginning of the conversation is no longer stored, so the conversation is not shown.']
          : warnings,
    }),
    conversation: wholeConversation(parts),
  };
}

type CallFilter = {
  role?: string | null;
  version?: number | null;
  /** If true, only failed calls. */
  failed?: boolean;
  /** Id of the last call on the previous page. */
  cursor: string | null;
  limit: number;
};

/** Totals of a run's calls and counts per kind, independent of the filter. */
type CallCounts = {
  total: number;
  failed: number;
  roles: { role: string; count: number }[];
  versions: { version: number; count: number }[];
};

/** Returns a page of a run's calls in the order they were saved, with the run and its counts. Null if the run does not exist. */
export async function listRunCalls(
  { database }: DatabaseContext,
  runId: string,
  filter: CallFilter,
): Promise<{ found: FoundRun; page: Page<CallSummary>; counts: CallCounts; chosen: number } | null> {
  const found = await findRun(database, runId);
  if (found === null) return null;
  const versionOf = await versionFinder({ database }, runId, found.history);
  const calls = (await listCalls(database, runId)).map((call) => ({ ...call, version: versionOf(call) }));
  const { role = null, version = null, failed = false, cursor, limit } = filter;
  const after = cursor !== null && /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const chosen = calls.filter(
    (call) =>
      (role === null || call.role === role) &&
      (version === null || call.version === version) &&
      (!failed || call.failureKind !== null),
  );
  const page = pageOf(chosen.filter(({ id }) => id > after).slice(0, limit + 1), limit, ({ id }) => String(id));
  return { found, page, counts: countsOf(calls), chosen: chosen.length };
}

/** Returns a function that finds the version of a call. Re-scores store theirs, all others are determined from the history. */
async function versionFinder(
  { database }: DatabaseContext,
  runId: string,
  history: History,
): Promise<(call: Pick<ListedCall, 'step' | 'role'>) => number | null> {
  const rescored = new Map((await listRescores(database, runId)).map(({ version }, index) => [-(index + 1), version]));
  return (call) => (call.step < 0 ? (rescored.get(call.step) ?? null) : versionOfCall(history, call));
}

function countsOf(calls: readonly CallSummary[]): CallCounts {
  const roles = Map.groupBy(calls, ({ role }) => role);
  const versions = Map.groupBy(calls, ({ version }) => version);
  return {
    total: calls.length,
    failed: calls.filter(({ failureKind }) => failureKind !== null).length,
    roles: [...roles].map(([role, { length }]) => ({ role, count: length })),
    versions: [...versions].flatMap(([version, { length }]) => (version === null ? [] : [{ version, count: length }])),
  };
}

/** Returns a complete call of a run as sent and received, with apparent keys redacted, or null. */
export async function findRunCall(context: DatabaseContext, runId: string, callId: number): Promise<CallRecord | null> {
  const { database } = context;
  const [found, call] = await Promise.all([findRun(database, runId), findCall(database, runId, callId)]);
  if (found === null || call === null) return null;
  const versionOf = await versionFinder(context, runId, found.history);
  return redacted({ ...call, version: versionOf(call) });
}

/** Returns the value with keys redacted in every text. */
function redacted<Value>(value: Value): Value;
function redacted(value: unknown): unknown {
  return mapTexts(
    value,
    (text) => redactSecrets(text, null),
    (key) => key,
  );
}
