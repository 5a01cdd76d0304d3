import { z } from 'zod';
import { appendResult } from '#lib/core/append-result.ts';
import type { Case } from '#lib/core/case.ts';
import {
  type EngineOptions as CoreOptions,
  type EngineSettings as CoreSettings,
  createEngine as createCoreEngine,
  type Engine,
  perform,
  readEngineSettings,
  recordSpend,
} from '#lib/core/engine.ts';
import { type EngineHistory, type EngineResult, engineResult } from '#lib/core/engine-result.ts';
import {
  type EngineAsk,
  type EngineTools,
  engineAsk,
  engineEvaluate,
  engineRecall,
  type Verdict,
} from '#lib/core/engine-services.ts';
import type { Evaluate } from '#lib/core/evaluate-request.ts';
import { EMPTY_HISTORY, type History } from '#lib/core/history.ts';
import type { RecalledText } from '#lib/core/lesson-schema.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { modelId } from '#lib/core/targets/target-model.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { readJsonOutput } from '#lib/evaluators/read-json-output.ts';
import { splitCases, splitProblem } from '#lib/experiments/split-cases.ts';
import { tuningSettingsProblem } from '#lib/experiments/tuning-settings-problem.ts';
import { recallQuestion } from '#lib/lessons/recall-question.ts';
import {
  createGivenModelCaller,
  type GivenModel,
  type GivenTools,
  type OnText,
  readTools,
  referenceOf,
} from '#lib/providers/ai-sdk-models.ts';
import { type TuningGain, tuningGain } from '#lib/statistics/tuning-gain.ts';

type CoreCriterion = NonNullable<CoreSettings['criteria']>[number];

/** A criterion that passes if the output is JSON that matches a Zod schema. */
export type SchemaCriterion = {
  name: string;
  description?: string;
  weight?: number;
  threshold?: number;
  schema: z.ZodType;
};

type Generator = CoreSettings['generator'];

/** The settings of an experiment. Criteria may contain functions and Zod schemas. The settings need not name models if `model` is given. */
export type EngineSettings = Omit<CoreSettings, 'generator' | 'criteria'> & {
  generator?: Omit<Generator, 'provider' | 'model'> & Partial<Pick<Generator, 'provider' | 'model'>>;
  criteria?: (CoreCriterion | SchemaCriterion)[];
};

/** The models that create and score outputs: models of the AI SDK, or a function that calls your own models. */
export type EngineModels =
  | {
      /** Writes the outputs. Also used for each omitted model. */
      model: GivenModel;
      /** Scores outputs. */
      evaluatorModel?: GivenModel;
      /** Writes critiques, lessons and proposals. */
      reflectionModel?: GivenModel;
      /** Called with the text of each response while it is streamed. */
      onText?: OnText;
      ask?: never;
    }
  | { ask: EngineAsk; model?: never };

export type EngineOptions = EngineModels &
  Omit<CoreOptions, 'settings' | 'ask' | 'tools' | 'evaluate'> & {
    settings?: EngineSettings;
    /** Scores the criteria without a function. Defaults to the app's evaluators. */
    evaluate?: Evaluate;
    /** Tools of the AI SDK by name, or custom definitions. */
    tools?: GivenTools | EngineTools;
  };

/**
 * Creates the app's reflection loop as a library, with the same steps, stop rules and prompts but without a database. It accepts models,
 * tools and schemas of the AI SDK. It runs one loop at a time. Throws if settings are out of range.
 */
export function createEngine(options: EngineOptions): Engine {
  const { tools, evaluate, ...rest } = options;
  const { ask, settings } = readModels(options);
  return createCoreEngine({
    ...rest,
    ask,
    settings,
    evaluate: evaluate ?? evaluateAlone,
    ...(tools !== undefined && { tools: isOwn(tools) ? tools : readTools(tools) }),
  });
}

/** Returns the function that calls the given models, and the settings with the models' names. */
function readModels(options: EngineModels & { settings?: EngineSettings | undefined }): {
  ask: EngineAsk;
  settings: CoreSettings;
} {
  const { criteria: given, ...settings } = options.settings ?? {};
  const criteria = given?.map((criterion) => ('schema' in criterion ? bySchema(criterion) : criterion));
  const read = { ...settings, ...(criteria !== undefined && { criteria }) };
  // The core rejects settings without models.
  if (options.model === undefined) return { ask: options.ask, settings: z.custom<CoreSettings>().parse(read) };
  const { model, evaluatorModel, reflectionModel, onText } = options;
  const models = [model, evaluatorModel, reflectionModel].filter((one) => one !== undefined);
  const names = models.map((one) => modelId(referenceOf(one)));
  const unknown = settings.tune?.parameters?.models?.map(modelId).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`tune.parameters.models: ${unknown} is not one of the given models (${names.join(', ')})`);
  return {
    ask: createGivenModelCaller(models, onText ?? null),
    settings: {
      ...read,
      generator: { ...settings.generator, ...referenceOf(model) },
      ...(evaluatorModel !== undefined && { evaluatorModel: referenceOf(evaluatorModel) }),
      ...(reflectionModel !== undefined && { reflectionModel: referenceOf(reflectionModel) }),
    },
  };
}

function isOwn(tools: GivenTools | EngineTools): tools is EngineTools {
  return Array.isArray(tools.definitions) && typeof tools.use === 'function';
}

/** Scores an output by a schema, with one line per faulty part. */
function bySchema({ schema, ...shared }: SchemaCriterion): CoreCriterion {
  const validate = (output: string): Verdict => {
    const json = readJsonOutput(output);
    if (!json.ok) return [false, `The output is not JSON: ${json.problem}`];
    const { error } = schema.safeParse(json.value);
    return error === undefined ? [true, ''] : [false, z.prettifyError(error)];
  };
  return { ...shared, validate };
}

export type TunePromptOptions = EngineModels & {
  /** The initial prompt. `{{input}}` is replaced with the input of a case. */
  prompt: string;
  cases: readonly (Pick<Case, 'input'> & Partial<Omit<Case, 'criteria'>>)[];
  /** The criteria and the number of rounds (`maxIterations`, `tune`). */
  settings?: Omit<EngineSettings, 'mode'>;
  /** Scores the criteria without a function. Defaults to the app's evaluators. */
  evaluate?: Evaluate;
  /** Returns custom lessons for the reflection model, limited by the `lessons` settings, for the prompt and some training cases. */
  recall?: (task: Case) => RecalledText[] | Promise<RecalledText[]>;
  /** Ends tuning early: the promise rejects with the signal's reason. */
  abortSignal?: AbortSignal;
  now?: () => Date;
};

/** The best prompt, and its `gain` over the first prompt, or null if the first prompt is still the best. */
export type TunedPrompt = Pick<
  EngineResult,
  'convergenceReason' | 'failure' | 'tokenUsage' | 'costUsd' | 'unpriced'
> & {
  prompt: string;
  gain: TuningGain | null;
  history: EngineHistory;
};

/** Improves a prompt over cases, like the app's tune mode, without a database. Throws if settings are out of range. */
export async function tunePrompt(options: TunePromptOptions): Promise<TunedPrompt> {
  const { prompt, abortSignal, now = () => new Date() } = options;
  const { ask, settings: given } = readModels({ ...options, settings: { ...options.settings, mode: 'tune' } });
  const { settings, validators } = readEngineSettings(
    { ...given, prompts: { ...given.prompts, generate: prompt } },
    { evaluates: true, tools: [], approves: false, tunes: true },
  );
  const refusal = tuningSettingsProblem(settings);
  if (refusal !== null) throw new Error(refusal.problem.message);
  const nothing = { reference: null, tags: [], metadata: {} };
  const cases = splitCases(
    options.cases.map((one) => ({ ...nothing, ...one })),
    settings.tune,
  );
  const problem = splitProblem(cases, settings.tune);
  if (problem !== null) throw new Error(`cases: ${problem}`);

  const evaluate = engineEvaluate(validators, options.evaluate ?? evaluateAlone);
  const { call, paid } = recordSpend(engineAsk(ask, now, abortSignal), settings);
  const task: Case = { ...nothing, input: `${cases.length} cases` };
  let history: History = { ...EMPTY_HISTORY, inputLength: task.input.length, cases };
  let ids = 0;
  for (;;) {
    abortSignal?.throwIfAborted();
    const context = {
      ...{ history, settings, case: task, call, evaluate, now, newId: () => `${++ids}` },
      recall: engineRecall(options.recall, settings, { ...task, input: recallQuestion(history, settings) }),
      callsMade: () => paid.length,
    };
    const result = await perform(nextStep(history, settings, now()), context, abortSignal);
    history = { ...appendResult(history, result), calls: paid.length };
    if (result.type !== 'end') continue;
    const tuned = engineResult(history, result.ending, settings, { task, paid });
    const { convergenceReason, failure, tokenUsage, costUsd, unpriced, bestVersion: best } = tuned;
    return {
      ...{ convergenceReason, failure, tokenUsage, costUsd, unpriced, history: tuned.history },
      prompt: history.versions.find(({ number }) => number === best)?.output ?? prompt,
      gain: tuningGain(history, settings),
    };
  }
}
