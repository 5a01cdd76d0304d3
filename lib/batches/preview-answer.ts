import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import type { ModelOutcome } from '#lib/core/model-request.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import { fail, notStored, problemWithin, type Result, succeed } from '#lib/core/problem.ts';
import { generatePrompt } from '#lib/core/prompts/generate-prompt.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import { callSettings, type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { readOutput, targetPrompt } from '#lib/core/targets/target-request.ts';
import { caseInputSchema, inputSchema, readInput } from '#lib/datasets/case-input.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { withModels } from '#lib/model-calls/stored-models.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';

const spentShape = {
  durationMs: z.int().min(0),
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  costUsd: z.number().nullable().meta({ description: 'Null if the price of the model is not known.' }),
};

/** Events of a streamed preview: the case, each piece of text, and the result. */
export const previewEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), input: z.string().meta({ description: 'The first 300 characters.' }) }),
  z.object({ type: z.literal('text'), piece: z.string() }),
  z.object({ type: z.literal('end'), text: z.string(), finishReason: z.string(), ...spentShape }),
  z.object({ type: z.literal('failed'), message: z.string(), remedy: z.string(), ...spentShape }),
]);
export type PreviewEvent = z.infer<typeof previewEventSchema>;

const { reference, metadata } = caseInputSchema.shape;

/** Input for a preview: a prompt, a model, and one case, entered or the first of a dataset. */
export const previewInputSchema = z.strictObject({
  experiment: z
    .strictObject(settingsSchema.shape)
    .pick({ taskType: true, generator: true, temperatures: true, modelSettings: true, prompts: true }),
  start: z
    .strictObject({
      input: inputSchema.optional(),
      reference,
      metadata,
      datasetId: z.uuid({ error: 'must be the id of a dataset' }).optional(),
    })
    .refine((start) => (start.input === undefined) !== (start.datasetId === undefined), {
      error: 'Send either input or datasetId.',
    }),
});

type Preview = { settings: ExperimentSettings; case: Case };

/** Validates the input of a preview. Errors name the field as in the request: `experiment.generator.provider`, `start.input`. */
export async function planPreview(context: AppContext, sent: unknown): Promise<Result<Preview>> {
  const parsed = parseInput(previewInputSchema, sent);
  if (!parsed.ok) return parsed;
  const { experiment, start } = parsed.value;
  const read = await readSettings(context, { ...experiment, name: 'Preview', mode: 'revise', criteria: ANY });
  if (!read.ok) return { ok: false, problem: problemWithin('experiment', read.problem) };
  const task = await caseOf(context, start);
  return task.ok ? succeed({ settings: read.value.settings, case: task.value }) : task;
}

/** Placeholder, because settings require a criterion. Nothing is scored. */
const ANY = [{ name: 'any', evaluator: 'llm' }];

async function caseOf(
  { database }: AppContext,
  { datasetId = '', ...typed }: z.infer<typeof previewInputSchema>['start'],
): Promise<Result<Case>> {
  if (typed.input !== undefined) return succeed({ ...typed, ...readInput(typed.input), tags: [] });
  const dataset = await findDataset(database, datasetId, 1);
  const first = dataset?.cases[0];
  if (first !== undefined) return succeed(first);
  return dataset === null
    ? notStored('dataset', datasetId, 'start.datasetId')
    : fail('invalid', 'This dataset has no cases.', 'start.datasetId');
}

type Options = { signal: AbortSignal; emit: (event: PreviewEvent) => void; call?: ModelCaller };

/** Generates a first draft for one case and streams it. Stores only its cost. */
export async function previewAnswer(
  context: AppContext,
  { settings, case: task }: Preview,
  { signal, emit, call }: Options,
): Promise<void> {
  emit({ type: 'begin', input: task.input.slice(0, 300) });
  const request = {
    role: 'generate' as const,
    ordinal: 0,
    model: modelFor(settings, 'generate'),
    ...promptOf(settings, task),
    ...callSettings(settings, 'generate'),
    output: null,
  };
  const options = { signal, onText: (piece: string) => emit({ type: 'text', piece }) };
  const outcome = await (call === undefined
    ? withModels(context, { experimentId: null, purpose: 'playground' }, (ask) => ask(request, options))
    : call(request, options));
  emit(eventOf(settings, outcome));
}

function promptOf(settings: Preview['settings'], task: Case): Prompt {
  const { target } = settings.generator;
  if (target === null) return generatePrompt(settings, task, []);
  return targetPrompt(target, task, { purpose: 'attempt', version: 0, feedback: null, lessons: [] });
}

function eventOf(settings: Preview['settings'], outcome: ModelOutcome): PreviewEvent {
  const { tokenUsage, costUsd, latencyMs } = outcome.ok ? outcome.reply : outcome.failure;
  const { input: inputTokens, output: outputTokens } = tokenUsage;
  const spent = { durationMs: Math.round(latencyMs), inputTokens, outputTokens, costUsd };
  if (!outcome.ok) {
    const { message, remedy } = outcome.failure;
    return { type: 'failed', message, remedy, ...spent };
  }
  const { text, finishReason } = outcome.reply;
  return { type: 'end', text: withoutThinking(readOutput(settings, text).output), finishReason, ...spent };
}
