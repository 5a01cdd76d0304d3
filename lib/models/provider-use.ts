import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

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
    AS s(generator jsonb, "evaluatorModel" jsonb, "reflectionModel" jsonb, "embeddingModel" jsonb, lessons jsonb)
  CROSS JOIN LATERAL (
    SELECT * FROM (VALUES
      (s.generator->>'provider', s.generator->>'model', 'drafts'),
      (s."evaluatorModel"->>'provider', s."evaluatorModel"->>'model', 'judges'),
      (s."reflectionModel"->>'provider', s."reflectionModel"->>'model', 'critiques'),
      (s."embeddingModel"->>'provider', s."embeddingModel"->>'model', 'embeddings'),
      (s.lessons->'embeddings'->>'provider', s.lessons->'embeddings'->>'model', 'lesson search'),
      (s.lessons->'check'->>'provider', s.lessons->'check'->>'model', 'lesson checks')
    ) AS roles
    UNION ALL
    SELECT w->>'provider', w->>'model', 'workers'
    FROM jsonb_array_elements(s.generator->'base'->'workers') AS w
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
export async function listProviderUse(database: Database): Promise<Record<string, ProviderUse>> {
  const { rows } = await database.pool.query(USE, [NAMED, MOST_MODELS]);
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
