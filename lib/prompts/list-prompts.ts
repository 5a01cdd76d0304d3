import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import { inLabelOrder, type PromptListItem, promptSetupSchema } from './prompt-library.ts';
import { countPromptUses } from './queries.ts';

const date = z.date().transform((value) => value.toISOString());
const listRow = z.object({
  name: z.string(),
  setup: promptSetupSchema,
  latestVersion: z.int(),
  labels: z.array(z.object({ label: z.string(), version: z.int() })),
  createdAt: date,
  updatedAt: date,
});

const LIST = `
  SELECT p.name, p.setup, p.latest_version AS "latestVersion", p.created_at AS "createdAt", p.updated_at AS "updatedAt",
    (SELECT coalesce(json_agg(json_build_object('label', l.label, 'version', l.version)), '[]') FROM prompt_labels l WHERE l.prompt_name = p.name) AS labels
  FROM prompts p
  WHERE ($1::text IS NULL OR strpos(lower(p.name), lower($1)) > 0)
    AND ($2::timestamptz IS NULL OR (p.updated_at <= $2 AND (p.updated_at < $2 OR p.name > $3)))
  ORDER BY p.updated_at DESC, p.name LIMIT $4`;

/**
 * One page of the prompts whose name holds `search` (null: all), last changed first, without their texts. `page.cursor` is the `nextCursor`
 * of the page before; what is no such cursor gives the first page.
 */
export async function listPrompts(
  database: Pick<Database, 'pool'>,
  { search }: { search: string | null },
  page: { cursor: string | null; limit: number },
): Promise<Page<PromptListItem>> {
  const after = readCursor(page.cursor);
  const values = [search, after?.at ?? null, after?.name ?? null, page.limit + 1];
  const { rows } = await database.pool.query<Record<string, unknown>>(LIST, values);
  const prompts = rows.map((row) => listRow.parse(row));
  const uses = await countPromptUses(
    database,
    prompts.map(({ name }) => name),
  );
  const items = prompts.map((prompt) => ({
    ...prompt,
    labels: inLabelOrder(prompt.labels),
    experiments: uses.get(prompt.name) ?? 0,
  }));
  return pageOf(items, page.limit, ({ updatedAt, name }) => `${Date.parse(updatedAt)}_${name}`);
}

/** A cursor over (time, name); null for what is no such cursor. */
function readCursor(cursor: string | null): { at: Date; name: string } | null {
  const [, at, name] = cursor?.match(/^(\d{1,15})_([\w./-]{1,100})$/) ?? [];
  return at === undefined || name === undefined ? null : { at: new Date(Number(at)), name };
}
