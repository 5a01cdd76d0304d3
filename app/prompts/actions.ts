'use server';

import { z } from 'zod';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { evaluateLabel, rollBackPromptLabel } from '#lib/prompts/move-prompt-label.ts';
import { claimPlaygroundRuns } from '#lib/prompts/playground-runs.ts';
import { createPrompt } from '#lib/prompts/prompt-library.ts';
import { savePromptVersion } from '#lib/prompts/save-prompt-version.ts';
import { type LabelEvaluation, promptVersionNumberSchema } from '#lib/prompts/schema.ts';

const runIdsSchema = z.array(z.guid()).max(100).catch([]);

/** Saves a prompt with its first version. Assigns earlier playground runs of the draft to it. */
export const createPromptAction = defineAction(
  'createPromptAction',
  { role: 'editor', audit: 'created' },
  async (actor, input: unknown, runIds: unknown): Promise<Result<{ name: string; version: number }>> => {
    const context = await getAppContext();
    const created = await createPrompt(context, actor, input);
    if (created.ok) await claimPlaygroundRuns(context, actor, created.value.name, runIdsSchema.parse(runIds));
    return created;
  },
);

export const rollBackPromptLabelAction = defineAction(
  'rollBackPromptLabelAction',
  { role: 'editor', named: 'prompt', audit: 'labelled' },
  async (actor, name: string, label: string, input: unknown) =>
    rollBackPromptLabel(await getAppContext(), actor, name, label, input),
);

const comparedSchema = z.strictObject({ version: promptVersionNumberSchema, against: promptVersionNumberSchema });

/** Compares two versions of a prompt on the held-out cases. Stores nothing. */
export const evaluatePromptLabelAction = defineAction(
  'evaluatePromptLabelAction',
  { role: 'editor', named: 'prompt', limit: 'start', audit: { none: 'only reads what was tried so far' } },
  async (_actor, name: string, versions: unknown): Promise<Result<LabelEvaluation>> => {
    const compared = comparedSchema.safeParse(versions);
    if (!compared.success) return fail('invalid', 'Choose two versions to compare.');
    const evaluation = await evaluateLabel(await getAppContext(), name, compared.data);
    return evaluation === null
      ? fail('not_found', `There are no such versions of the prompt "${name}".`)
      : succeed(evaluation);
  },
);

/** Saves the current user's draft as a new version and deletes the draft. */
export const saveDraftAction = defineAction(
  'saveDraftAction',
  { role: 'editor', named: 'prompt', audit: 'changed' },
  async (actor, promptName: string, input: unknown) =>
    savePromptVersion(await getAppContext(), actor, promptName, input, { dropDraft: true }),
);
