import { z } from 'zod';
import type { Database } from './database.ts';

/** How an answer to a case was scored; null where it could not be. */
export type ProofScore = { score: number | null; satisfactory: boolean };

const scoreRow = z.object({ key: z.string(), score: z.number().nullable(), satisfactory: z.boolean() });

/** The scores that are kept under these keys of a prompt's proofs, by key; without the answers. */
export async function findProofScores(
  { pool }: Pick<Database, 'pool'>,
  promptName: string,
  keys: readonly string[],
): Promise<Map<string, ProofScore>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT key, score, satisfactory FROM prompt_proofs WHERE prompt_name = $1 AND key = ANY ($2)',
    [promptName, keys],
  );
  return new Map(
    rows.map((row) => {
      const { key, ...score } = scoreRow.parse(row);
      return [key, score];
    }),
  );
}

/** Which of these prompts have any proof. */
export async function promptsWithProofs(
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

const textRow = z.object({ number: z.int(), text: z.string() });

/** The texts of some versions of a prompt, by number. */
export async function findVersionTexts(
  { pool }: Pick<Database, 'pool'>,
  promptName: string,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT number, text FROM prompt_versions WHERE prompt_name = $1 AND number = ANY ($2)',
    [promptName, numbers],
  );
  return new Map(rows.map((row) => textRow.parse(row)).map(({ number, text }) => [number, text]));
}

const runScoreRow = z.object({ number: z.int(), scores: z.array(z.number()) });

/**
 * What tuning runs scored versions of a prompt that they made on the cases that candidates are validated on (the training cases where
 * none were set apart), by the version's number. A text that was changed since by hand is not the run's any more, and has none.
 */
export async function findRunScores(
  { pool }: Pick<Database, 'pool'>,
  promptName: string,
  numbers: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await pool.query<Record<string, unknown>>(RUN_SCORES, [promptName, numbers]);
  return new Map(rows.map((row) => runScoreRow.parse(row)).map(({ number, scores }) => [number, scores]));
}

const RUN_SCORES = `
  WITH made AS (
    SELECT p.number, v.run_id, v.number AS version,
      CASE WHEN EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = v.run_id AND c.split = 'validation') THEN 'validation' ELSE 'train' END AS split
    FROM prompt_versions p JOIN reflection_versions v ON v.run_id = p.run_id AND v.number = p.run_version AND v.output = p.text
    WHERE p.prompt_name = $1 AND p.number = ANY ($2)
  ), last AS (
    SELECT DISTINCT ON (m.number, t.position) m.number, t.score
    FROM made m JOIN run_cases c ON c.run_id = m.run_id AND c.split = m.split
    JOIN case_tries t ON t.run_id = m.run_id AND t.version = m.version AND t.position = c.position
    ORDER BY m.number, t.position, t.attempt DESC
  )
  SELECT number, json_agg(score) AS scores FROM last WHERE score IS NOT NULL GROUP BY number`;
