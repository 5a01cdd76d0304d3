import { z } from 'zod';
import { toolCallSchema } from '#lib/core/agents/agent-records.ts';
import { HOOKS } from '#lib/core/history.ts';
import { runRecordSchema } from '#lib/core/run-record.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { pageOf } from '#lib/database/query-values.ts';
import { SCORES_OF_RUN } from '#lib/runs/list-runs.ts';
import { type InboxScope, WAITING_KINDS, type WaitingKind } from './waiting-kinds.ts';

/** The earliest active claim on an item, from the requester's point of view. `since` is a timestamp. */
export const inboxClaimSchema = z.object({
  who: z.enum(['you', 'another_window', 'another_person']),
  name: z.string(),
  since: z.string(),
});
export type InboxClaim = z.infer<typeof inboxClaimSchema>;

/** A run that waits for a person, as shown in lists. `input` is cut to 200 characters. `scores` are by version, null if unscored. */
const inboxItemSchema = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  mode: z.string(),
  kind: z.enum(WAITING_KINDS),
  pauseId: z.string(),
  /** `onGeneration` and `onRevision`: review of the version before it is evaluated. */
  hook: z.enum(HOOKS),
  /** For kind `tool`, the version that the agent is working on, which does not exist yet. */
  version: z.int(),
  /** The tool call that an agent requests, with its arguments cut to 200 characters. */
  toolCall: z.object({ tool: z.string(), arguments: z.string() }).nullable(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
  /** Criteria that need scores. */
  asks: z.array(z.string()),
  since: z.string(),
  expiresAt: z.string().nullable(),
  versionCount: z.int(),
  bestScore: z.number().nullable(),
  scores: z.array(z.number().nullable()),
  claim: inboxClaimSchema.nullable(),
  /** True if it is assigned to the requester. */
  isAssigned: z.literal(true).optional(),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** Number of waiting items with the same experiment, kind and claim. Includes all items, regardless of the filter. */
const inboxGroupSchema = z.object({
  experimentId: z.string(),
  experimentName: z.string(),
  kind: z.enum(WAITING_KINDS),
  whose: z.enum(['free', 'mine', 'others']),
  count: z.int(),
  /** Number of them assigned to the requester. Omitted if none. */
  assigned: z.int().min(1).optional(),
});
export type InboxGroup = z.infer<typeof inboxGroupSchema>;

export const inboxSchema = z.object({
  items: z.array(inboxItemSchema),
  nextCursor: z.string().nullable(),
  groups: z.array(inboxGroupSchema),
});
/** One page of waiting items, longest wait first, and the counts of all items. */
export type Inbox = z.infer<typeof inboxSchema>;

export const inboxRunSchema = z.object({
  run: runRecordSchema,
  experimentName: z.string(),
  settings: settingsSchema,
});
/** A run with the data needed for a decision: its record and its settings. */
export type InboxRun = z.infer<typeof inboxRunSchema>;

/** The viewer of the inbox and their browser window. The window is null if unknown. */
type InboxHolder = { actorId: string; actorName: string; windowId: string | null; personId?: string };

/** Time until a claim expires if it is not renewed, in milliseconds. */
const CLAIM_MS = 120_000;
/** Time after which expired claims of other windows are deleted. */
const SWEEP_AFTER_MS = 24 * 60 * 60_000;

/** One row per window. A new claim replaces the old one, so no window has two claims and no query waits for a lock. */
const CLAIM = `
  WITH mine AS (
    INSERT INTO inbox_claims AS c (window_id, run_id, actor_id, actor_name, since, held_until)
    SELECT $2::uuid, r.id, $3, $4, $5::timestamptz, $6::timestamptz FROM runs r WHERE r.id = $1::uuid AND r.status = 'waiting'
    ON CONFLICT (window_id) DO UPDATE SET run_id = EXCLUDED.run_id, actor_id = EXCLUDED.actor_id, actor_name = EXCLUDED.actor_name,
      held_until = EXCLUDED.held_until,
      since = CASE WHEN c.run_id = EXCLUDED.run_id AND c.actor_id = EXCLUDED.actor_id AND c.held_until > EXCLUDED.since
        THEN c.since ELSE EXCLUDED.since END
    RETURNING since),
  swept AS (
    DELETE FROM inbox_claims WHERE window_id IN (
      SELECT window_id FROM inbox_claims WHERE held_until < $7::timestamptz AND window_id <> $2::uuid FOR UPDATE SKIP LOCKED))
  SELECT mine.since AS mine, o.since AS other, o.window_id < $2::uuid AS "otherGoesFirst", o.actor_id AS "otherId", o.actor_name AS "otherName"
  FROM mine LEFT JOIN LATERAL (
    SELECT * FROM inbox_claims WHERE run_id = $1::uuid AND window_id <> $2::uuid AND held_until > $5 ORDER BY since, window_id LIMIT 1) o ON true`;

type ClaimRow = {
  mine: Date;
  other: Date | null;
  otherGoesFirst: boolean | null;
  otherId: string | null;
  otherName: string | null;
};

/**
 * Claims a waiting run or renews the claim, and releases the window's previous claim. Returns the earliest claim on the run, or null if the
 * run is not waiting.
 */
export async function claimInboxItem(
  { prisma }: DatabaseClient,
  runId: string,
  holder: InboxHolder & { windowId: string },
  now: Date,
): Promise<InboxClaim | null> {
  const [row] = await prisma.$queryRawUnsafe<ClaimRow[]>(
    CLAIM,
    ...[runId, holder.windowId, holder.actorId, holder.actorName, now],
    ...[new Date(now.getTime() + CLAIM_MS), new Date(now.getTime() - SWEEP_AFTER_MS)],
  );
  if (row === undefined) return null;
  const { mine, other, otherGoesFirst, otherId, otherName } = row;
  if (other !== null && (other < mine || (other.getTime() === mine.getTime() && otherGoesFirst === true)))
    return {
      who: otherId === holder.actorId ? 'another_window' : 'another_person',
      name: otherName ?? '',
      since: other.toISOString(),
    };
  return { who: 'you', name: holder.actorName, since: mine.toISOString() };
}

/** Releases a window's claim on a run. Returns true if there was one. */
export async function releaseInboxItem(
  { prisma }: DatabaseClient,
  runId: string,
  holder: Pick<InboxHolder, 'actorId'> & { windowId: string },
): Promise<boolean> {
  const where = { windowId: holder.windowId, runId, actorId: holder.actorId };
  return (await prisma.inboxClaim.deleteMany({ where })).count === 1;
}

/** Maximum characters of a tool's arguments in lists. */
const SHOWN_ARGUMENTS = 200;

export type InboxFilter = {
  experimentId?: string | null;
  kind?: WaitingKind | null;
  scope: InboxScope;
  cursor: string | null;
  limit: number;
};

/**
 * Waiting runs with their request and claim. Parameters: $1 now, $2 the requesting window, $3 the actor, $4 the person. Every joined row
 * exists at most once. `LEFT JOIN` lets the planner use this, so it scans the index over `since` and stops after a page.
 */
const WAITING = `
  SELECT r.id, r.number, r.experiment_id, x.name, r.input, r.pause, r.redraw, r.version_count, r.best_score, s.mode,
    (r.pause->>'since') COLLATE "C" AS since,
    CASE WHEN r.pause_kind IN ('tool', 'score') THEN r.pause_kind
      WHEN r.pause_kind = 'stop' AND s.mode = 'retry' AND s.escalates THEN 'escalated'
      ELSE 'verdict' END AS kind,
    CASE WHEN c.window_id IS NULL THEN 'free' WHEN c.window_id = $2::uuid AND c.actor_id = $3 THEN 'mine' ELSE 'others' END AS whose,
    c.actor_id, c.actor_name, c.since AS claimed,
    r.id IN (SELECT a.run_id FROM assignments a WHERE a.member_id = $4 AND a.run_id IS NOT NULL) AS "isAssigned"
  FROM runs r
  LEFT JOIN experiments x ON x.id = r.experiment_id
  LEFT JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  LEFT JOIN (SELECT DISTINCT ON (run_id) * FROM inbox_claims WHERE held_until > $1 ORDER BY run_id, since, window_id) c ON c.run_id = r.id
  WHERE r.status = 'waiting'`;

const LIST = `
  SELECT r.id, r.number, r.experiment_id AS "experimentId", r.name AS "experimentName", left(r.input, 200) AS input, r.pause,
    r.version_count AS "versionCount", r.best_score AS "bestScore", r.mode, r.since, r.kind, r.whose,
    r.actor_id AS "actorId", r.actor_name AS "actorName", r.claimed, r."isAssigned", ${SCORES_OF_RUN} AS scores
  FROM (${WAITING}) r
  WHERE ($5::uuid IS NULL OR r.experiment_id = $5) AND ($6::text IS NULL OR r.kind = $6)
    AND CASE $7 WHEN 'all' THEN true WHEN 'assigned' THEN r."isAssigned" ELSE r.whose = 'mine' OR ($7 = 'free' AND r.whose = 'free') END
    AND ($8::text IS NULL OR (r.since, r.number) > ($8, $9::int))
  ORDER BY r.since, r.number LIMIT $10`;

/** Names are joined to the groups, because sorting by them is expensive. */
const GROUPS = `
  SELECT g.experiment_id AS "experimentId", x.name AS "experimentName", g.kind, g.whose, g.count, g.assigned
  FROM (SELECT r.experiment_id, r.kind, r.whose, count(*)::int AS count, nullif(count(*) FILTER (WHERE r."isAssigned"), 0)::int AS assigned
    FROM (${WAITING}) r GROUP BY 1, 2, 3) g
  JOIN experiments x ON x.id = g.experiment_id ORDER BY x.name, x.id, g.kind, g.whose`;

const listedRow = inboxItemSchema
  .omit({ pauseId: true, hook: true, version: true, toolCall: true, wouldStopAs: true, asks: true })
  .omit({ expiresAt: true, claim: true })
  .extend({
    pause: z.object({
      ...{ pauseId: z.string(), hook: z.enum(HOOKS), version: z.int(), expiresAt: z.string().nullable() },
      wouldStopAs: z.enum(STOP_REASONS).nullable(),
      // Older pauses, from before runs could request scores, have none.
      asks: z.array(z.object({ criterion: z.string() })).default([]),
      toolCall: toolCallSchema.nullish(),
    }),
    whose: inboxGroupSchema.shape.whose,
    actorId: z.string().nullable(),
    actorName: z.string().nullable(),
    claimed: z.date().nullable(),
    isAssigned: z.boolean(),
  });
/** The database returns null for omitted members. */
const groupRow = inboxGroupSchema.extend({ assigned: z.int().nullable() });

/** Returns the items that wait for a person, longest wait first, from the viewpoint of `holder`, and the count per group. */
export async function listInbox(
  database: DatabaseClient,
  filter: InboxFilter,
  holder: InboxHolder,
  now: Date,
): Promise<Inbox> {
  const [page, groups] = await Promise.all([
    listInboxItems(database, filter, holder, now),
    countInboxGroups(database, holder, now),
  ]);
  return { ...page, groups };
}

/** Returns a page of items that wait for a person, longest wait first, from the viewpoint of `holder`. */
export async function listInboxItems(
  { prisma }: DatabaseClient,
  filter: InboxFilter,
  holder: InboxHolder,
  now: Date,
): Promise<Omit<Inbox, 'groups'>> {
  const after = readCursor(filter.cursor);
  const listed = await prisma.$queryRawUnsafe<unknown[]>(
    LIST,
    ...[...getViewerParameters(holder, now), filter.experimentId ?? null, filter.kind ?? null, filter.scope],
    ...[after?.since ?? null, after?.number ?? null, filter.limit + 1],
  );
  const items = listed.map((found) => toItem(listedRow.parse(found), holder));
  return pageOf(items, filter.limit, ({ since, number }) => `${since}_${number}`);
}

/** Counts the waiting runs per group from the viewpoint of `holder`. Reads the index entry of every waiting run, not its row. */
export async function countInboxGroups(
  { prisma }: DatabaseClient,
  holder: InboxHolder,
  now: Date,
): Promise<Inbox['groups']> {
  const grouped = await prisma.$queryRawUnsafe<unknown[]>(GROUPS, ...getViewerParameters(holder, now));
  return grouped.map((group) => {
    const { assigned, ...counted } = groupRow.parse(group);
    return assigned === null ? counted : { ...counted, assigned };
  });
}

/** Returns the first parameters of `WAITING`. */
function getViewerParameters({ windowId, actorId, personId }: InboxHolder, now: Date): unknown[] {
  return [now, windowId, actorId, personId ?? actorId];
}

function toItem(
  { pause, whose, actorId, actorName, claimed, isAssigned, ...rest }: z.infer<typeof listedRow>,
  holder: InboxHolder,
): InboxItem {
  const { asks, toolCall, ...shown } = pause;
  const who: InboxClaim['who'] =
    whose === 'mine' ? 'you' : actorId === holder.actorId ? 'another_window' : 'another_person';
  return {
    ...rest,
    ...shown,
    toolCall: toolCall
      ? { tool: toolCall.tool, arguments: toolCall.arguments.slice(0, SHOWN_ARGUMENTS).toWellFormed() }
      : null,
    asks: asks.map(({ criterion }) => criterion),
    ...(isAssigned && { isAssigned }),
    claim: claimed === null ? null : { who, name: actorName ?? '', since: claimed.toISOString() },
  };
}

/** Parses a cursor over (since, number). Null if it is invalid. */
function readCursor(cursor: string | null): { since: string; number: number } | null {
  const match = cursor?.match(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(\d{1,9})$/);
  return match?.[1] === undefined || match[2] === undefined ? null : { since: match[1], number: Number(match[2]) };
}
