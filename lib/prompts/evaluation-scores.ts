import { hash } from 'node:crypto';
import type { Case } from '#lib/core/case.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import type { ModelOutcome } from '#lib/providers/call/model-caller.ts';
import type { ScoredAnswer } from './compare-answers.ts';
import { type EvaluationEvent, type PromptEvaluation, promptEvaluationSchema } from './evaluation-schema.ts';
import { hasOptions, optionsKey, type PromptBody } from './prompt.ts';
import { lockPrompt, optionsOf, type RequestedVersions } from './queries.ts';
import type { PromptSetup } from './schema.ts';

/** Returns the SHA-256 of everything that determines an evaluation: prompt, case, model and scoring. */
export function evaluationKey(body: PromptBody, task: Case, model: ModelReference, setup: PromptSetup): string {
  return evaluationKeysOf(body, model, setup)(task);
}

/** Like `evaluationKey`, but for many cases of one prompt. */
export function evaluationKeysOf(body: PromptBody, model: ModelReference, setup: PromptSetup): (task: Case) => string {
  const { instructions, temperature, evaluatorTemperature, criteria, evaluatorModel, qualityThreshold } = setup;
  const { generate, evaluate } = setup.modelSettings;
  const deciding = [
    body.text,
    [model.provider, model.model],
    [instructions, temperature, criteria, evaluatorModel, qualityThreshold],
    // Omitted if unset, so that keys from before this setting stay valid.
    ...(evaluatorTemperature === null ? [] : [evaluatorTemperature]),
    ...(generate === null && evaluate === null ? [] : [{ generate, evaluate }]),
    ...(hasOptions(body) ? [optionsKey(body)] : []),
  ];
  const ofText = hash('sha256', JSON.stringify(deciding));
  return (task) => hash('sha256', `${ofText} ${hashOfCase(task)}`);
}

/** A case's hash is needed for each prompt and version evaluated on it. */
const hashes = new WeakMap<Case, string>();

function hashOfCase(task: Case): string {
  const known = hashes.get(task);
  if (known !== undefined) return known;
  const { input, messages, reference, tags, metadata, criteria } = task;
  const deciding = [
    input,
    reference,
    tags,
    metadata,
    ...(criteria ? [criteria] : []),
    ...(messages ? [{ messages }] : []),
  ];
  const made = hash('sha256', JSON.stringify(deciding));
  hashes.set(task, made);
  return made;
}

type Sum = Pick<
  Extract<EvaluationEvent, { type: 'end' }>,
  'calls' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'unpriced'
>;

/** Counts calls made, including failed ones, and their cost. */
export function evaluationSpend(): { add: (outcome: ModelOutcome) => ModelOutcome; sum: () => Sum } {
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: false };
  return {
    add: (outcome) => {
      const { attempts, tokenUsage, costUsd } = outcome.ok ? outcome.reply : outcome.failure;
      if (attempts > 0) sum.calls += 1;
      sum.inputTokens += tokenUsage.input;
      sum.outputTokens += tokenUsage.output;
      sum.costUsd += costUsd ?? 0;
      sum.unpriced ||= costUsd === null;
      return outcome;
    },
    sum: () => ({ ...sum }),
  };
}

/** Returns the saved scores for these evaluation keys, by prompt and key, without the responses. */
export async function findEvaluationScores(
  { prisma }: DatabaseClient,
  requested: readonly { promptName: string; keys: readonly string[] }[],
): Promise<Map<string, Map<string, ScoredAnswer>>> {
  const found = new Map(requested.map(({ promptName }) => [promptName, new Map<string, ScoredAnswer>()]));
  const rows = await prisma.promptProof.findMany({
    where: { OR: requested.map(({ promptName, keys }) => ({ promptName, key: { in: [...keys] } })) },
    select: { promptName: true, key: true, score: true, satisfactory: true },
  });
  for (const { promptName, key, ...score } of rows) found.get(promptName)?.set(key, score);
  return found;
}

/** Returns those of the given prompts that have evaluations. */
export async function promptsWithEvaluations({ prisma }: DatabaseClient, names: string[]): Promise<Set<string>> {
  const rows = await prisma.prompt.findMany({
    where: { name: { in: names }, proofs: { some: {} } },
    select: { name: true },
  });
  return new Set(rows.map(({ name }) => name));
}

/** Returns some versions of prompts, with their text and options. */
export async function findVersionTexts(
  { prisma }: DatabaseClient,
  requested: readonly RequestedVersions[],
): Promise<({ name: string; number: number } & PromptBody)[]> {
  const rows = await prisma.promptVersion.findMany({
    where: { OR: requested.map(({ name, versions }) => ({ promptName: name, number: { in: [...versions] } })) },
    select: { promptName: true, number: true, text: true, tools: true, responseSchema: true },
  });
  return rows.map(({ promptName, ...version }) => ({ name: promptName, ...version, ...optionsOf(version) }));
}

/** Returns the saved evaluations of a prompt for these keys, by key. */
export async function findPromptEvaluations(
  { prisma }: DatabaseClient,
  promptName: string,
  keys: readonly string[],
): Promise<Map<string, PromptEvaluation>> {
  const rows = await prisma.promptProof.findMany({ where: { promptName, key: { in: [...keys] } } });
  return new Map(
    rows.map(({ key, createdAt, ...evaluation }) => [
      key,
      promptEvaluationSchema.parse({ ...evaluation, createdAt: createdAt.toISOString() }),
    ]),
  );
}

/** Saves an evaluation. The first scored evaluation of a key is kept. Does nothing if the prompt was deleted meanwhile. */
export function insertPromptEvaluation(
  database: DatabaseClient,
  promptName: string,
  key: string,
  evaluation: PromptEvaluation,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    if ((await lockPrompt(transaction, promptName)) === null) return;
    const where = { promptName_key: { promptName, key } };
    const stored = await transaction.promptProof.findUnique({ where, select: { score: true } });
    if (stored !== null && stored.score !== null) return;
    const columns = cleanJson(evaluation);
    await transaction.promptProof.upsert({ where, create: { promptName, key, ...columns }, update: columns });
  });
}
