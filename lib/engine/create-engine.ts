import { z } from 'zod';
import { type EngineOptions as CoreOptions, createEngine as createCoreEngine, type Engine } from '#lib/core/engine.ts';
import type { EngineAsk, EngineTools, Verdict } from '#lib/core/engine-services.ts';
import type { EngineSettings as CoreSettings } from '#lib/core/engine-settings.ts';
import type { Evaluate } from '#lib/core/evaluate-request.ts';
import { modelId } from '#lib/core/targets/target-settings.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { readJsonOutput } from '#lib/evaluators/read-json-output.ts';
import {
  askModels,
  type GivenModel,
  type GivenTools,
  type OnText,
  readTools,
  referenceOf,
} from '#lib/providers/given-models.ts';

type CoreCriterion = NonNullable<CoreSettings['criteria']>[number];

/** A criterion that passes when the output is JSON that fits a Zod schema. */
export type SchemaCriterion = {
  name: string;
  description?: string;
  weight?: number;
  threshold?: number;
  schema: z.ZodType;
};

type Generator = CoreSettings['generator'];

/** The settings of an experiment, with functions and Zod schemas among the criteria. With `model`, they need not name models. */
export type EngineSettings = Omit<CoreSettings, 'generator' | 'criteria'> & {
  generator?: Omit<Generator, 'provider' | 'model'> & Partial<Pick<Generator, 'provider' | 'model'>>;
  criteria?: (CoreCriterion | SchemaCriterion)[];
};

/** The models that make and score outputs: of the AI SDK, or a function that asks your own. */
export type EngineModels =
  | {
      /** Writes the outputs, and does the work of the models that are left out. */
      model: GivenModel;
      /** Judges outputs. */
      evaluatorModel?: GivenModel;
      /** Writes critiques, lessons and proposals. */
      reflectionModel?: GivenModel;
      /** Receives the text of each response while it is written. */
      onText?: OnText;
      ask?: never;
    }
  | { ask: EngineAsk; model?: never };

export type EngineOptions = EngineModels &
  Omit<CoreOptions, 'settings' | 'ask' | 'tools' | 'evaluate'> & {
    settings?: EngineSettings;
    /** Scores the criteria without a function; the app's evaluators by default. */
    evaluate?: Evaluate;
    /** Tools of the AI SDK by name, or your own definitions. */
    tools?: GivenTools | EngineTools;
  };

/**
 * The loop of the app as a library: the same steps, stop rules and prompts, without a database. It takes models, tools and schemas of the AI
 * SDK. One loop at a time. Throws for settings that are out of range.
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

/** The function that asks the given models, and the settings with their names. */
export function readModels(options: EngineModels & { settings?: EngineSettings | undefined }): {
  ask: EngineAsk;
  settings: CoreSettings;
} {
  const { criteria: given, ...settings } = options.settings ?? {};
  const criteria = given?.map((criterion) => ('schema' in criterion ? bySchema(criterion) : criterion));
  const read = { ...settings, ...(criteria !== undefined && { criteria }) };
  // The core refuses settings without models.
  if (options.model === undefined) return { ask: options.ask, settings: z.custom<CoreSettings>().parse(read) };
  const { model, evaluatorModel, reflectionModel, onText } = options;
  const models = [model, evaluatorModel, reflectionModel].filter((one) => one !== undefined);
  const names = models.map((one) => modelId(referenceOf(one)));
  const unknown = settings.tune?.parameters?.models?.map(modelId).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`tune.parameters.models: ${unknown} is none of the given models (${names.join(', ')})`);
  return {
    ask: askModels(models, onText ?? null),
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

/** Scores whether an output fits a schema, with a line for each part at fault. */
function bySchema({ schema, ...shared }: SchemaCriterion): CoreCriterion {
  const validate = (output: string): Verdict => {
    const json = readJsonOutput(output);
    if (!json.ok) return [false, `The output is not JSON: ${json.problem}`];
    const { error } = schema.safeParse(json.value);
    return error === undefined ? [true, ''] : [false, z.prettifyError(error)];
  };
  return { ...shared, validate };
}
