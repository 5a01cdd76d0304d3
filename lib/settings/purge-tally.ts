import type pg from 'pg';
import { z } from 'zod';
import { AUDIT_VIAS } from '#lib/audit/audit-entry.ts';
import { TOKEN_SCOPES } from '#lib/auth/api-token.ts';
import { ROLES } from '#lib/auth/role.ts';
import { cleanText, storableJson } from '#lib/database/clean-text.ts';
import { NOTHING_PURGED, type Purged, purgedSchema } from './retention.ts';

const KEY = 'purge_under_way';

/** Who has it purged, as the audit log will say. */
const purgerSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES).nullable(),
  via: z.enum(AUDIT_VIAS).optional(),
  scopes: z.array(z.enum(TOKEN_SCOPES)).readonly().optional(),
  entry: z.string().optional(),
  address: z.string().optional(),
});
export type Purger = z.infer<typeof purgerSchema>;

/** What was purged and does not stand in the audit log yet. */
const tallySchema = z.object({ actor: purgerSchema, purged: purgedSchema });
export type PurgeTally = z.infer<typeof tallySchema>;

/** Counts rows that are purged in the same transaction, so that a kill cannot lose what was removed. One purge is under way at a time. */
export async function addToPurgeTally(
  client: pg.PoolClient,
  actor: Purger,
  { kind, rows, now }: { kind: keyof Purged; rows: number; now: Date },
): Promise<void> {
  const first: PurgeTally = { actor: purgerSchema.parse(actor), purged: { ...NOTHING_PURGED, [kind]: rows } };
  await client.query(
    `INSERT INTO installation_settings AS t (key, value, updated_by, updated_at) VALUES ($1, $2::jsonb, $3, $4)
     ON CONFLICT (key) DO UPDATE
     SET value = jsonb_set(t.value, ARRAY['purged', $5::text], to_jsonb((t.value->'purged'->>$5)::int + $6::int)), updated_at = $4`,
    [KEY, storableJson(first), cleanText(actor.name), now, kind, rows],
  );
}

/** Takes the count away, for the transaction that writes it into the audit log; null where nothing was counted. */
export async function takePurgeTally(client: pg.PoolClient): Promise<PurgeTally | null> {
  const { rows } = await client.query<{ value: unknown }>(
    'DELETE FROM installation_settings WHERE key = $1 RETURNING value',
    [KEY],
  );
  return rows[0] === undefined ? null : tallySchema.parse(rows[0].value);
}
