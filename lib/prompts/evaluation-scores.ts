import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import type { AnswerPair } from './compare-answers.ts';
import type { PromptEvaluation } from './evaluation-schema.ts';

/** How an answer to a case was scored; null where it could not be. */
type EvaluationScore = { score: number | null; satisfactory: boolean };

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
type AskedVersions = { name: string; versions: readonly number[] };

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

const FIND = `SELECT key, output, finish_reason AS "finishReason", status, score, criteria_scores AS "criteriaScores", satisfactory, feedback, detail,
  input_tokens AS "inputTokens", output_tokens AS "outputTokens", cost_usd AS "costUsd", duration_ms AS "durationMs", created_at AS "createdAt"
  FROM prompt_proofs WHERE prompt_name = $1 AND key = ANY($2)`;

const proofRow = z.object({
  key: z.string(),
  output: z.string(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']),
  score: z.number().nullable(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  satisfactory: z.boolean(),
  feedback: z.string(),
  detail: z.string(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  durationMs: z.int(),
  createdAt: z.date().transform((value) => value.toISOString()),
});

/** The proofs of a prompt that are kept under these keys, by key. */
export async function findPromptEvaluations(
  { pool }: Pick<Database, 'pool'>,
  name: string,
  keys: readonly string[],
): Promise<Map<string, PromptEvaluation>> {
  if (keys.length === 0) return new Map();
  const { rows } = await pool.query<Record<string, unknown>>(FIND, [name, keys]);
  return new Map(
    rows.map((row) => {
      const { key, ...proof } = proofRow.parse(row);
      return [key, proof];
    }),
  );
}

const INSERT = `
  INSERT INTO prompt_proofs (prompt_name, key, output, finish_reason, status, score, criteria_scores, satisfactory, feedback, detail,
    input_tokens, output_tokens, cost_usd, duration_ms, created_at)
  SELECT p.name, $2, r.output, r."finishReason", r.status, r.score, r."criteriaScores", r.satisfactory, r.feedback, r.detail,
    r."inputTokens", r."outputTokens", r."costUsd", r."durationMs", r."createdAt"
  FROM prompts p, json_to_record($3::json) AS r(output text, "finishReason" text, status text, score float8, "criteriaScores" json, satisfactory bool,
    feedback text, detail text, "inputTokens" int, "outputTokens" int, "costUsd" float8, "durationMs" int, "createdAt" timestamptz)
  WHERE p.name = $1
  ON CONFLICT (prompt_name, key) DO UPDATE SET output = excluded.output, finish_reason = excluded.finish_reason, status = excluded.status,
    score = excluded.score, criteria_scores = excluded.criteria_scores, satisfactory = excluded.satisfactory, feedback = excluded.feedback,
    detail = excluded.detail, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd,
    duration_ms = excluded.duration_ms, created_at = excluded.created_at
    WHERE prompt_proofs.score IS NULL`;

/** Keeps a proof; the first that is scored stands under its key. A prompt that was deleted meanwhile keeps nothing. */
export async function insertPromptEvaluation(
  { pool }: Pick<Database, 'pool'>,
  name: string,
  key: string,
  proof: PromptEvaluation,
): Promise<void> {
  await pool.query({ name: 'insert-prompt-proof', text: INSERT, values: [name, key, storableJson(proof)] });
}

/** The last try of each held-out case by each version of the run. */
const LAST = `SELECT DISTINCT ON (v.output, t.position) v.output, t.position, t.score, t.satisfactory
  FROM case_tries t
  JOIN run_cases c ON c.run_id = t.run_id AND c.position = t.position AND c.split = 'held_out'
  JOIN reflection_versions v ON v.run_id = t.run_id AND v.number = t.version AND v.output IN ($2, $3)
  WHERE t.run_id = $1 AND t.score IS NOT NULL
  ORDER BY v.output, t.position, t.version, t.attempt DESC`;
const PAIRS = `WITH last AS (${LAST})
  SELECT b.position, b.score AS before, b.satisfactory AS "wasRight", a.score AS after, a.satisfactory AS "isRight"
  FROM last b JOIN last a ON a.position = b.position AND b.output = $2 AND a.output = $3 ORDER BY b.position`;

const pairRow = z
  .object({ position: z.int(), before: z.number(), wasRight: z.boolean(), after: z.number(), isRight: z.boolean() })
  .transform(
    ({ position, before, wasRight, after, isRight }): AnswerPair => ({
      case: String(position),
      before: { score: before, satisfactory: wasRight },
      after: { score: after, satisfactory: isRight },
    }),
  );

/** How two texts of a prompt did on the held-out cases of a tuning run that tried both; empty where it did not. */
export async function heldOutPairs(
  { pool }: Pick<Database, 'pool'>,
  { runId, before, after }: { runId: string; before: string; after: string },
): Promise<AnswerPair[]> {
  const { rows } = await pool.query<Record<string, unknown>>(PAIRS, [runId, before, after]);
  return rows.map((row) => pairRow.parse(row));
}
