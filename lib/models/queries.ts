import { z } from 'zod';
import type { Queryable } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { count } from '#lib/http/fields.ts';

type Pool = { pool: Queryable };

/** Lease of a slot, in milliseconds. After a crash the slot is free when the lease expires. */
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
 * Takes one of a provider's `limit` slots for `holder`. Returns null if all are held. The limit is exact across processes. Leases use the
 * database's clock. `own` contains the slots held by this process, which stay held even if that clock jumps. A lease beyond the maximum was
 * made before the clock was set back and counts as expired.
 */
export async function takeProviderSlot(
  { pool }: Pool,
  provider: string,
  limit: number,
  holder: string,
  heldSlots: number[],
): Promise<number | null> {
  const values = [provider, limit, holder, SLOT_LEASE_MS, heldSlots];
  const { rows } = await pool.query<{ slot: number }>({ name: 'take-provider-slot', text: TAKE, values });
  return rows[0]?.slot ?? null;
}

/** Renews the leases of all slots of a holder. */
export async function renewProviderSlots({ pool }: Pool, holder: string): Promise<void> {
  await pool.query(
    `UPDATE provider_slots SET held_until = now() + $2 * interval '1 millisecond' WHERE holder = $1 AND held_until IS NOT NULL`,
    [holder, SLOT_LEASE_MS],
  );
}

/** Frees the slots of a process that is gone. Null frees all slots, which is safe only if this is the database's only process. */
export async function freeProviderSlots(prisma: Transaction, holder: string | null): Promise<void> {
  await prisma.providerSlot.updateMany({
    where: { holder: holder ?? { not: null } },
    data: { holder: null, heldUntil: null },
  });
}

/**
 * If the clock was set back since the last turn, the next turn moves back with it. The tolerance of 5 seconds covers statements that
 * waited.
 */
const TURN = `
  UPDATE providers SET turn_taken_at = now(), next_call_at = greatest(
    coalesce(next_call_at - CASE WHEN turn_taken_at > now() + interval '5 seconds' THEN turn_taken_at - now() ELSE interval '0' END, now()),
    now()) + $2 * interval '1 millisecond'
  WHERE name = $1
  RETURNING extract(epoch FROM next_call_at - $2 * interval '1 millisecond' - now()) * 1000 AS wait_ms`;

/** Takes the next turn of a provider that allows one call every `spacingMs`. Returns the time to wait for it, in milliseconds. */
export async function takeProviderTurn({ pool }: Pool, provider: string, spacingMs: number): Promise<number> {
  const { rows } = await pool.query<{ wait_ms: string }>({
    name: 'take-provider-turn',
    text: TURN,
    values: [provider, spacingMs],
  });
  return Math.max(0, Number(rows[0]?.wait_ms ?? 0));
}

/** Fingerprint of a model request, and its index among identical requests on one case. */
export type PaidRequest = { fingerprint: string; slot: number };

/** Lease of a model request, in milliseconds. After a crash another process can make the request when the lease expires. */
export const MODEL_REQUEST_LEASE_MS = 15_000;

/** Takes a model request for a process. Returns false while another process or another caller of this process makes it. */
export async function claimModelRequest(
  { pool }: Pool,
  { fingerprint, slot }: PaidRequest,
  holder: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'take-question',
    text: `INSERT INTO paid_questions AS q (fingerprint, slot, held_by, held_until)
      VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
      ON CONFLICT (fingerprint, slot) DO UPDATE SET held_by = $3, held_until = now() + $4 * interval '1 millisecond'
      WHERE q.held_until < now() OR q.held_until > now() + 2 * $4 * interval '1 millisecond'`,
    values: [fingerprint, slot, holder, MODEL_REQUEST_LEASE_MS],
  });
  return rowCount === 1;
}

/** Renews the lease of a model request. */
export async function renewModelRequest(
  { pool }: Pool,
  { fingerprint, slot }: PaidRequest,
  holder: string,
): Promise<void> {
  await pool.query({
    name: 'renew-question',
    text: `UPDATE paid_questions SET held_until = now() + $4 * interval '1 millisecond'
      WHERE fingerprint = $1 AND slot = $2 AND held_by = $3`,
    values: [fingerprint, slot, holder, MODEL_REQUEST_LEASE_MS],
  });
}

/** Releases the model requests of a process that is gone. */
export async function releaseModelRequestsOf(prisma: Transaction, holder: string): Promise<void> {
  await prisma.paidQuestion.deleteMany({ where: { heldBy: holder } });
}

/** Use of a provider: the number of experiments and prompts, and the roles of its models. Most used models come first. */
export const providerUseSchema = z.object({
  experiments: count,
  prompts: count,
  models: z.array(z.object({ model: z.string(), uses: count, roles: z.array(z.string()) })),
  named: z
    .array(
      z.object({
        kind: z.enum(['experiment', 'prompt']),
        id: z.string(),
        name: z.string(),
        roles: z.array(z.string()),
      }),
    )
    .meta({ description: 'The most recently changed experiments and prompts that use the provider.' }),
});
export type ProviderUse = z.infer<typeof providerUseSchema>;

/** Maximum number of experiments and prompts named per provider. */
const NAMED = 12;
/** Maximum number of models returned per provider, most used first. */
const MAX_MODELS = 200;

/**
 * Models used in the latest settings of each experiment and in each prompt of the library. Settings are long, so they are parsed only once.
 */
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
 * Returns the use of each provider by name: the number of experiments and prompts, the most recently changed ones with their roles, and
 * their models.
 */
export async function listProviderUse({ pool }: Pool): Promise<Record<string, ProviderUse>> {
  const { rows } = await pool.query(USE, [NAMED, MAX_MODELS]);
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

/** Latest settings of the experiments, with the model and the temperature of each role. */
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

/** Returns the temperature for a model in the most recently changed experiment that sets one, or null. */
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

/** Experiment whose latest settings give agents tools of a server. */
export type ServerUse = { id: string; name: string; tools: string[] };

/** Returns the experiments that use tools of MCP servers, by the server's name, which is the tool's prefix before `__`. */
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

/**
 * Lets the runs that wait for a rate limit of a provider continue, because its new key or base URL has another limit, or it was deleted.
 * Their next calls are made even if the old limit is known to apply.
 */
export async function endRateLimits(transaction: Transaction, provider: string, now: Date): Promise<void> {
  await transaction.$executeRaw`
    UPDATE runs SET pause_expires_at = ${now}, rate_limit = rate_limit || jsonb_build_object('since', ${now.toISOString()}::text)
    WHERE status = 'running' AND pause_expires_at IS NOT NULL AND rate_limit->>'provider' = ${provider}`;
}
