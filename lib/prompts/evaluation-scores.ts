import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import type { AnswerPair, ScoredAnswer } from './compare-answers.ts';
import { type PromptEvaluation, promptEvaluationSchema } from './evaluation-schema.ts';

type Reading = Pick<Database, 'prisma'>;

/** The scores that are kept under these keys of prompts' evaluations, by prompt and key; without the answers. */
export async function findEvaluationScores(
  { prisma }: Reading,
  asked: readonly { promptName: string; keys: readonly string[] }[],
): Promise<Map<string, Map<string, ScoredAnswer>>> {
  const found = new Map(asked.map(({ promptName }) => [promptName, new Map<string, ScoredAnswer>()]));
  const each = asked.flatMap(({ promptName, keys }) => keys.map((key) => ({ promptName, key })));
  if (each.length === 0) return found;
  const names = each.map(({ promptName }) => promptName);
  const keys = each.map(({ key }) => key);
  const rows = await prisma.$queryRaw<(ScoredAnswer & { name: string; key: string })[]>`
    SELECT o.prompt_name AS name, o.key, o.score, o.satisfactory
    FROM unnest(${names}::text[], ${keys}::text[]) AS asked(name, key)
    JOIN prompt_proofs o ON o.prompt_name = asked.name AND o.key = asked.key`;
  for (const { name, key, ...score } of rows) found.get(name)?.set(key, score);
  return found;
}

/** Which of these prompts have any evaluation. */
export async function promptsWithEvaluations({ prisma }: Reading, names: string[]): Promise<Set<string>> {
  const rows = await prisma.prompt.findMany({
    where: { name: { in: names }, proofs: { some: {} } },
    select: { name: true },
  });
  return new Set(rows.map(({ name }) => name));
}

/** Some versions of a prompt. */
type AskedVersions = { name: string; versions: readonly number[] };

/** The texts of some versions of prompts. */
export async function findVersionTexts(
  { prisma }: Reading,
  asked: readonly AskedVersions[],
): Promise<{ name: string; number: number; text: string }[]> {
  const rows = await prisma.promptVersion.findMany({
    where: { OR: asked.map(({ name, versions }) => ({ promptName: name, number: { in: [...versions] } })) },
    select: { promptName: true, number: true, text: true },
  });
  return rows.map(({ promptName, ...version }) => ({ name: promptName, ...version }));
}

/**
 * What tuning runs scored versions of prompts that they made on the cases that candidates are validated on (the training cases where
 * none were set apart). A text that was changed since by hand is not the run's any more, and has none.
 */
export async function findRunScores(
  { prisma }: Reading,
  asked: readonly AskedVersions[],
): Promise<{ name: string; number: number; scores: number[] }[]> {
  const pairs = asked.flatMap(({ name, versions }) => versions.map((number) => ({ name, number })));
  const names = pairs.map(({ name }) => name);
  const numbers = pairs.map(({ number }) => number);
  return prisma.$queryRaw`
    WITH made AS (
      SELECT p.prompt_name, p.number, v.run_id, v.number AS version,
        CASE WHEN EXISTS (SELECT 1 FROM run_cases c WHERE c.run_id = v.run_id AND c.split = 'validation') THEN 'validation' ELSE 'train' END AS split
      FROM unnest(${names}::text[], ${numbers}::int[]) AS asked(name, number)
      JOIN prompt_versions p ON p.prompt_name = asked.name AND p.number = asked.number
      JOIN reflection_versions v ON v.run_id = p.run_id AND v.number = p.run_version AND v.output = p.text
    ), last AS (
      SELECT DISTINCT ON (m.prompt_name, m.number, t.position) m.prompt_name, m.number, t.score
      FROM made m JOIN run_cases c ON c.run_id = m.run_id AND c.split = m.split
      JOIN case_tries t ON t.run_id = m.run_id AND t.version = m.version AND t.position = c.position
      ORDER BY m.prompt_name, m.number, t.position, t.attempt DESC
    )
    SELECT prompt_name AS name, number, json_agg(score) AS scores FROM last WHERE score IS NOT NULL GROUP BY prompt_name, number`;
}

/** The evaluations of a prompt that are kept under these keys, by key. */
export async function findPromptEvaluations(
  { prisma }: Reading,
  promptName: string,
  keys: readonly string[],
): Promise<Map<string, PromptEvaluation>> {
  const rows = await prisma.promptProof.findMany({ where: { promptName, key: { in: [...keys] } } });
  return new Map(
    rows.map(({ key, createdAt, ...proof }) => [
      key,
      promptEvaluationSchema.parse({ ...proof, createdAt: createdAt.toISOString() }),
    ]),
  );
}

/** Keeps an evaluation; the first that is scored stands under its key. A prompt that was deleted meanwhile keeps nothing. */
export async function insertPromptEvaluation(
  { prisma }: Reading,
  name: string,
  key: string,
  proof: PromptEvaluation,
): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO prompt_proofs AS kept (prompt_name, key, output, finish_reason, status, score, criteria_scores, satisfactory, feedback, detail,
      input_tokens, output_tokens, cost_usd, duration_ms, created_at)
    SELECT p.name, ${key}, r.output, r."finishReason", r.status, r.score, r."criteriaScores", r.satisfactory, r.feedback, r.detail,
      r."inputTokens", r."outputTokens", r."costUsd", r."durationMs", r."createdAt"
    FROM prompts p, json_to_record(${storableJson(proof)}::json) AS r(output text, "finishReason" text, status text, score float8,
      "criteriaScores" json, satisfactory bool, feedback text, detail text, "inputTokens" int, "outputTokens" int, "costUsd" float8,
      "durationMs" int, "createdAt" timestamptz)
    WHERE p.name = ${name}
    ON CONFLICT (prompt_name, key) DO UPDATE SET output = excluded.output, finish_reason = excluded.finish_reason, status = excluded.status,
      score = excluded.score, criteria_scores = excluded.criteria_scores, satisfactory = excluded.satisfactory, feedback = excluded.feedback,
      detail = excluded.detail, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, cost_usd = excluded.cost_usd,
      duration_ms = excluded.duration_ms, created_at = excluded.created_at
      WHERE kept.score IS NULL`;
}

type PairRow = { position: number; before: number; wasRight: boolean; after: number; isRight: boolean };

/** How two texts of a prompt did on the held-out cases of a tuning run that tried both, by the last try of each; empty where it did not. */
export async function heldOutPairs(
  { prisma }: Reading,
  { runId, before, after }: { runId: string; before: string; after: string },
): Promise<AnswerPair[]> {
  const rows = await prisma.$queryRaw<PairRow[]>`
    WITH last AS (
      SELECT DISTINCT ON (v.output, t.position) v.output, t.position, t.score, t.satisfactory
      FROM case_tries t
      JOIN run_cases c ON c.run_id = t.run_id AND c.position = t.position AND c.split = 'held_out'
      JOIN reflection_versions v ON v.run_id = t.run_id AND v.number = t.version AND v.output IN (${before}, ${after})
      WHERE t.run_id = ${runId}::uuid AND t.score IS NOT NULL
      ORDER BY v.output, t.position, t.version, t.attempt DESC)
    SELECT b.position, b.score AS before, b.satisfactory AS "wasRight", a.score AS after, a.satisfactory AS "isRight"
    FROM last b JOIN last a ON a.position = b.position AND b.output = ${before} AND a.output = ${after} ORDER BY b.position`;
  return rows.map(({ position, before, wasRight, after, isRight }) => ({
    case: String(position),
    before: { score: before, satisfactory: wasRight },
    after: { score: after, satisfactory: isRight },
  }));
}
