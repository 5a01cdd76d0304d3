import type { Database } from '#lib/database/database.ts';
import { inLabelOrder, type PromptLabel } from './prompt-library.ts';
import { promptLabelRow } from './prompt-rows.ts';

/** Where the labels of a prompt stand: production first, then staging, then by name. Empty where there is no such prompt. */
export async function listLabels({ pool }: Pick<Database, 'pool'>, promptName: string): Promise<PromptLabel[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT label, version, moved_by AS "movedBy", moved_at AS "movedAt" FROM prompt_labels WHERE prompt_name = $1',
    [promptName],
  );
  return inLabelOrder(rows.map((row) => promptLabelRow.parse(row)));
}
