import type pg from 'pg';

/** Notes, in the caller's transaction, that the database came out of a backup. */
export const NOTE_RESTORED =
  "INSERT INTO facts (name, at) VALUES ('restored', now()) ON CONFLICT (name) DO UPDATE SET at = now()";

/** Whether the database came out of a backup and nobody has seen to it yet; who asks does. */
export async function takeRestoredFact(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM facts WHERE name = 'restored'");
  return rowCount === 1;
}
