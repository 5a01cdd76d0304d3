import { z } from 'zod';
import { storableJson } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import type { PromptEvaluation } from './prompt-evaluation.ts';

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
