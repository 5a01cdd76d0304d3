import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Refusal, type Result, succeed } from '#lib/core/problem.ts';
import { promptOptionsShape } from '#lib/core/prompt-options.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findDefaultModels } from '#lib/models/default-models.ts';
import { readPromptSetup } from './prompt-setup.ts';
import { lockPrompt, promptNotFound } from './queries.ts';
import { insertPromptVersions, type NewPromptVersion, refuseOptions } from './save-prompt-version.ts';
import {
  newPromptSetupSchema,
  type PromptSetup,
  promptNameSchema,
  promptVersionTextSchema,
  versionMessageSchema,
} from './schema.ts';

/** Input of a new prompt. Its setup may be completed later. */
export const promptInputSchema = z.strictObject({
  name: promptNameSchema,
  text: promptVersionTextSchema,
  ...promptOptionsShape,
  message: versionMessageSchema.default('First version'),
  setup: newPromptSetupSchema
    .prefault({})
    .meta({ description: 'Without models, the default models answer and judge.' }),
});

/** Creates a prompt with its first version, number 1. Returns a conflict if the name is taken. */
export async function createPrompt(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ name: string; version: number }>> {
  const parsed = parseInput(promptInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, text, tools, responseSchema, message } = parsed.value;
  const body = { text, tools, responseSchema };
  const unusable = await refuseOptions(body);
  if (unusable !== null) return unusable;
  const setup = await readPromptSetup(context, await withDefaultsOf(context, parsed.value.setup));
  if (!setup.ok) return inSetup(setup.problem);
  const now = context.now();
  return inTransaction(context.database, async (transaction) => {
    const version = { number: 1, body, message, parent: null, run: null, createdBy: actor.name, now };
    const conflict = await insertPrompt(transaction, { name, setup: setup.value, now }, [version]);
    if (conflict !== null) return conflict;
    await recordChange(transaction, actor, { act: 'created', subject: { kind: 'prompt', name } });
    return succeed({ name, version: 1 });
  });
}

/** Stores a prompt with its versions. Returns a conflict if the name is taken. */
export async function insertPrompt(
  transaction: Transaction,
  { name, setup, now }: { name: string; setup: PromptSetup; now: Date },
  versions: readonly NewPromptVersion[],
): Promise<Refusal | null> {
  const prompt = { name, setup: cleanJson(setup), latestVersion: 0, createdAt: now, updatedAt: now };
  const { count } = await transaction.prompt.createMany({ data: [prompt], skipDuplicates: true });
  if (count === 0) {
    const message = `There is a prompt named "${name}" already. Choose another name, or save a version of it.`;
    return fail('conflict', message, 'name');
  }
  await insertPromptVersions(transaction, name, versions);
  return null;
}

/** Adds the default models. If models are given, no default judge is added: they may be the free practice model. */
export async function withDefaultsOf<Setup extends Partial<Pick<PromptSetup, 'models' | 'evaluatorModel'>>>(
  context: AppContext,
  setup: Setup,
) {
  if (setup.models !== undefined) return setup;
  const { generator, judge } = await findDefaultModels(context);
  return { evaluatorModel: judge, ...setup, models: [generator] };
}

function inSetup({
  code,
  message,
  field,
}: {
  code: Parameters<typeof fail>[0];
  message: string;
  field: string | null;
}) {
  return field === null ? fail(code, message) : fail(code, `setup.${message}`, `setup.${field}`);
}

/** Number of deleted records of each kind. `reusePaidResponses` counts saved responses that would have to be paid for again. */
type DeletedPrompt = Record<'prompts' | 'versions' | 'labels' | 'moves' | 'drafts' | 'proofs' | 'paidReplies', number>;

/** Deletes a prompt with all its data and returns the counts. Experiments and runs that tuned it keep its text. */
export async function deletePrompt(
  { database }: AppContext,
  actor: Actor,
  name: string,
): Promise<Result<{ deleted: DeletedPrompt }>> {
  return inTransaction(database, async (transaction): Promise<Result<{ deleted: DeletedPrompt }>> => {
    if ((await lockPrompt(transaction, name)) === null) return promptNotFound(name);
    const counted = { versions: true, labels: true, labelMoves: true, drafts: true, proofs: true, paidReplies: true };
    const { _count: counts } = await transaction.prompt.findUniqueOrThrow({
      where: { name },
      select: { _count: { select: counted } },
    });
    const { labelMoves: moves, ...others } = counts;
    await transaction.prompt.delete({ where: { name }, select: { name: true } });
    await recordChange(transaction, actor, { act: 'deleted', subject: { kind: 'prompt', name } });
    return succeed({ deleted: { prompts: 1, ...others, moves } });
  });
}
