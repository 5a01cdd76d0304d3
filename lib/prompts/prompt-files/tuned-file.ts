import { z } from 'zod';
import { fail, failAll, type Result, succeed } from '#lib/core/problem.ts';
import type { PromptOptions } from '#lib/core/prompt-options.ts';
import { exampleProblem, type WorkedExample, withExamples } from '#lib/core/prompts/worked-examples.ts';
import { promptTextSchema } from '#lib/core/setting-parts.ts';
import { hasComponentLine, joinComponents } from '#lib/core/targets/component-texts.ts';
import { formatList } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { PromptFileFormat } from '../prompt.ts';

/** A version to import. `name`: its path in the file. `parent`: index of its parent in the list, or null. */
type TunedVersion = { name: string; text: string; message: string; parent: number | null; options?: PromptOptions };

/** A parsed file. Versions are in the order they are saved, the best one last. */
export type TunedFile = { format: PromptFileFormat; versions: TunedVersion[]; notTaken: string[] };

/** Problem of a component line inside one of several components. */
const NO_COMPONENT_LINE = 'must not have a line such as {{component "name"}}: it begins a component. Remove the line';

/** Joins the texts of a program. A single text is unchanged, several become components. */
function textOfProgram(texts: Readonly<Record<string, string>>): string {
  const all = Object.values(texts);
  return all.length === 1 ? (all[0] ?? '') : joinComponents(componentNames(texts));
}

/** Converts names of predictors to component names: `plan.predict` to `plan`, `tools[0]` to `tools_0`. */
function componentNames(texts: Readonly<Record<string, string>>): Map<string, string> {
  const named = new Map<string, string>();
  for (const [key, text] of Object.entries(texts)) {
    const plain = key
      .replace(/\.predict$/, '')
      .replaceAll(/[^\w.-]+/g, '_')
      .replace(/_$/, '');
    const wanted = /^[A-Za-z_]/.test(plain) ? plain : `part_${plain}`;
    let name = wanted;
    for (let again = 2; named.has(name); again++) name = `${wanted}_${again}`;
    named.set(name, text);
  }
  return named;
}

const MAX_CANDIDATES = 1_000;
const MAX_TEXTS = 50;

/** Null is a missing score. Python writes those as `NaN`, which is not valid JSON. */
const scoreSchema = z.number().nullable();

const candidateSchema = z
  .record(z.string().max(200, { error: 'must have names of at most 200 characters' }), promptTextSchema)
  .refine((texts) => Object.keys(texts).length > 0, { error: 'must contain at least one text' })
  .refine((texts) => Object.keys(texts).length <= MAX_TEXTS, { error: `must contain at most ${MAX_TEXTS} texts` })
  .superRefine((texts, context) => {
    if (Object.keys(texts).length < 2) return;
    for (const [name, text] of Object.entries(texts))
      if (hasComponentLine(text)) context.addIssue({ code: 'custom', path: [name], message: NO_COMPONENT_LINE });
  });

/** `GEPAResult.to_dict()` of gepa 0.0 and 0.1. Some fields are lists before 0.0.20. Other fields are not validated. */
const gepaSchema = z.looseObject({
  candidates: z
    .array(candidateSchema)
    .min(1, { error: 'must contain at least one candidate' })
    .max(MAX_CANDIDATES, { error: `must contain at most ${MAX_CANDIDATES} candidates` }),
  parents: z.array(z.array(z.int().min(0).nullable()).max(100)),
  val_aggregate_scores: z.array(scoreSchema),
  val_subscores: z.array(z.union([z.array(scoreSchema), z.record(z.string(), scoreSchema)])).optional(),
  validation_schema_version: z
    .int()
    .max(2, { error: 'must be at most 2. Write the result with gepa 0.1, or update Hone' })
    .nullish(),
});
type GepaResult = z.infer<typeof gepaSchema>;

/** Parses a GEPA result: one version per candidate, the one with the highest score last. */
export function readGepaResult(value: object): Result<TunedFile> {
  const parsed = parseInput(gepaSchema, value, ['file']);
  if (!parsed.ok) return parsed;
  const result = parsed.value;
  const wrong = failAll(lineageProblems(result));
  if (wrong !== null) return wrong;
  const best = bestOf(result.val_aggregate_scores);
  const order = [...result.candidates.keys()].filter((at) => at !== best);
  // Requests without a label get the newest version.
  if (best !== null) order.push(best);
  const numbers = new Map(order.map((at, number) => [at, number]));
  const versions = order.map((at) => ({
    name: `candidates.${at}`,
    text: textOfProgram(result.candidates[at] ?? {}),
    message: messageOf(result, at, at === best),
    parent: numbers.get(parentsOf(result, at)[0] ?? -1) ?? null,
  }));
  return succeed({ format: 'gepa', versions, notTaken: [] });
}

function lineageProblems({ candidates, parents, val_aggregate_scores: scores, val_subscores: subscores }: GepaResult) {
  const refuse = (field: string, must: string) => fail('invalid', `file.${field} ${must}.`, `file.${field}`).problem;
  const count = candidates.length;
  const lists = { parents, val_aggregate_scores: scores, val_subscores: subscores ?? scores };
  return [
    ...Object.entries(lists).flatMap(([name, list]) =>
      list.length === count
        ? []
        : refuse(name, `must have ${count} entries, one for each candidate, got ${list.length}`),
    ),
    ...parents
      .slice(0, count)
      .flatMap((row, at) =>
        row.flatMap((parent, column) =>
          parent === null || parent < at
            ? []
            : refuse(`parents.${at}.${column}`, `must be the number of an earlier candidate, got ${parent}`),
        ),
      ),
  ];
}

function bestOf(scores: readonly (number | null)[]): number | null {
  return scores.reduce<number | null>(
    (best, score, at) => (score !== null && (best === null || score > (scores[best] ?? 0)) ? at : best),
    null,
  );
}

function parentsOf({ parents }: GepaResult, at: number): number[] {
  return (parents[at] ?? []).flatMap((parent) => parent ?? []);
}

function messageOf(result: GepaResult, at: number, isBest: boolean): string {
  const score = result.val_aggregate_scores[at] ?? null;
  const cases = Object.keys(result.val_subscores?.[at] ?? {}).length;
  const parents = parentsOf(result, at);
  const scored = score === null ? 'no score' : `score ${Number(score.toFixed(4))}`;
  const on = score === null || cases === 0 ? '' : ` on ${cases} validation cases`;
  const merged = parents.length > 1 ? `, merged from candidates ${formatList(parents.slice(0, 5).map(String))}` : '';
  return `GEPA candidate ${at}: ${scored}${on}${merged}${isBest ? ', the best' : ''}`;
}

const fieldSchema = z.looseObject({
  prefix: z.string().max(500, { error: 'must be at most 500 characters' }),
  description: z.string().max(5_000, { error: 'must be at most 5,000 characters' }).nullish(),
});

const predictorSchema = z.looseObject({
  signature: z.looseObject({
    instructions: promptTextSchema,
    fields: z
      .array(fieldSchema)
      .min(2, { error: 'must contain an input and an output field' })
      .max(50, { error: 'must contain at most 50 fields' }),
  }),
  demos: z
    .array(z.record(z.string(), z.unknown()))
    .max(1_000, { error: 'must contain at most 1,000 demos' })
    .default([]),
  lm: z.unknown().optional(),
});
type Predictor = z.infer<typeof predictorSchema>;

const MAX_PREDICTORS = 50;
/** Predictors by name. Other keys of the file are ignored. */
const programSchema = z
  .record(z.string().max(200), predictorSchema)
  .refine((program) => Object.keys(program).length <= MAX_PREDICTORS, {
    error: `must contain at most ${MAX_PREDICTORS} predictors`,
  })
  .superRefine((program, context) => {
    if (Object.keys(program).length < 2) return;
    for (const [name, { signature }] of Object.entries(program))
      if (hasComponentLine(signature.instructions))
        context.addIssue({ code: 'custom', path: [name, 'signature', 'instructions'], message: NO_COMPONENT_LINE });
  });

/**
 * Parses a program that DSPy saved as JSON, or returns null. The file does not mark output fields. Hone uses those in `outputs`, else those
 * named in the default instructions, else all from `reasoning` on, else the last one.
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

/** Returns true if a value of a file is a DSPy predictor. */
export function isPredictor(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'signature' in value;
}

/** Converts a single predictor to a prompt: instructions, demos, input fields, and the output field at the end. */
function promptOf(name: string, predictor: Predictor, requestedOutputs: readonly string[], notTaken: string[]): string {
  const { instructions } = predictor.signature;
  const fields = predictor.signature.fields.map(({ prefix, description }) => ({
    prefix,
    name: fieldName(prefix, description ?? ''),
    about: /^$|^\$\{/.test(description ?? '') ? '' : ` (${description})`,
  }));
  const outputs = outputNames(
    instructions,
    fields.map((field) => field.name),
    requestedOutputs,
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

function outputNames(instructions: string, names: readonly string[], requestedOutputs: readonly string[]): string[] {
  const chosen = names.filter((name) => requestedOutputs.includes(name));
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
