import { z } from 'zod';
import { type Result, succeed } from '#lib/core/problem.ts';
import { exampleProblem, type WorkedExample, withExamples } from '#lib/core/prompts/worked-examples.ts';
import { promptTextSchema } from '#lib/core/setting-parts.ts';
import { holdsComponentLine } from '#lib/core/targets/component-texts.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { NO_COMPONENT_LINE, type TunedFile, textOfProgram } from './tuned-file.ts';

const fieldSchema = z.looseObject({
  prefix: z.string().max(500, { error: 'must be at most 500 characters' }),
  description: z.string().max(5_000, { error: 'must be at most 5,000 characters' }).nullish(),
});

const predictorSchema = z.looseObject({
  signature: z.looseObject({
    instructions: promptTextSchema,
    fields: z
      .array(fieldSchema)
      .min(2, { error: 'must hold an input and an output field' })
      .max(50, { error: 'must hold at most 50 fields' }),
  }),
  demos: z.array(z.record(z.string(), z.unknown())).max(1_000, { error: 'must hold at most 1,000 demos' }).default([]),
  lm: z.unknown().optional(),
});
type Predictor = z.infer<typeof predictorSchema>;

const MOST_PREDICTORS = 50;
/** Predictors by name. Other keys of the file are ignored. */
const programSchema = z
  .record(z.string().max(200), predictorSchema)
  .refine((program) => Object.keys(program).length <= MOST_PREDICTORS, {
    error: `must hold at most ${MOST_PREDICTORS} predictors`,
  })
  .superRefine((program, context) => {
    if (Object.keys(program).length < 2) return;
    for (const [name, { signature }] of Object.entries(program))
      if (holdsComponentLine(signature.instructions))
        context.addIssue({ code: 'custom', path: [name, 'signature', 'instructions'], message: NO_COMPONENT_LINE });
  });

/**
 * Reads a program that DSPy saved as JSON, or returns null. The file does not mark output fields. Hone uses those in `outputs`, else those
 * that the default instructions name, else all from `reasoning` on, else the last one.
 */
export function readDspyProgram(value: object, outputs: readonly string[]): Result<TunedFile> | null {
  const parsed = parsePredictors(value);
  if (parsed === null || !parsed.ok) return parsed;
  const predictors = Object.entries(parsed.value);
  const notTaken: string[] = [];
  const isOne = predictors.length === 1;
  const texts = predictors.map(([name, predictor]) => [
    name,
    isOne
      ? promptOf(name, predictor, outputs, notTaken)
      : withExamples(
          predictor.signature.instructions,
          examplesOf(name, predictor, notTaken, (field) => field),
        ),
  ]);
  if (predictors.some(([, { lm }]) => lm !== null && lm !== undefined))
    notTaken.push('lm: the model. Choose models in the setup of the prompt');
  const message = isOne ? 'DSPy program' : `DSPy program with ${predictors.length} predictors`;
  const version = { name: 'program', text: textOfProgram(Object.fromEntries(texts)), message, parent: null };
  return succeed({ format: 'dspy', versions: [version], notTaken });
}

/** Returns the predictors by name, or null if there are none. A single `dspy.Predict` is the whole file. */
function parsePredictors(value: object): Result<Record<string, Predictor>> | null {
  if (isPredictor(value)) {
    const parsed = parseInput(predictorSchema, value, ['file']);
    return parsed.ok ? succeed({ self: parsed.value }) : parsed;
  }
  const named = Object.fromEntries(Object.entries(value).filter(([, one]: [string, unknown]) => isPredictor(one)));
  return Object.keys(named).length === 0 ? null : parseInput(programSchema, named, ['file']);
}

/** Whether a value of a file is a predictor of DSPy. */
export function isPredictor(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'signature' in value;
}

/** A single predictor as a prompt: instructions, demos, input fields, and the output field at the end. */
function promptOf(name: string, predictor: Predictor, asked: readonly string[], notTaken: string[]): string {
  const { instructions } = predictor.signature;
  const fields = predictor.signature.fields.map(({ prefix, description }) => ({
    prefix,
    name: fieldName(prefix, description ?? ''),
    about: /^$|^\$\{/.test(description ?? '') ? '' : ` (${description})`,
  }));
  const outputs = outputNames(
    instructions,
    fields.map((field) => field.name),
    asked,
  );
  const inputs = fields.filter((field) => !outputs.includes(field.name));
  const answers = fields.filter((field) => outputs.includes(field.name));
  const main = (inputs.find((field) => field.name === 'input') ?? inputs[0])?.name;
  const isTaken = (wanted: string) => fields.some((field) => field.name === wanted);
  const renamed = (field: string) => {
    if (field === main) return isTaken('input') ? field : 'input';
    return answers.length === 1 && field === answers[0]?.name && !isTaken('output') ? 'output' : field;
  };
  const form = [
    ...inputs.map((field) => `${field.prefix} {{${field.name === main ? 'input' : `metadata.${field.name}`}}}`),
    ...(answers.length === 1
      ? [`${answers[0]?.prefix}${answers[0]?.about}`]
      : [`Answer with these fields: ${answers.map((field) => field.name + field.about).join(', ')}.`]),
  ];
  const examples = examplesOf(name, predictor, notTaken, renamed);
  return [withExamples(instructions.trim(), examples), form.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** The file has no field names. The default description is `${name}`, and the default prefix is derived from the name. */
function fieldName(prefix: string, description: string): string {
  const name = /^\$\{(\w+)\}$/.exec(description)?.[1] ?? prefix.replace(/:\s*$/, '').trim().toLowerCase();
  return name.replaceAll(/\W+/g, '_');
}

function outputNames(instructions: string, names: readonly string[], asked: readonly string[]): string[] {
  const chosen = names.filter((name) => asked.includes(name));
  if (chosen.length > 0) return chosen;
  const [lastLine = ''] = instructions.trimEnd().split('\n').slice(-1);
  const [, produced = ''] = lastLine.split('produce the fields ');
  const first = names.findIndex((name) => name === 'reasoning' || produced.includes(`\`${name}\``));
  return first > 0 ? names.slice(first) : names.slice(-1);
}

/** Converts demos to examples. Values other than strings become JSON. DSPy's `augmented` flag is dropped. */
function examplesOf(
  predictor: string,
  { demos }: Predictor,
  notTaken: string[],
  renamed: (field: string) => string,
): WorkedExample[] {
  return demos.flatMap((demo, at) => {
    const example = Object.fromEntries(
      Object.entries(demo).flatMap(([field, value]) =>
        field === 'augmented' ? [] : [[renamed(field), typeof value === 'string' ? value : JSON.stringify(value)]],
      ),
    );
    const problem = exampleProblem(example);
    if (problem === null) return [example];
    notTaken.push(`${predictor}.demos.${at}: ${problem}`);
    return [];
  });
}
