import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { messagesColumn } from '#lib/datasets/queries.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type BlindJudgement, type JudgeAgreement, judgeAgreement } from '#lib/statistics/judge-agreement.ts';
import { decryptText, encryptText, NONCE_BYTES } from '#lib/system/sealed-key.ts';
import { type BlindCandidate, type BlindPair, blindPairs, type ShownPairs } from './blind-pairs.ts';

const PREFERENCE_CHOICES = ['left', 'right', 'tie'] as const;
/** A person's preference between two versions in a blind review. `seconds`: duration for which the pair was shown, null if unknown. */
type NewPreference = BlindPair & {
  id: string;
  experimentId: string;
  choice: (typeof PREFERENCE_CHOICES)[number];
  actorId: string;
  actor: string;
  seconds: number | null;
  at: Date;
};

/** Stores a preference. `judged`: the person has already judged this pair. `gone`: its run was deleted. */
export async function insertPreference(
  transaction: Transaction,
  { runId, experimentId, first, second, left, actor, ...preference }: NewPreference,
): Promise<'stored' | 'judged' | 'gone'> {
  const run = await transaction.run.findFirst({ where: { id: runId, experimentId }, select: { id: true } });
  if (run === null) return 'gone';
  const { count } = await transaction.preference.createMany({
    data: {
      ...{ ...preference, runId, experimentId, actor: cleanText(actor) },
      ...{ firstVersion: first, secondVersion: second, leftVersion: left },
    },
    skipDuplicates: true,
  });
  return count === 1 ? 'stored' : 'judged';
}

/** Returns the pairs of an experiment that a person has judged. */
async function judgedPairs(
  { prisma }: Database,
  experimentId: string,
  actorId: string,
): Promise<{ runId: string; first: number; second: number }[]> {
  const pairs = await prisma.preference.findMany({
    where: { experimentId, actorId },
    select: { runId: true, firstVersion: true, secondVersion: true },
  });
  return pairs.map(({ runId, firstVersion, secondVersion }) => ({ runId, first: firstVersion, second: secondVersion }));
}

const JUDGEMENTS = `
  SELECT (
    SELECT coalesce(json_agg(json_build_object('run', p.run_id, 'first', p.first_version, 'second', p.second_version,
      'left', p.left_version, 'choice', p.choice, 'person', p.actor_id,
      'firstScore', ${machineScoreOf('p.first_version')}, 'secondScore', ${machineScoreOf('p.second_version')})), '[]')
    FROM preferences p WHERE p.experiment_id = x.id
  ) AS judgements
  FROM experiments x WHERE x.id = $1`;

function machineScoreOf(version: string): string {
  return `(SELECT e.overall_score FROM evaluations e WHERE e.run_id = p.run_id AND e.version = ${version}
    AND e.by = 'machine' AND e.status = 'scored' ORDER BY e.ordinal DESC LIMIT 1)`;
}

const judgementsRow = z.object({
  judgements: z.array(
    z
      .object({
        run: z.string(),
        first: z.int(),
        second: z.int(),
        left: z.int(),
        choice: z.enum(PREFERENCE_CHOICES),
        person: z.string(),
        firstScore: z.number().nullable(),
        secondScore: z.number().nullable(),
      })
      .transform(({ run, first, second, left, choice, person, firstScore, secondScore }): BlindJudgement => {
        const isFirst = (choice === 'left') === (left === first);
        const [score, otherScore] = isFirst ? [firstScore, secondScore] : [secondScore, firstScore];
        return { person, pair: `${run} ${first} ${second}`, picked: choice === 'tie' ? null : { score, otherScore } };
      }),
  ),
});

/** Returns how often the automatic scores agree with people's preferences in an experiment. Null if there is no such experiment. */
export async function findAgreement(database: Database, experimentId: string): Promise<JudgeAgreement | null> {
  const [row] = await database.prisma.$queryRawUnsafe<unknown[]>(JUDGEMENTS, experimentId);
  return row === undefined ? null : judgeAgreement(judgementsRow.parse(row).judgements);
}

/** Maximum number of an experiment's runs that provide pairs: the newest with at least two versions. */
const MAX_BLIND_RUNS = 200;

/** Returned as one JSON array, because thousands of rows are far slower. */
const CANDIDATES = `
  SELECT (
    SELECT coalesce(json_agg(json_build_object('runId', v.run_id, 'version', v.number, 'score', s.overall_score,
      'text', CASE WHEN v.output_dropped OR v.output !~ '\\S' THEN NULL ELSE md5(v.output) END)), '[]')
    FROM (SELECT id FROM runs WHERE experiment_id = x.id AND version_count > 1
        AND NOT EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = runs.id) ORDER BY number DESC LIMIT $2) newest
    JOIN reflection_versions v ON v.run_id = newest.id
    LEFT JOIN LATERAL (SELECT e.overall_score FROM evaluations e
      WHERE e.run_id = v.run_id AND e.version = v.number AND e.by = 'machine' AND e.status = 'scored'
      ORDER BY e.ordinal DESC LIMIT 1) s ON true
  ) AS candidates
  FROM experiments x WHERE x.id = $1`;

const candidatesRow = z.object({
  candidates: z.array(
    z.object({ runId: z.string(), version: z.int(), score: z.number().nullable(), text: z.string().nullable() }),
  ),
});

/**
 * Returns the versions of an experiment for a blind review, with their automatic scores. Tuned prompts are excluded because they are not
 * answers to a task. Null if there is no such experiment.
 */
async function blindCandidates(database: Database, experimentId: string): Promise<BlindCandidate[] | null> {
  const [row] = await database.prisma.$queryRawUnsafe<unknown[]>(CANDIDATES, experimentId, MAX_BLIND_RUNS);
  return row === undefined ? null : candidatesRow.parse(row).candidates;
}

/** Texts of a pair: its index in the list, the task and the two outputs. */
type PairTexts = { place: number; task: string; messages: ChatMessage[] | null; left: string; right: string };

/** Returns the texts of pairs. Pairs whose texts were deleted meanwhile are omitted. */
async function blindTexts({ prisma }: Database, pairs: readonly BlindPair[]): Promise<PairTexts[]> {
  const versions = await prisma.reflectionVersion.findMany({
    where: {
      outputDropped: false,
      OR: pairs.map(({ runId, first, second }) => ({ runId, number: { in: [first, second] } })),
    },
    select: { runId: true, number: true, output: true, run: { select: { input: true, messages: true } } },
  });
  return pairs.flatMap(({ runId, first, second, left }, index) => {
    const find = (number: number) => versions.find((version) => version.runId === runId && version.number === number);
    const [shown, other] = [find(left), find(left === first ? second : first)];
    if (shown === undefined || other === undefined) return [];
    const { input: task, messages } = shown.run;
    return {
      place: index,
      task,
      messages: messagesColumn.parse(messages) ?? null,
      left: shown.output,
      right: other.output,
    };
  });
}

/**
 * Returns the next pairs of an experiment for a person, each only once, with the numbers judged and remaining. They stay the same until
 * judged. Reveals nothing that identifies the versions.
 */
export async function findBlindPairs(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  limit: number,
): Promise<Result<ShownPairs>> {
  const shownTo = { experimentId, actorId: personOf(actor) };
  const candidates = await blindCandidates(context.database, experimentId);
  if (candidates === null) return notStored('experiment', experimentId);
  const judged = await judgedPairs(context.database, experimentId, personOf(actor));
  const names = new Set(judged.map(nameOf));
  const open = blindPairs(candidates, pairSeed(context, shownTo)).filter((pair) => !names.has(nameOf(pair)));
  const next = open.slice(0, limit);
  const texts = await blindTexts(context.database, next);
  const items = texts.flatMap(({ place, task, messages, left, right }) => {
    const pair = next[place];
    return pair === undefined ? [] : [{ pair: sealPair(context, shownTo, pair), task, messages, left, right }];
  });
  return succeed({ items, judged: judged.length, remaining: open.length });
}

function nameOf({ runId, first, second }: { runId: string; first: number; second: number }): string {
  return `${runId} ${first} ${second}`;
}

const SECONDS = 'must be a number of seconds from 0 to 86400';

/** A preference between the two texts of a pair. `pair` is its token. */
export const preferenceInputSchema = z.strictObject({
  pair: z.string({ error: 'must be the pair as it was shown' }).max(200, { error: 'must be the pair as it was shown' }),
  choice: choiceOf(PREFERENCE_CHOICES),
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

const DIGITS = 6;

/** The experiment and person that a pair is shown to. A token is only valid for both. */
type ShownTo = { experimentId: string; actorId: string };

/** Returns the seed for a person's pairs and their sides. It cannot be derived without the installation's secret. */
export function pairSeed({ secret }: Pick<AppContext, 'secret'>, shownTo: ShownTo): string {
  return createHmac('sha256', secret)
    .update(`seed ${boundTo(shownTo)}`)
    .digest('base64url');
}

/**
 * Returns an opaque token for a pair, encrypted with AES-256-GCM. It has a fixed length and is the same for the same pair, so that a page
 * can recognize it. The nonce is derived from the content and repeats only with it.
 */
export function sealPair({ secret }: Pick<AppContext, 'secret'>, shownTo: ShownTo, pair: BlindPair): string {
  const right = pair.left === pair.first ? pair.second : pair.first;
  const text = pair.runId + [pair.left, right].map((number) => String(number).padStart(DIGITS, '0')).join('');
  const bound = boundTo(shownTo);
  const nonce = createHmac('sha256', secret).update(`${bound} ${text}`).digest().subarray(0, NONCE_BYTES);
  return encryptText(secret, bound, text, nonce).toString('base64url');
}

/** Decrypts the pair of a token. Null if the token is forged, modified, or was issued to someone else. */
export function openPair({ secret }: Pick<AppContext, 'secret'>, shownTo: ShownTo, token: string): BlindPair | null {
  const text = decryptText(secret, boundTo(shownTo), Buffer.from(token, 'base64url'));
  return text === null ? null : readPair(text);
}

function readPair(text: string): BlindPair | null {
  const [, runId, left, right] = /^([0-9a-f-]{36})(\d{6})(\d{6})$/.exec(text) ?? [];
  if (runId === undefined || left === undefined || right === undefined) return null;
  const versions = [Number(left), Number(right)];
  return { runId, first: Math.min(...versions), second: Math.max(...versions), left: Number(left) };
}

function boundTo({ experimentId, actorId }: ShownTo): string {
  return `hone blind pair v1 ${experimentId} ${actorId}`;
}
