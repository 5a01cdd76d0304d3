import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** How an answer to a case was scored; null where it could not be. */
export type EvaluationScore = { score: number | null; satisfactory: boolean };

const scoreRow = z.object({
  name: z.string(),
  key: z.string(),
  score: z.number().nullable(),
  satisfactory: z.boolean(),
});

/** The scores that are kept under these keys of prompts' proofs, by prompt and key; without the answers. */
export async function findEvaluationScores(
  { pool }: Pick<Database, 'pool'>,
  asked: readonly { promptName: string; keys: readonly string[] }[],
): Promise<Map<string, Map<string, EvaluationScore>>> {
  const found = new Map(asked.map(({ promptName }) => [promptName, new Map<string, EvaluationScore>()]));
  const each = asked.flatMap(({ promptName, keys }) => keys.map((key) => ({ promptName, key })));
  if (each.length === 0) return found;
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT o.prompt_name AS name, o.key, o.score, o.satisfactory
     FROM unnest($1::text[], $2::text[]) AS asked(name, key) JOIN prompt_proofs o ON o.prompt_name = asked.name AND o.key = asked.key`,
    [each.map(({ promptName }) => promptName), each.map(({ key }) => key)],
  );
  for (const row of rows) {
    const { name, key, ...score } = scoreRow.parse(row);
    found.get(name)?.set(key, score);
  }
  return found;
}

/** Which of these prompts have any proof. */
export async function promptsWithEvaluations(
  { pool }: Pick<Database, 'pool'>,
  promptNames: readonly string[],
): Promise<Set<string>> {
  if (promptNames.length === 0) return new Set();
  const { rows } = await pool.query<{ name: string }>(
    'SELECT name FROM prompts p WHERE name = ANY ($1) AND EXISTS (SELECT 1 FROM prompt_proofs o WHERE o.prompt_name = p.name)',
    [promptNames],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Some versions of a prompt. */
export type AskedVersions = { name: string; versions: readonly number[] };

function pairsOf(asked: readonly AskedVersions[]): [names: string[], numbers: number[]] {
  const pairs = asked.flatMap(({ name, versions }) => versions.map((number) => ({ name, number })));
  return [pairs.map(({ name }) => name), pairs.map(({ number }) => number)];
}

const textRow = z.object({ name: z.string(), number: z.int(), text: z.string() });

/** The texts of some versions of prompts. */
export async function findVersionTexts(
  { pool }: Pick<Database, 'pool'>,
  asked: readonly AskedVersions[],
): Promise<{ name: string; number: number; text: string }[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT v.prompt_name AS name, v.number, v.text
     FROM unnest($1::text[], $2::int[]) AS asked(name, number) JOIN prompt_versions v ON v.prompt_name = asked.name AND v.number = asked.number`,
    pairsOf(asked),
  );
  return rows.map((row) => textRow.parse(row));
}

const runScoreRow = z.object({ name: z.string(), number: z.int(), scores: z.array(z.number()) });

/**
 * What tuning runs scored versions of prompts that they made on the cases that candidates are validated on (the training cases where
 * none were set apart). A text that was changed since by hand is not the run's any more, and has none.
 */
export async function findRunScores(
  { pool }: Pick<Database, 'pool'>,
  asked: readonly AskedVersions[],
): Promise<{ name: string; number: number; scores: number[] }[]> {
  const { rows } = await pool.query<Record<string, unknown>>(RUN_SCORES, pairsOf(asked));
  return rows.map((row) => runScoreRow.parse(row));
}

const RUN_SCORES = `
  WITH made AS (
    SELECT p.prompt_name, p.number, v.run_id, v.number AS version,
      CASE WHEN EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = v.run_id AND c.split = 'validation') THEN 'validation' ELSE 'train' END AS split
    FROM unnest($1::text[], $2::int[]) AS asked(name, number)
    JOIN prompt_versions p ON p.prompt_name = asked.name AND p.number = asked.number
    JOIN reflection_versions v ON v.run_id = p.run_id AND v.number = p.run_version AND v.output = p.text
  ), last AS (
    SELECT DISTINCT ON (m.prompt_name, m.number, t.position) m.prompt_name, m.number, t.score
    FROM made m JOIN run_cases c ON c.run_id = m.run_id AND c.split = m.split
    JOIN case_tries t ON t.run_id = m.run_id AND t.version = m.version AND t.position = c.position
    ORDER BY m.prompt_name, m.number, t.position, t.attempt DESC
  )
  SELECT prompt_name AS name, number, json_agg(score) AS scores FROM last WHERE score IS NOT NULL GROUP BY prompt_name, number`;
