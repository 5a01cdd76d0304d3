import type { AppContext } from '#lib/context/app-context.ts';
import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type PromptOptions, packOptions, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, cleanText, type Page, pageOf, storableJson, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { AnswerPair } from './compare-answers.ts';
import { inLabelOrder, NO_OPTIONS, type PromptBody } from './prompt.ts';
import {
  type KeptDraft,
  type PromptDetail,
  type PromptDraft,
  type PromptLabel,
  type PromptListItem,
  type PromptSetup,
  type PromptText,
  type PromptUse,
  type PromptVersion,
  type PromptVersionText,
  promptSetupSchema,
  promptVariables,
} from './schema.ts';

/** Returns a prompt without its versions from its row. */
function promptOf(row: { name: string; setup: unknown; latestVersion: number; createdAt: Date; updatedAt: Date }) {
  const { name, setup, latestVersion, createdAt, updatedAt } = withIsoTimes(row);
  return { name, setup: promptSetupSchema.parse(setup), latestVersion, createdAt, updatedAt };
}

/**
 * Returns one page of prompts whose name contains `search` (null: all), most recently changed first, without their texts. `page.cursor` is
 * the previous page's `nextCursor`. An invalid cursor returns the first page.
 */
export async function listPrompts(
  database: DatabaseClient,
  { search }: { search: string | null },
  page: { cursor: string | null; limit: number },
): Promise<Page<PromptListItem>> {
  const after = readCursor(page.cursor);
  const rows = await database.prisma.prompt.findMany({
    where: {
      ...(search !== null && {
        name: { contains: search.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' },
      }),
      ...(after !== null && {
        OR: [{ updatedAt: { lt: after.at } }, { updatedAt: after.at, name: { gt: after.name } }],
      }),
    },
    include: { labels: { select: { label: true, version: true } } },
    orderBy: [{ updatedAt: 'desc' }, { name: 'asc' }],
    take: page.limit + 1,
  });
  const uses = await countPromptUses(
    database,
    rows.map(({ name }) => name),
  );
  const items = rows.map((row) => ({
    ...promptOf(row),
    labels: inLabelOrder(row.labels),
    experiments: uses.get(row.name) ?? 0,
  }));
  return pageOf(items, page.limit, ({ updatedAt, name }) => `${Date.parse(updatedAt)}_${name}`);
}

/** Parses a cursor over (time, name). Returns null if it is invalid. */
function readCursor(cursor: string | null): { at: Date; name: string } | null {
  const [, at, name] = cursor?.match(/^(\d{1,15})_([\w./-]{1,100})$/) ?? [];
  return at === undefined || name === undefined ? null : { at: new Date(Number(at)), name };
}

/** Returns a prompt with its versions (without their texts), labels, latest label moves and uses, or null. */
export async function findPrompt(database: DatabaseClient, name: string): Promise<PromptDetail | null> {
  const row = await database.prisma.prompt.findUnique({
    where: { name },
    include: { labelMoves: { omit: { promptName: true }, orderBy: { id: 'desc' }, take: 200 } },
  });
  if (row === null) return null;
  const [versions, labels, uses] = await Promise.all([
    listPromptVersions(database, name),
    listLabels(database, name),
    listPromptUses(database, name),
  ]);
  const moves = row.labelMoves.map(withIsoTimes);
  return { ...promptOf(row), versions, labels, moves, uses };
}

/** Returns the setup of a prompt, or null if the prompt does not exist. */
export async function findPromptSetup({ prisma }: { prisma: Transaction }, name: string): Promise<PromptSetup | null> {
  const row = await prisma.prompt.findUnique({ where: { name }, select: { setup: true } });
  return row === null ? null : promptSetupSchema.parse(row.setup);
}

/** Locks a prompt until the transaction ends. Returns the number of its newest version, or null if the prompt does not exist. */
export async function lockPrompt(transaction: Transaction, name: string): Promise<number | null> {
  const [row] = await transaction.$queryRaw<{ latestVersion: number }[]>`
    SELECT latest_version AS "latestVersion" FROM prompts WHERE name = ${name} FOR UPDATE`;
  return row?.latestVersion ?? null;
}

/** Returns the labels of a prompt: production first, then staging, then by name. Empty if the prompt does not exist. */
async function listLabels({ prisma }: DatabaseClient, promptName: string): Promise<PromptLabel[]> {
  const rows = await prisma.promptLabel.findMany({ where: { promptName }, omit: { promptName: true } });
  return inLabelOrder(rows.map(withIsoTimes));
}

type VersionRow = {
  runId: string | null;
  runNumber: number | null;
  runVersion: number | null;
  createdAt: Date;
};

function versionOf<Row extends VersionRow>({ runId, runNumber, runVersion, createdAt, ...version }: Row) {
  const run = runVersion === null ? null : { id: runId, number: runNumber, version: runVersion };
  return { ...version, run, createdAt: createdAt.toISOString() };
}

async function listPromptVersions({ prisma }: DatabaseClient, promptName: string): Promise<PromptVersion[]> {
  const rows = await prisma.$queryRaw<(Omit<PromptVersion, 'run' | 'createdAt'> & VersionRow)[]>`
    SELECT v.number, v.message, v.parent, v.run_id AS "runId", r.number AS "runNumber", v.run_version AS "runVersion",
      length(v.text) AS length, v.created_by AS "createdBy", v.created_at AS "createdAt",
      ARRAY(SELECT tool->>'name' FROM jsonb_array_elements(v.tools) WITH ORDINALITY AS t(tool, place) ORDER BY place) AS "toolNames",
      v.response_schema->>'name' AS "schemaName"
    FROM prompt_versions v LEFT JOIN runs r ON r.id = v.run_id WHERE v.prompt_name = ${promptName} ORDER BY v.number DESC`;
  return rows.map(versionOf);
}

/** Selector of a prompt version: a number, a label, or the newest. */
type PromptVersionBy = { version: number } | { label: string } | 'newest';

/** Returns one version of a prompt with its text, or null if the prompt, version or label does not exist. */
export async function findPromptVersion(
  prisma: Transaction,
  promptName: string,
  by: PromptVersionBy,
): Promise<PromptVersionText | null> {
  const row = await prisma.promptVersion.findFirst({
    where: { promptName, ...(by !== 'newest' && { number: await numberOf(prisma, promptName, by) }) },
    orderBy: { number: 'desc' },
    include: { run: { select: { number: true } } },
  });
  if (row === null) return null;
  const { promptName: _name, text, tools, responseSchema, run, ...version } = row;
  const options = optionsOf({ tools, responseSchema });
  return { ...versionOf({ ...version, runNumber: run?.number ?? null, length: [...text].length }), text, ...options };
}

/** Returns 0 for no match because no version has the number 0. */
async function numberOf(
  prisma: Transaction,
  promptName: string,
  by: Exclude<PromptVersionBy, 'newest'>,
): Promise<number> {
  if ('version' in by) return by.version;
  const where = { promptName_label: { promptName, label: by.label } };
  return (await prisma.promptLabel.findUnique({ where }))?.version ?? 0;
}

/** Prompt version saved from a version of a run, with its current labels. */
export type RunPrompt = { runVersion: number; name: string; version: number; labels: string[] };

/** Returns the prompt versions saved from a run, earliest first. */
export async function listRunPrompts({ prisma }: DatabaseClient, runId: string): Promise<RunPrompt[]> {
  const rows = await prisma.promptVersion.findMany({
    where: { runId },
    select: {
      ...{ runVersion: true, promptName: true, number: true },
      prompt: { select: { labels: { select: { label: true, version: true }, orderBy: { label: 'asc' } } } },
    },
    orderBy: [{ createdAt: 'asc' }, { number: 'asc' }],
  });
  return rows.flatMap(({ runVersion, promptName, number, prompt }) =>
    runVersion === null
      ? []
      : {
          ...{ runVersion, name: promptName, version: number },
          labels: prompt.labels.flatMap(({ label, version }) => (version === number ? label : [])),
        },
  );
}

/** Returns up to 50 experiments whose newest settings tune a prompt, most recently changed first. */
async function listPromptUses({ prisma }: DatabaseClient, promptName: string): Promise<PromptUse[]> {
  const rows = await prisma.$queryRaw<(Omit<PromptUse, 'updatedAt'> & { updatedAt: Date })[]>`
    SELECT e.id AS "experimentId", e.name, (v.settings->'tune'->'prompt'->>'version')::int AS version, e.updated_at AS "updatedAt"
    FROM experiments e JOIN experiment_versions v ON v.experiment_id = e.id AND v.version = e.latest_version
    WHERE v.settings->'tune'->'prompt'->>'name' = ${promptName} ORDER BY e.updated_at DESC, e.id LIMIT 50`;
  return rows.map(withIsoTimes);
}

/** Returns the number of experiments whose newest settings tune each of these prompts. Prompts without any are left out. */
async function countPromptUses({ prisma }: DatabaseClient, promptNames: string[]): Promise<Map<string, number>> {
  if (promptNames.length === 0) return new Map();
  const rows = await prisma.$queryRaw<{ name: string; count: number }[]>`
    SELECT v.settings->'tune'->'prompt'->>'name' AS name, count(*)::int AS count
    FROM experiments e JOIN experiment_versions v ON v.experiment_id = e.id AND v.version = e.latest_version
    WHERE v.settings->'tune'->'prompt'->>'name' = ANY (${promptNames}) GROUP BY 1`;
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Some versions of a prompt. */
export type RequestedVersions = { name: string; versions: readonly number[] };

/**
 * Returns scores of versions from the tuning runs that created them, on the validation cases (or the training cases if there are none).
 * Each has the value of `tune.weightKey` in the case's metadata. A version edited by hand since has no scores because it no longer matches
 * the run's text.
 */
export async function findRunScores(
  { prisma }: DatabaseClient,
  requested: readonly RequestedVersions[],
): Promise<{ name: string; number: number; scores: { score: number; weight: unknown }[] }[]> {
  const pairs = requested.flatMap(({ name, versions }) => versions.map((number) => ({ name, number })));
  const names = pairs.map(({ name }) => name);
  const numbers = pairs.map(({ number }) => number);
  return prisma.$queryRaw`
    WITH made AS (
      SELECT p.prompt_name, p.number, v.run_id, v.number AS version,
        CASE WHEN EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = v.run_id AND c.split = 'validation') THEN 'validation' ELSE 'train' END AS split
      FROM unnest(${names}::text[], ${numbers}::int[]) AS asked(name, number)
      JOIN prompt_versions p ON p.prompt_name = asked.name AND p.number = asked.number
      JOIN reflection_versions v ON v.run_id = p.run_id AND v.number = p.run_version AND v.output = p.text
    ), last AS (
      SELECT DISTINCT ON (m.prompt_name, m.number, t.position) m.prompt_name, m.number, t.score, c.metadata->(s.settings->'tune'->>'weightKey') AS weight
      FROM made m JOIN runs r ON r.id = m.run_id
      JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
      JOIN run_cases c ON c.run_id = m.run_id AND c.split = m.split
      JOIN case_tries t ON t.run_id = m.run_id AND t.version = m.version AND t.position = c.position
      ORDER BY m.prompt_name, m.number, t.position, t.attempt DESC
    )
    SELECT prompt_name AS name, number, json_agg(json_build_object('score', score, 'weight', weight)) AS scores FROM last WHERE score IS NOT NULL GROUP BY prompt_name, number`;
}

type PairRow = { position: number; before: number; wasRight: boolean; after: number; isRight: boolean };

/** Returns the last results of two texts of a prompt on the held-out cases of a tuning run. Empty if the run did not score both. */
export async function heldOutPairs(
  { prisma }: DatabaseClient,
  { runId, before, after }: { runId: string; before: string; after: string },
): Promise<AnswerPair[]> {
  const rows = await prisma.$queryRaw<PairRow[]>`
    WITH last AS (
      SELECT DISTINCT ON (v.output, t.position) v.output, t.position, t.score, t.satisfactory
      FROM case_tries t
      JOIN run_cases c ON c.run_id = t.run_id AND c.position = t.position AND c.split = 'held_out'
      JOIN reflection_versions v ON v.run_id = t.run_id AND v.number = t.version AND v.output IN (${before}, ${after})
      WHERE t.run_id = ${runId}::uuid AND t.score IS NOT NULL
      ORDER BY v.output, t.position, t.version, t.attempt DESC)
    SELECT b.position, b.score AS before, b.satisfactory AS "wasRight", a.score AS after, a.satisfactory AS "isRight"
    FROM last b JOIN last a ON a.position = b.position AND b.output = ${before} AND a.output = ${after} ORDER BY b.position`;
  return rows.map(({ position, before, wasRight, after, isRight }) => ({
    case: String(position),
    before: { score: before, satisfactory: wasRight },
    after: { score: after, satisfactory: isRight },
  }));
}

type DraftKey = { name: string; actorId: string };

/** Returns a person's draft of a prompt, or null. */
export async function findPromptDraft(
  { prisma }: DatabaseClient,
  { name, actorId }: DraftKey,
): Promise<PromptDraft | null> {
  const where = { promptName_actorId: { promptName: name, actorId } };
  const row = await prisma.promptDraft.findUnique({
    where,
    select: { text: true, tools: true, responseSchema: true, baseVersion: true, updatedAt: true },
  });
  return row === null ? null : { ...withIsoTimes(row), ...optionsOf(row) };
}

type DraftToSave = PromptBody & {
  baseVersion: number | null;
  since: string | null;
  unanswered: readonly PromptBody[];
  now: Date;
};

/**
 * Replaces the draft last saved at `since` (null: no draft), or one of the `unanswered` drafts of the same window. If another window has
 * changed it since, writes nothing and returns the current draft. Returns null if the prompt does not exist.
 */
export async function writePromptDraft(
  database: DatabaseClient,
  key: DraftKey,
  { text, tools, responseSchema, baseVersion, since, unanswered, now }: DraftToSave,
): Promise<KeptDraft | null> {
  const { name, actorId } = key;
  const packed = packOptions({ tools, responseSchema });
  const toolsJson = tools.length === 0 ? null : storableJson(packed.tools);
  const ownJson = storableJson(
    unanswered.map((own) => ({ ...packOptions(own), text: own.text, ...(own.tools.length === 0 && { tools: null }) })),
  );
  const schemaJson = responseSchema === null ? null : storableJson(packed.responseSchema);
  // The timestamp identifies a draft's state, so it must always increase even if the clock does not advance between two changes.
  const [saved] = await database.prisma.$queryRaw<{ updatedAt: Date }[]>`
    INSERT INTO prompt_drafts AS d (prompt_name, actor_id, text, tools, response_schema, base_version, updated_at)
    SELECT name, ${actorId}, ${cleanText(text)}, ${toolsJson}::jsonb, ${schemaJson}::jsonb, ${baseVersion}::int, ${now}::timestamptz FROM prompts
    WHERE name = ${name} AND (${since}::timestamptz IS NULL OR EXISTS (
      SELECT 1 FROM prompt_drafts o WHERE o.prompt_name = ${name} AND o.actor_id = ${actorId}))
    ON CONFLICT (prompt_name, actor_id) DO UPDATE SET text = excluded.text, tools = excluded.tools,
      response_schema = excluded.response_schema, base_version = excluded.base_version,
      updated_at = greatest(excluded.updated_at, d.updated_at + interval '1 millisecond')
      WHERE d.updated_at = ${since}::timestamptz OR (d.text, d.tools, d.response_schema) IS NOT DISTINCT FROM (excluded.text, excluded.tools, excluded.response_schema)
        OR EXISTS (SELECT 1 FROM jsonb_to_recordset(${ownJson}::jsonb) AS own (text text, tools jsonb, "responseSchema" jsonb)
          WHERE (d.text, d.tools, d.response_schema) IS NOT DISTINCT FROM (own.text, own.tools, own."responseSchema"))
    RETURNING updated_at AS "updatedAt"`;
  if (saved !== undefined) return { status: 'kept', updatedAt: saved.updatedAt.toISOString() };
  const isThere = (await database.prisma.prompt.count({ where: { name } })) > 0;
  return isThere ? { status: 'changed', draft: await findPromptDraft(database, key) } : null;
}

/** Returns the error for a prompt that does not exist. */
export function promptNotFound(name: string): Result<never> {
  return fail('not_found', `There is no prompt named "${name}".`);
}

/** Returns the prompt text that a client requested. If it does not exist, the error lists the alternatives. */
export async function getPromptText(
  { database }: AppContext,
  name: string,
  by: PromptVersionBy,
): Promise<Result<PromptText>> {
  const found = await findPromptVersion(database.prisma, name, by);
  if (found === null) return promptVersionNotFound(database, name, by);
  const { number, ...version } = found;
  const labels = (await listLabels(database, name)).flatMap((label) => (label.version === number ? [label.label] : []));
  const messages = messagesOfPrompt(found.text)?.map((message) => ({ text: '', ...message })) ?? null;
  return succeed({ name, version: number, labels, messages, variables: promptVariables(found.text), ...version });
}

async function promptVersionNotFound(
  database: AppContext['database'],
  name: string,
  by: PromptVersionBy,
): Promise<Result<never>> {
  const prompt = await findPrompt(database, name);
  if (prompt === null || by === 'newest') return promptNotFound(name);
  if ('version' in by) {
    const range = prompt.latestVersion === 1 ? 'only version 1' : `the versions 1 to ${prompt.latestVersion}`;
    return fail('not_found', `The prompt "${name}" has no version ${by.version}: it has ${range}.`, 'version');
  }
  const labels = prompt.labels.map(({ label, version }) => `${label} (version ${version})`);
  const there = labels.length === 0 ? 'It has no labels yet.' : `It has ${labels.join(', ')}.`;
  return fail('not_found', `The prompt "${name}" has no label ${by.label}. ${there}`, 'label');
}

/** Converts tools and response schema to columns. Null if there are none. */
export function optionColumns(options: PromptOptions) {
  const { tools, responseSchema } = packOptions(cleanJson(options));
  return {
    tools: tools.length === 0 ? Prisma.DbNull : tools,
    responseSchema: responseSchema === null ? Prisma.DbNull : responseSchema,
  };
}

/** Parses tools and response schema from their columns. */
export function optionsOf({ tools, responseSchema }: { tools: unknown; responseSchema: unknown }): PromptOptions {
  if (tools === null && responseSchema === null) return NO_OPTIONS;
  return promptOptionsSchema.parse({ tools: tools ?? [], responseSchema });
}
