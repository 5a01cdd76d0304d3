import type { Queryable } from '#lib/database/database.ts';
import type { PromptVersionText } from './prompt-library.ts';
import { promptTextRow, VERSION_COLUMNS } from './prompt-rows.ts';

/** Which version of a prompt: a number, where a label stands, or the newest. */
export type PromptVersionBy = { version: number } | { label: string } | 'newest';

const READ = `SELECT ${VERSION_COLUMNS}, v.text FROM prompt_versions v LEFT JOIN runs r ON r.id = v.run_id WHERE v.prompt_name = $1`;

/** One version of a prompt with its text; null where there is no such prompt, version or label. */
export async function findPromptVersion(
  connection: Queryable,
  name: string,
  by: PromptVersionBy,
): Promise<PromptVersionText | null> {
  const { rows } = await read(connection, name, by);
  return rows[0] === undefined ? null : promptTextRow.parse(rows[0]);
}

function read(connection: Queryable, name: string, by: PromptVersionBy) {
  if (by === 'newest')
    return connection.query<Record<string, unknown>>(`${READ} ORDER BY v.number DESC LIMIT 1`, [name]);
  if ('version' in by)
    return connection.query<Record<string, unknown>>(`${READ} AND v.number = $2`, [name, by.version]);
  const standing = 'SELECT version FROM prompt_labels WHERE prompt_name = $1 AND label = $2';
  return connection.query<Record<string, unknown>>(`${READ} AND v.number = (${standing})`, [name, by.label]);
}
