import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema, page } from '#lib/http/fields.ts';
import { nameOf, pagedByTimeAndName, queryText, searchText, word } from '#lib/http/parameters.ts';
import { lineStream } from '#lib/http/streams.ts';
import { timeInput } from '#lib/input/parse-input.ts';
import { DSPY_MODULES, writeDspyProgram } from '#lib/prompts/dspy-export.ts';
import { evaluatePrompt } from '#lib/prompts/evaluate-prompt.ts';
import { type EvaluationEvent, evaluationEventSchema } from '#lib/prompts/evaluation-schema.ts';
import { labelMoveSchema, movePromptLabel, removePromptLabel } from '#lib/prompts/move-prompt-label.ts';
import { evaluationInputSchema, planEvaluation } from '#lib/prompts/plan-evaluation.ts';
import { type PlaygroundEvent, playgroundEventSchema, playgroundInputSchema } from '#lib/prompts/playground-schema.ts';
import {
  importTunedFile,
  tunedFileImportSchema,
  tunedFileInputSchema,
} from '#lib/prompts/prompt-files/import-prompt-file.ts';
import { createPrompt, deletePrompt, promptInputSchema } from '#lib/prompts/prompt-library.ts';
import { promptChangeSchema, updatePromptSetup } from '#lib/prompts/prompt-setup.ts';
import { findPrompt, getPromptText, listPrompts, promptNotFound } from '#lib/prompts/queries.ts';
import { planPlayground, runPlayground } from '#lib/prompts/run-playground.ts';
import {
  deletePromptDraftOf,
  promptDraftInputSchema,
  promptVersionInputSchema,
  savePromptDraft,
  savePromptVersion,
} from '#lib/prompts/save-prompt-version.ts';
import {
  keptDraftSchema,
  movedLabelSchema,
  promptDetailSchema,
  promptListItemSchema,
  promptTextSchema,
} from '#lib/prompts/schema.ts';

const deleteDraftQuery = z.strictObject({
  since: timeInput('must be the time at which the draft was last saved').meta({
    description: 'When the draft was last saved. A draft that was changed since is kept.',
  }),
});

const leftDraftSchema = component('LeftDraft', z.object({ left: z.boolean() }));

const promptsQuery = z.strictObject({
  ...pagedByTimeAndName,
  search: searchText.optional().meta({ description: 'A part of the name.' }),
});

export const promptsSchema = component('Prompts', page(component('PromptListItem', promptListItemSchema)));

export const savedPromptSchema = component('SavedPrompt', z.object({ name: z.string(), version: z.int().min(1) }));

const VERSION = 'must be the number of a version, from 1';

const promptTextQuery = z.strictObject({
  label: queryText.transform(cleanText).optional().meta({
    description: 'The version that has this label, such as production. Without label and version: the newest.',
  }),
  version: queryText
    .regex(/^[1-9]\d{0,6}$/, { error: VERSION })
    .meta({ type: 'integer', minimum: 1 })
    .transform(Number)
    .optional(),
});

const dspyProgramQuery = promptTextQuery.extend({
  module: choiceOf(DSPY_MODULES)
    .default('predict')
    .meta({ description: 'The module that loads the program: dspy.Predict or dspy.ChainOfThought.' }),
});

const dspyProgramSchema = component(
  'DspyProgram',
  z.record(z.string(), z.unknown()).meta({ description: 'Save it as a file and call `program.load(path)`.' }),
);

export const changedPromptSchema = component('ChangedPrompt', promptDetailSchema.pick({ name: true, setup: true }));

export const promptRoutes = {
  /** Streams the results of prompt texts on cases. A disconnecting client cancels the evaluation. */
  evaluatePrompt: defineRoute('POST /api/v1/prompts/{name}/proofs', {
    summary: 'Run texts of a prompt on cases and score the answers, one event per line',
    role: 'editor',
    limit: 'start',
    audit: { none: 'stores the answers with the prompt; the calls count as spending' },
    params: { name: nameOf('prompt') },
    body: component('ProofInput', evaluationInputSchema),
    response: { types: ['application/x-ndjson'], line: component('ProofEvent', evaluationEventSchema) },
    handle: async ({ context, request, params, body, watchAccess }) => {
      const plan = await planEvaluation(context, params.name, body);
      if (!plan.ok) return plan;
      // A stream without a final `end` event failed. Results stored before that are kept.
      return lineStream<EvaluationEvent>((options) => evaluatePrompt(context, plan.value, options), {
        request,
        watchAccess,
      });
    },
  }),
  /** A disconnecting client cancels the model calls. Completed answers are kept. */
  runPlayground: defineRoute('POST /api/v1/playground', {
    summary: 'Run a saved or unsaved prompt on the cases in the request, one event per line. Only you see the result',
    role: 'editor',
    limit: 'start',
    audit: { none: 'one’s own unfinished text; the calls are in the spend' },
    body: component('PlaygroundInput', playgroundInputSchema),
    response: { types: ['application/x-ndjson'], line: component('PlaygroundEvent', playgroundEventSchema) },
    handle: async ({ context, request, actor, body, watchAccess }) => {
      const plan = await planPlayground(context, body);
      if (!plan.ok) return plan;
      return lineStream<PlaygroundEvent>((options) => runPlayground(context, actor, plan.value, options), {
        request,
        watchAccess,
      });
    },
  }),
  /** Stores the caller's draft until it is saved as a version. */
  savePromptDraft: defineRoute('PUT /api/v1/prompts/{name}/draft', {
    summary: 'Save your draft. Refused if it was changed elsewhere since',
    role: 'editor',
    audit: { none: 'one’s own unfinished text' },
    params: { name: nameOf('prompt') },
    body: component('PromptDraftInput', promptDraftInputSchema),
    response: component('KeptDraft', keptDraftSchema),
    handle: async ({ context, actor, params, body }) => savePromptDraft(context, actor, params.name, body),
  }),
  /** Discards the caller's draft. `since` identifies the state to discard. */
  discardPromptDraft: defineRoute('DELETE /api/v1/prompts/{name}/draft', {
    summary: 'Discard your draft',
    role: 'editor',
    audit: { none: 'one’s own unfinished text' },
    params: { name: nameOf('prompt') },
    query: deleteDraftQuery,
    response: leftDraftSchema,
    handle: async ({ context, actor, params, query }) => deletePromptDraftOf(context, actor, params.name, query.since),
  }),
  listPrompts: defineRoute('GET /api/v1/prompts', {
    summary: 'List prompts, last changed first',
    role: 'viewer',
    query: promptsQuery,
    response: promptsSchema,
    handle: async ({ context: { database }, query }) => {
      const { cursor = null, limit, search = null } = query;
      return succeed(await listPrompts(database, { search }, { cursor, limit }));
    },
  }),
  createPrompt: defineRoute('POST /api/v1/prompts', {
    summary: 'Create a prompt with its first version. 409 if the name is taken',
    role: 'editor',
    audit: 'created',
    body: component('PromptInput', promptInputSchema),
    status: 201,
    response: savedPromptSchema,
    handle: async ({ context, actor, body }) => createPrompt(context, actor, body),
  }),
  importTunedFile: defineRoute('POST /api/v1/prompt-imports', {
    summary: 'Create a prompt from the file of another tool. 409 if the name is taken',
    role: 'editor',
    limit: 'import',
    audit: 'imported',
    body: component('TunedFileInput', tunedFileInputSchema),
    response: component('TunedFileImport', tunedFileImportSchema),
    handle: async ({ context, actor, body }) => importTunedFile(context, actor, body),
  }),
  getPromptText: defineRoute('GET /api/v1/prompts/{name}', {
    summary: 'Get the text of a prompt by label, by version, or the newest',
    role: 'viewer',
    params: { name: nameOf('prompt') },
    query: promptTextQuery,
    response: component('PromptText', promptTextSchema),
    handle: async ({ context, params, query }) => findPromptText(context, params.name, query),
  }),
  getDspyProgram: defineRoute('GET /api/v1/prompts/{name}/dspy', {
    summary: 'Get a prompt as a DSPy program',
    role: 'viewer',
    params: { name: nameOf('prompt') },
    query: dspyProgramQuery,
    response: dspyProgramSchema,
    handle: async ({ context, params, query: { module, ...by } }) => {
      const found = await findPromptText(context, params.name, by);
      return found.ok ? succeed(writeDspyProgram(found.value.text, module)) : found;
    },
  }),
  updatePrompt: defineRoute('PATCH /api/v1/prompts/{name}', {
    summary: 'Change the models, cases and criteria that a prompt is run with',
    role: 'editor',
    audit: 'changed',
    params: { name: nameOf('prompt') },
    body: component('PromptChange', promptChangeSchema),
    response: changedPromptSchema,
    handle: async ({ context, actor, params, body }) => updatePromptSetup(context, actor, params.name, body),
  }),
  deletePrompt: defineRoute('DELETE /api/v1/prompts/{name}', {
    summary: 'Delete a prompt with its versions. Runs that tuned it keep their texts',
    role: 'editor',
    audit: 'deleted',
    params: { name: nameOf('prompt') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deletePrompt(context, actor, params.name),
  }),
  getPrompt: defineRoute('GET /api/v1/prompts/{name}/versions', {
    summary: 'Get a prompt with its versions, labels and the experiments that tune it',
    role: 'viewer',
    params: { name: nameOf('prompt') },
    response: component('Prompt', promptDetailSchema),
    handle: async ({ context: { database }, params }) => {
      const prompt = await findPrompt(database, params.name);
      return prompt === null ? promptNotFound(params.name) : succeed(prompt);
    },
  }),
  savePromptVersion: defineRoute('POST /api/v1/prompts/{name}/versions', {
    summary: 'Save a version. 409 if there is a newer one than you have seen',
    role: 'editor',
    audit: 'changed',
    params: { name: nameOf('prompt') },
    body: component('PromptVersionInput', promptVersionInputSchema),
    status: 201,
    response: savedPromptSchema,
    handle: async ({ context, actor, params, body }) => savePromptVersion(context, actor, params.name, body),
  }),
  movePromptLabel: defineRoute('PUT /api/v1/prompts/{name}/labels/{label}', {
    summary: 'Move a label to a version. Needs a reason if the version loses on held-out cases',
    role: 'editor',
    audit: 'labelled',
    params: { name: nameOf('prompt'), label: word },
    body: component('LabelMove', labelMoveSchema),
    response: component('MovedLabel', movedLabelSchema),
    handle: async ({ context, actor, params, body }) =>
      movePromptLabel(context, actor, params.name, params.label, body),
  }),
  removePromptLabel: defineRoute('DELETE /api/v1/prompts/{name}/labels/{label}', {
    summary: 'Remove a label. Its history stays',
    role: 'editor',
    audit: 'labelled',
    params: { name: nameOf('prompt'), label: word },
    response: component('MovedLabel', movedLabelSchema),
    handle: async ({ context, actor, params }) => removePromptLabel(context, actor, params.name, params.label),
  }),
};

/** Returns the text with this label or version, otherwise the newest. */
async function findPromptText(context: AppContext, name: string, { label, version }: z.output<typeof promptTextQuery>) {
  if (label !== undefined && version !== undefined)
    return fail('invalid', 'Send a label or a version, not both.', 'version');
  const by = version !== undefined ? { version } : label !== undefined ? { label } : 'newest';
  return getPromptText(context, name, by);
}
