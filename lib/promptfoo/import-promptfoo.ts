import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import type { ChatPart } from '#lib/core/chat/chat-message.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { criterionPlaceholderProblems } from '#lib/core/placeholder-problems.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import { newCaseSchema } from '#lib/datasets/case-input.ts';
import { insertDataset } from '#lib/datasets/dataset-versions.ts';
import type { PromptfooImport } from '#lib/datasets/schema.ts';
import { criterionProblem } from '#lib/evaluators/evaluate-output.ts';
import { addExperiment, readNewExperiment } from '#lib/experiments/create-experiment.ts';
import { type InlineFile, readDataUrl } from '#lib/files/data-url.ts';
import { MAX_IMPORTED_FILES, TOO_MANY_FILES } from '#lib/files/schema.ts';
import { protectFiles, storeInlineFile } from '#lib/files/stored-files.ts';
import { parseEachInput, parseInput } from '#lib/input/parse-input.ts';
import { findDefaultModels } from '#lib/models/default-models.ts';
import { listProviders } from '#lib/models/list-providers.ts';
import { PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';
import { type PromptfooCases, type PromptfooConfig, promptfooCases, readPromptfooConfig } from './promptfoo-config.ts';
import {
  type CheckCriterion,
  type DraftedCriterion,
  type PromptfooCriteria,
  promptfooCriteria,
} from './promptfoo-criteria.ts';

/** promptfoo configuration, and the objects to create from it. */
export const promptfooInputSchema = z.strictObject({
  config: z.string({ error: 'must be the text of a promptfoo configuration' }).meta({ description: 'YAML or JSON.' }),
  name: nameSchema
    .optional()
    .meta({ description: 'Name of the dataset. Default: the description of the configuration.' }),
  experiment: z.boolean().default(false).meta({ description: 'Also create an experiment from the configuration.' }),
  dryRun: z.boolean().default(false).meta({ description: 'Validate only. Nothing is stored.' }),
});

/** Fallback criterion if no assertion can be translated. An experiment needs at least one. */
const FALLBACK: DraftedCriterion = {
  name: 'answers_the_task',
  description: 'The output does what the input asks for, fully and correctly.',
  ...{ weight: 1, threshold: null, evaluator: 'llm', config: {} },
};
const NO_PROMPT = { prompt: null, notTaken: [] };
const FIRST = 5;

/**
 * Imports a promptfoo configuration: its tests as a dataset and, if requested, its first prompt, provider and assertions as an experiment.
 * Both are created or neither. Referenced files are not read. Returns a list of everything left out.
 */
export async function importPromptfoo(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<PromptfooImport>> {
  const parsed = parseInput(promptfooInputSchema, input);
  if (!parsed.ok) return parsed;
  const { config: text, experiment: wantsExperiment, dryRun } = parsed.value;
  const read = await readPromptfooConfig(text);
  if (!read.ok) return read;
  const name = parsed.value.name ?? ((read.value.description ?? '').trim().slice(0, 120) || 'promptfoo');
  const foundTests = await promptfooCases(read.value);
  if (!foundTests.ok) return foundTests;
  const tests = foundTests.value;
  const translatedCriteria = await promptfooCriteria(tests.cases, {
    inputVariable: tests.inputVariable,
    check: criterionCheck(),
    isShared: wantsExperiment,
  });
  if (!translatedCriteria.ok) return translatedCriteria;
  const made = translatedCriteria.value;
  if (made.cases.length === 0)
    return fail('invalid', `There is no test with a value in it. ${tests.notTaken.join('; ')}`.trim(), 'config');
  const names = new Set(tests.cases.flatMap(({ vars }) => Object.keys(vars)));
  const files = await filesOfCases(made.cases, names, tests.inputVariable);
  if (!files.ok) return files;
  const cases = await parseEachInput(
    newCaseSchema,
    files.value.cases.map((one) => (isOnlyOwn(one, made.criteria) ? disableOtherCriteria(one) : one)),
  );
  const { numbers } = files.value;
  if (!cases.ok) {
    const message = cases.problem.message.replace(/^(\d+)\.?/, (_, at: string) => `${numbers[Number(at)]}: `);
    return fail('invalid', `case ${message}. Nothing was stored.`, 'config');
  }
  const draft = await draftSettings(context, read.value, { tests, files: files.value, made, name, wantsExperiment });
  const { settings, generator, criteria, notTaken } = draft;
  const message = 'Drafted from a promptfoo configuration';
  const experiment = wantsExperiment ? await readNewExperiment(context, { ...settings, message }) : null;
  if (experiment !== null && !experiment.ok) return experiment;
  const answer = {
    ...{ datasetId: null, experimentId: null, name, caseCount: cases.value.length, notTaken },
    withCriteria: cases.value.filter((one) => (one.criteria ?? null) !== null).length,
    withReference: cases.value.filter(({ reference }) => reference !== null).length,
    inputVariable: tests.inputVariable,
    first: cases.value.slice(0, FIRST).map((one) => ({ input: one.input.slice(0, 300), reference: one.reference })),
    prompt: draft.prompt?.generate ?? null,
    model: `${generator.provider}/${generator.model}`,
    criteria: criteria.map(({ name: of, evaluator, description }) => ({ name: of, evaluator, description })),
  };
  if (dryRun) return succeed(answer);
  const { stored: inline } = files.value;
  const datasetId = context.newId();
  const stored = { id: datasetId, name, cases: cases.value, now: context.now(), actor: actor.name };
  const outcome = await tryInTransaction(
    context.database,
    async (transaction): Promise<Result<{ experimentId: string | null }>> => {
      // Sorted, so that concurrent imports lock the same files in the same order.
      for (const file of [...inline.values()].sort(byId)) await storeInlineFile(transaction, file, stored);
      const tooLarge = await protectFiles(transaction, cases.value, stored.now, (at) => `case ${numbers[at]}`);
      if (tooLarge !== null) return tooLarge;
      await insertDataset(transaction, { ...stored, message: 'Imported from a promptfoo configuration' });
      await recordChange(transaction, actor, {
        act: 'imported',
        subject: { kind: 'dataset', id: datasetId, name },
        change: { cases: cases.value.length, from: 'promptfoo', ...(inline.size > 0 && { files: inline.size }) },
      });
      const created = experiment && (await addExperiment(transaction, context, actor, experiment.value));
      return succeed({ experimentId: created?.id ?? null });
    },
  );
  return outcome.ok ? succeed({ ...answer, datasetId, ...outcome.value }) : outcome;
}

type DraftSources = {
  tests: Pick<PromptfooCases, 'inputVariable' | 'notTaken'>;
  files: CasesWithFiles;
  made: PromptfooCriteria;
  name: string;
  wantsExperiment: boolean;
};

/** Drafts the settings of an experiment, and lists everything of the configuration that is left out. */
async function draftSettings(
  context: AppContext,
  config: PromptfooConfig,
  { tests, files, made, name, wantsExperiment }: DraftSources,
) {
  const translated = promptfooPrompt(config, tests.inputVariable, files.variables);
  // Without variables, the prompt is the input of the cases.
  const { prompt, notTaken: prompts } = tests.inputVariable === null ? NO_PROMPT : translated;
  const { model, notTaken: models } = promptfooModel(config);
  const generator = await chooseModel(context, model);
  const left = [tests.notTaken, files.notTaken, prompts, models, made.notTaken, generator.notTaken].flat();
  const isFallback = wantsExperiment && made.criteria.length === 0;
  const needsFallback = isFallback && made.cases.some((one) => !one.criteria?.add.length);
  const notTaken = needsFallback
    ? [...left, 'tests without an imported assertion: a judge scores whether the task is done']
    : left;
  const criteria = isFallback ? [FALLBACK] : made.criteria;
  const settings = {
    ...{ name, mode: 'revise', taskType: 'custom' },
    generator: { provider: generator.provider, model: generator.model, instructions: prompt?.instructions ?? '' },
    ...(prompt !== null && { prompts: { generate: prompt.generate } }),
    criteria,
  };
  return { settings, prompt, generator, criteria, notTaken };
}

/** Returns a check for unusable criteria, for example patterns that only other engines support. Each criterion is checked once. */
function criterionCheck(): CheckCriterion {
  const known = new Map<string, string | null>();
  return async (drafted) => {
    const key = JSON.stringify([drafted.evaluator, drafted.config, drafted.description]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = await problemOf(drafted);
    known.set(key, found);
    return found;
  };
}

async function problemOf(drafted: DraftedCriterion): Promise<string | null> {
  const fits = criterionSchema.safeParse(drafted);
  if (!fits.success) return fits.error.issues[0]?.message ?? 'it does not fit';
  const [variable] = criterionPlaceholderProblems(fits.data);
  return variable?.message ?? (await criterionProblem(fits.data))?.problem ?? null;
}

/** Returns true if only the case's own criteria score it. The fallback judge of the draft is not part of the configuration. */
function isOnlyOwn({ criteria }: Pick<Case, 'criteria'>, ofExperiment: readonly DraftedCriterion[]): boolean {
  return ofExperiment.length === 0 && (criteria?.add.length ?? 0) > 0;
}

function disableOtherCriteria<One extends Pick<Case, 'criteria'>>(one: One): One {
  return one.criteria ? { ...one, criteria: { ...one.criteria, others: 'off' } } : one;
}

type CasesWithFiles = {
  /** Cases to parse. Cases with files have messages as input. */
  cases: (Omit<Case, 'input'> & { input: unknown })[];
  /** Number of each case in the configuration. */
  numbers: number[];
  /** Files by id. */
  stored: Map<string, InlineFile>;
  /** Variables that are a file in every case with the variable, including the input variable. */
  variables: Set<string>;
  notTaken: string[];
};

/**
 * Converts variables that are data URLs to files of the input message. Skips cases with an unreadable file and lists them in `notTaken`.
 * `names` contains the variables to convert. Other metadata is unchanged.
 */
async function filesOfCases(
  cases: readonly Case[],
  names: ReadonlySet<string>,
  inputVariable: string | null,
): Promise<Result<CasesWithFiles>> {
  const yielding = yieldToOthers();
  const isFile = ([name, value]: [string, unknown]) => names.has(name) && isDataUrlOfFile(value);
  const entries = cases.flatMap(({ metadata }) => Object.entries(metadata));
  const { files = [], texts = [] } = Object.groupBy(entries, (entry) => (isFile(entry) ? 'files' : 'texts'));
  const named = new Set(texts.map(nameOfEntry));
  const variables = new Set(files.map(nameOfEntry).filter((name) => !named.has(name)));
  if (inputVariable !== null && cases.every(({ input }) => isDataUrlOfFile(input))) variables.add(inputVariable);
  const found: CasesWithFiles = { cases: [], numbers: [], stored: new Map(), variables, notTaken: [] };
  for (const [at, one] of cases.entries()) {
    await yielding();
    const { input, metadata } = one;
    const urls = Object.entries(metadata).filter(isFile);
    const isInputFile = isDataUrlOfFile(input);
    if (!isInputFile && urls.length === 0) {
      found.cases.push(one);
      found.numbers.push(at + 1);
      continue;
    }
    const read: InlineFile[] = [];
    const problems: string[] = [];
    for (const [name, url] of [...(isInputFile ? [['the input', input] as const] : []), ...urls]) {
      const result = readDataUrl(String(url), null);
      if (result.ok) read.push(result.file);
      else problems.push(`${name} ${result.message}`);
    }
    if (problems.length > 0) {
      found.notTaken.push(`case ${at + 1}: ${problems.join('; ')}`);
      continue;
    }
    for (const file of read) found.stored.set(file.part.file, file);
    if (found.stored.size > MAX_IMPORTED_FILES)
      return fail('too_large', `case ${at + 1}: ${TOO_MANY_FILES} Nothing was stored.`, 'config');
    const text: ChatPart[] = isInputFile ? [] : [{ type: 'text', text: input }];
    // Other cases have a text here, so the prompt uses the variable. It is empty for this case.
    const entries = Object.entries(metadata).flatMap((entry): [string, unknown][] => {
      if (!isFile(entry)) return [entry];
      return variables.has(entry[0]) ? [] : [[entry[0], '']];
    });
    found.numbers.push(at + 1);
    found.cases.push({
      ...{ ...one, metadata: Object.fromEntries(entries) },
      input: [{ role: 'user', content: [...text, ...read.map(({ part }) => part)] }],
    });
  }
  if (found.cases.length === 0)
    return fail('invalid', `No case could be imported. ${found.notTaken.slice(0, FIRST).join('; ')}`, 'config');
  return succeed(found);
}

function byId(one: InlineFile, other: InlineFile): number {
  return one.part.file < other.part.file ? -1 : 1;
}

function nameOfEntry([name]: [string, unknown]): string {
  return name;
}

/** Returns true for a data URL with a media type, as opposed to text that begins with "data:". */
function isDataUrlOfFile(value: unknown): value is string {
  return typeof value === 'string' && /^data:[a-z]+\/[\w.+-]+(?:;[\w-]+(?:=[\w.-]+)?)*,/i.test(value);
}

/** Returns a configured provider and model for the configuration's model, or the default model. */
async function chooseModel(
  context: AppContext,
  model: PromptfooModel,
): Promise<{ provider: string; model: string; notTaken: string[] }> {
  const { generator } = await findDefaultModels(context);
  if (model === null) return { ...generator, notTaken: [] };
  const provider = (await listProviders(context)).find(({ kind }) => kind === model.kind);
  if (provider !== undefined) return { provider: provider.name, model: model.model, notTaken: [] };
  return {
    ...generator,
    notTaken: [
      `provider ${model.kind}:${model.model}: ${model.kind} is not connected, so the experiment uses ${generator.provider === PRACTICE_PROVIDER.name ? 'the practice model' : `${generator.provider}/${generator.model}`}`,
    ],
  };
}

/** Prompt with Hone's placeholders. `instructions` is the system part of a chat. Null if no prompt is usable. */
type PromptfooPrompt = { generate: string; instructions: string } | null;
type PromptfooModel = { kind: string; model: string } | null;

/** Parts of a message. Images become files of the cases. */
const contentSchema = z.union([
  z.string().transform((text) => [{ type: 'text', text }]),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
]);
const chatSchema = z.array(z.object({ role: z.string(), content: contentSchema })).min(1);
type Chat = z.infer<typeof chatSchema>;
const listedSchema = z.union([z.string(), z.looseObject({ raw: z.string() })]);

/** Returns the first text prompt with variables renamed for Hone, and a list of the prompts left out. */
function promptfooPrompt(
  { prompts }: PromptfooConfig,
  inputVariable: string | null,
  files: ReadonlySet<string>,
): { prompt: PromptfooPrompt; notTaken: string[] } {
  const notTaken: string[] = [];
  let prompt: PromptfooPrompt = null;
  for (const [at, one] of listOf(prompts).entries()) {
    const leave = (why: string) => notTaken.push(`prompt ${at + 1}: ${why}`);
    const listed = listedSchema.safeParse(one).data;
    const text = typeof listed === 'object' ? listed.raw : listed;
    const why = text === undefined ? 'it is not text' : unsupportedPromptLabel(text);
    if (text === undefined || why !== null) leave(why ?? '');
    else if (prompt !== null) leave('an experiment has one prompt (duplicate the experiment to add this one)');
    else {
      const chat = chatSchema.safeParse(parseJson(text)).data ?? null;
      prompt = translated(text, chat, inputVariable, files);
      const parts = chat?.flatMap(({ content }) => content) ?? [];
      if (parts.some((part) => part.text === undefined && !isFileOf(part, files)))
        leave('an image or file that is not a variable with a data URL');
    }
  }
  return { prompt, notTaken };
}

/** Returns a value that can be one or several as a list. */
function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

const KINDS = ['openai', 'anthropic', 'google'];

/** Options of a provider that are objects or lists. */
const PROVIDER_OPTIONS = new Set(['config', 'env', 'prompts', 'inputs']);

/** Returns the first provider whose kind Hone supports, and a list of the others. */
function promptfooModel(config: PromptfooConfig): { model: PromptfooModel; notTaken: string[] } {
  const names = listOf(config.providers ?? config.targets).map((one) => {
    if (typeof one === 'string') return one;
    const id = z.object({ id: z.string() }).safeParse(one);
    // A provider with settings may be written as `openai:gpt-5: {config: …}`.
    const [named, ...others] = Object.entries(Object(one));
    const isNamed =
      named !== undefined && others.length === 0 && typeof named[1] === 'object' && !PROVIDER_OPTIONS.has(named[0]);
    return id.success ? id.data.id : isNamed ? named[0] : 'without an id';
  });
  const models = names.map((name) => {
    const [kind = '', ...rest] = name.split(':');
    const model = rest.filter((part) => !['chat', 'messages', 'completion', 'responses'].includes(part)).join(':');
    return KINDS.includes(kind) && model !== '' ? { kind, model } : null;
  });
  const first = models.findIndex((model) => model !== null);
  const notTaken = names.filter((_, at) => at !== first).map((name) => `provider ${name}`);
  return { model: models[first] ?? null, notTaken };
}

function unsupportedPromptLabel(text: string): string | null {
  if (
    /^(?:file:\/\/|langfuse:|portkey:|helicone:|exec:)/.test(text) ||
    /^[\w./-]+\.(?:txt|json|ya?ml|md|js|ts|py|j2)$/.test(text.trim())
  )
    return `${text.trim().slice(0, 80)} is a file or a reference, which is not read`;
  if (text.includes('{%')) return 'its template has logic ({% … %}), which Hone’s templates do not have';
  if (/\{\{[^}]*[|()[\]]/.test(text)) return 'its template has filters or calls, which Hone’s templates do not have';
  return null;
}

/** Returns true if a message part is a variable that becomes a file of each case. */
function isFileOf(part: object, files: ReadonlySet<string>): boolean {
  const [, name = ''] = VARIABLE.exec(JSON.stringify(part)) ?? [];
  return files.has(name);
}

const VARIABLE = /\{\{-?\s*([\w.]+)\s*-?\}\}/;

function translated(
  text: string,
  chat: Chat | null,
  inputVariable: string | null,
  files: ReadonlySet<string>,
): { generate: string; instructions: string } {
  const rename = (part: string) =>
    part.replaceAll(new RegExp(VARIABLE, 'g'), (_, name: string) =>
      name === inputVariable ? '{{input}}' : files.has(name) ? '' : `{{metadata.${name}}}`,
    );
  if (chat === null) return { generate: rename(text), instructions: '' };
  const part = (isSystem: boolean) =>
    chat
      .filter(({ role }) => (role === 'system' || role === 'developer') === isSystem)
      .map(({ content }) => content.flatMap((one) => one.text ?? []).join('\n\n'))
      .join('\n\n');
  return { generate: rename(part(false)), instructions: part(true) };
}
