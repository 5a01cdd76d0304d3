import { z } from 'zod';
import type { Queryable } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** A database or a connection of it. */
type Pool = { pool: Queryable };

/** How long a slot is held without being renewed, in milliseconds: after a crash it is free again then. */
export const SLOT_LEASE_MS = 15_000;

const TAKE = `
  UPDATE provider_slots SET holder = $3, held_until = now() + $4 * interval '1 millisecond'
  WHERE (provider, slot) = (
    SELECT provider, slot FROM provider_slots
    WHERE provider = $1 AND slot <= $2 AND NOT slot = ANY($5::int[])
      AND (held_until IS NULL OR held_until < now() OR held_until > now() + 2 * $4 * interval '1 millisecond')
    ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING slot`;

/**
 * Takes one of a provider's `limit` slots for `holder`; null when all are held. Exact over any number of processes. Leases go by
 * the database's clock; `own` are the slots that this process holds for certain, which no jump of that clock frees. A lease
 * that ends later than any can was made before the clock was put back, and counts as over.
 */
export async function takeProviderSlot(
  { pool }: Pool,
  provider: string,
  limit: number,
  holder: string,
  own: number[],
): Promise<number | null> {
  const values = [provider, limit, holder, SLOT_LEASE_MS, own];
  const { rows } = await pool.query<{ slot: number }>({ name: 'take-provider-slot', text: TAKE, values });
  return rows[0]?.slot ?? null;
}

/** Holds the slots of a holder for another lease. */
export async function renewProviderSlots({ pool }: Pool, holder: string): Promise<void> {
  await pool.query(
    `UPDATE provider_slots SET held_until = now() + $2 * interval '1 millisecond' WHERE holder = $1 AND held_until IS NOT NULL`,
    [holder, SLOT_LEASE_MS],
  );
}

/** Frees the slots that a process holds which is gone. Null frees all, which is only for the one process on its database. */
export async function freeProviderSlots(prisma: Transaction, holder: string | null): Promise<void> {
  await prisma.providerSlot.updateMany({
    where: { holder: holder ?? { not: null } },
    data: { holder: null, heldUntil: null },
  });
}

/** A clock that was put back since the last turn was given takes the next one with it; the few seconds are for statements that waited. */
const TURN = `
  UPDATE providers SET turn_taken_at = now(), next_call_at = greatest(
    coalesce(next_call_at - CASE WHEN turn_taken_at > now() + interval '5 seconds' THEN turn_taken_at - now() ELSE interval '0' END, now()),
    now()) + $2 * interval '1 millisecond'
  WHERE name = $1
  RETURNING extract(epoch FROM next_call_at - $2 * interval '1 millisecond' - now()) * 1000 AS wait_ms`;

/** Takes the next turn of a provider that may be called every `spacingMs`; answers how long to wait for it, in milliseconds. */
export async function takeProviderTurn({ pool }: Pool, provider: string, spacingMs: number): Promise<number> {
  const { rows } = await pool.query<{ wait_ms: string }>({
    name: 'take-provider-turn',
    text: TURN,
    values: [provider, spacingMs],
  });
  return Math.max(0, Number(rows[0]?.wait_ms ?? 0));
}

/** A question by what decides its answer, and the place among the calls on one case that ask the very same. */
export type PaidQuestion = { fingerprint: string; slot: number };

/** How long a question is held without being renewed, in milliseconds: after a crash another process may ask it then. */
export const QUESTION_LEASE_MS = 15_000;

/** Takes a question for a process to ask; false while another one, or another asker of this one, is asking it. */
export async function takeQuestion(
  { pool }: Pool,
  { fingerprint, slot }: PaidQuestion,
  holder: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'take-question',
    text: `INSERT INTO paid_questions AS q (fingerprint, slot, held_by, held_until)
      VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
      ON CONFLICT (fingerprint, slot) DO UPDATE SET held_by = $3, held_until = now() + $4 * interval '1 millisecond'
      WHERE q.held_until < now() OR q.held_until > now() + 2 * $4 * interval '1 millisecond'`,
    values: [fingerprint, slot, holder, QUESTION_LEASE_MS],
  });
  return rowCount === 1;
}

/** Holds a question for another lease. */
export async function renewQuestion(
  { pool }: Pool,
  { fingerprint, slot }: PaidQuestion,
  holder: string,
): Promise<void> {
  await pool.query({
    name: 'renew-question',
    text: `UPDATE paid_questions SET held_until = now() + $4 * interval '1 millisecond'
      WHERE fingerprint = $1 AND slot = $2 AND held_by = $3`,
    values: [fingerprint, slot, holder, QUESTION_LEASE_MS],
  });
}

/** Lets go of the questions that a process that is gone was asking. */
export async function releaseQuestionsOf(prisma: Transaction, holder: string): Promise<void> {
  await prisma.paidQuestion.deleteMany({ where: { heldBy: holder } });
}

/** Where a provider is used: how many experiments and prompts name it, and the last changed of them with what for. */
export type ProviderUse = {
  experiments: number;
  prompts: number;
  /** The models they name, the most used first. */
  models: { model: string; uses: number; roles: string[] }[];
  named: { kind: 'experiment' | 'prompt'; id: string; name: string; roles: string[] }[];
};

/** Experiments and prompts that are named of each provider. */
const NAMED = 12;
/** Models that are told of each, the most used first. */
const MOST_MODELS = 200;

/** What the latest settings of each experiment, and each prompt of the library, name models for. Settings are long: they are unpacked once. */
const NAMING = `
  SELECT x.id::text AS id, x.name, x.updated_at, 'experiment' AS kind, p.provider, p.model, p.role
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL jsonb_to_record(v.settings)
    AS s(generator jsonb, "evaluatorModel" jsonb, "reflectionModel" jsonb, "embeddingModel" jsonb, lessons jsonb, tune jsonb)
  CROSS JOIN LATERAL (
    SELECT * FROM (VALUES
      (s.generator->>'provider', s.generator->>'model', 'drafts'),
      (s.generator->'target'->>'name', NULL, 'outputs'),
      (s."evaluatorModel"->>'provider', s."evaluatorModel"->>'model', 'judges'),
      (s."reflectionModel"->>'provider', s."reflectionModel"->>'model', 'critiques'),
      (s."embeddingModel"->>'provider', s."embeddingModel"->>'model', 'embeddings'),
      (s.lessons->'embeddings'->>'provider', s.lessons->'embeddings'->>'model', 'lesson search'),
      (s.lessons->'check'->>'provider', s.lessons->'check'->>'model', 'lesson checks')
    ) AS roles
    UNION ALL
    SELECT w->>'provider', w->>'model', 'workers'
    FROM jsonb_array_elements(s.generator->'base'->'workers') AS w
    UNION ALL
    SELECT m->>'provider', m->>'model', 'parameter search'
    FROM jsonb_array_elements(s.tune->'parameters'->'models') AS m
  ) AS p(provider, model, role)
  WHERE p.provider IS NOT NULL
  UNION ALL
  SELECT q.name, q.name, q.updated_at, 'prompt', m->>'provider', m->>'model', 'trials'
  FROM prompts q CROSS JOIN LATERAL jsonb_array_elements(q.setup->'models') AS m`;

const USE = `
  WITH n AS MATERIALIZED (${NAMING}),
  of_users AS (
    SELECT provider, kind, count(*)::int AS total,
      (array_agg(jsonb_build_object('id', id, 'name', name, 'roles', roles) ORDER BY updated_at DESC, id))[1:$1] AS named
    FROM (SELECT provider, kind, id, name, updated_at, array_agg(DISTINCT role) AS roles FROM n GROUP BY 1, 2, 3, 4, 5) AS u
    GROUP BY provider, kind),
  of_models AS (
    SELECT provider, (array_agg(jsonb_build_object('model', model, 'uses', uses, 'roles', roles) ORDER BY uses DESC, model))[1:$2] AS models
    FROM (SELECT provider, model, count(DISTINCT kind || ' ' || id)::int AS uses, array_agg(DISTINCT role) AS roles
      FROM n WHERE model IS NOT NULL GROUP BY 1, 2) AS m
    GROUP BY provider)
  SELECT provider, kind, total, named, coalesce(models, '{}') AS models FROM of_users LEFT JOIN of_models USING (provider)`;

const rowSchema = z.object({
  provider: z.string(),
  kind: z.enum(['experiment', 'prompt']),
  total: z.int(),
  named: z.array(z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()) })),
  models: z.array(z.object({ model: z.string(), uses: z.int(), roles: z.array(z.string()) })),
});

/**
 * Where each provider is used, by its name: how many experiments and prompts, the last changed of them with what they use it for, and
 * the models they name.
 */
export async function listProviderUse({ pool }: Pool): Promise<Record<string, ProviderUse>> {
  const { rows } = await pool.query(USE, [NAMED, MOST_MODELS]);
  const use: Record<string, ProviderUse> = Object.create(null);
  for (const row of rows) {
    const { provider, kind, total, named, models } = rowSchema.parse(row);
    const of = use[provider] ?? { experiments: 0, prompts: 0, named: [], models };
    const found = named.map((user) => ({ kind, ...user }));
    use[provider] =
      kind === 'experiment'
        ? { ...of, experiments: total, named: [...found, ...of.named] }
        : { ...of, prompts: total, named: [...of.named, ...found] };
  }
  return use;
}

/** The latest settings of the experiments, with the model and the temperature of each role. */
const ASKED = `
  SELECT x.updated_at, r.provider, r.model, r.temperature
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL jsonb_to_record(v.settings)
    AS s(generator jsonb, "evaluatorModel" jsonb, "reflectionModel" jsonb, temperatures jsonb)
  CROSS JOIN LATERAL (VALUES
    (s.generator, coalesce(s.generator->'temperature', s.temperatures->'revise')),
    (s."evaluatorModel", s.temperatures->'evaluate'),
    (s."reflectionModel", coalesce(s.temperatures->'reflect', s.temperatures->'lesson'))
  ) AS asked(model, temperature)
  CROSS JOIN LATERAL (SELECT asked.model->>'provider' AS provider, asked.model->>'model' AS model, asked.temperature) AS r`;

/** The temperature that the experiment which was changed last asks a model with; null where none sets one for it. */
export async function temperatureOfModel(
  { pool }: Pool,
  { provider, model }: { provider: string; model: string },
): Promise<number | null> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT a.temperature::text::float8 AS temperature FROM (${ASKED}) AS a
     WHERE a.provider = $1 AND a.model = $2 AND jsonb_typeof(a.temperature) = 'number' ORDER BY a.updated_at DESC LIMIT 1`,
    [provider, model],
  );
  return rows[0] === undefined ? null : z.object({ temperature: z.number() }).parse(rows[0]).temperature;
}

/** An experiment whose latest settings give its agents tools of a server. */
export type ServerUse = { id: string; name: string; tools: string[] };

/** The experiments that use tools of MCP servers, by the server's name: what stands before `__` in a tool's. */
export async function listMcpServerUse({ pool }: Pool): Promise<Record<string, ServerUse[]>> {
  const { rows } = await pool.query<ServerUse & { server: string }>(`
    SELECT split_part(t.tool, '__', 1) AS server, x.id, x.name, array_agg(DISTINCT t.tool ORDER BY t.tool) AS tools
    FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    CROSS JOIN LATERAL (
      SELECT jsonb_array_elements_text(v.settings->'generator'->'base'->'tools') AS tool
      UNION SELECT jsonb_array_elements_text(w->'tools') FROM jsonb_array_elements(v.settings->'generator'->'base'->'workers') AS w
    ) AS t
    WHERE position('__' IN t.tool) > 0
    GROUP BY 1, 2, 3 ORDER BY x.name, x.id`);
  const use: Record<string, ServerUse[]> = Object.create(null);
  for (const { server, ...experiment } of rows) {
    use[server] ??= [];
    use[server].push(experiment);
  }
  return use;
}
