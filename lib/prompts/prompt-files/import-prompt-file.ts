import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, failAll, type Problem, problemsOf, type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { formatSentence } from '#lib/format.ts';
import { findJsonError } from '#lib/formats/json-errors.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { NO_OPTIONS, PROMPT_FILE_TOOLS, type PromptFileFormat } from '../prompt.ts';
import { insertPrompt, withDefaultsOf } from '../prompt-library.ts';
import { readPromptSetup } from '../prompt-setup.ts';
import { refuseOptions } from '../save-prompt-version.ts';
import { promptNameSchema, promptVersionTextSchema } from '../schema.ts';
import { type PromptFile, readJsonPrompt, readYamlPrompt } from './prompt-file.ts';
import { isPredictor, readDspyProgram, readGepaResult, type TunedFile } from './tuned-file.ts';

/** Request of an import. */
export const tunedFileInputSchema = z.strictObject({
  name: promptNameSchema.meta({ description: 'Name of the new prompt.' }),
  file: z.string({ error: 'must be the text of a file' }).meta({
    description:
      'JSON text of `GEPAResult.to_dict()`, of `program.save("program.json")`, or of a prompt of Langfuse, LangSmith or OpenAI. Or the text of a `.prompty` or `.prompt` file.',
  }),
  outputFields: z
    .array(z.string().max(200, { error: 'must be at most 200 characters' }))
    .max(50, { error: 'must contain at most 50 names' })
    .default([])
    .meta({ description: 'Output fields of the DSPy program. The file does not mark them.' }),
  dryRun: z.boolean().default(false).meta({ description: 'Validate only. Nothing is stored.' }),
});

const version = z.int().min(1);
const FORMATS = Object.keys(PROMPT_FILE_TOOLS) as PromptFileFormat[];

/** Result or preview of an import. */
export const tunedFileImportSchema = z.object({
  name: z.string(),
  format: z.enum(FORMATS),
  versions: z
    .array(z.object({ version, parent: version.nullable(), message: z.string(), text: z.string() }))
    .meta({ description: 'The newest version is the best one.' }),
  notTaken: z.array(z.string()).meta({ description: 'Parts of the file that were not imported, and why.' }),
});
export type TunedFileImport = z.infer<typeof tunedFileImportSchema>;

/** Creates a prompt from a file of another tool. Returns a conflict if the name is taken. */
export async function importTunedFile(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<TunedFileImport>> {
  const parsed = parseInput(tunedFileInputSchema, input);
  if (!parsed.ok) return parsed;
  const { name, file, outputFields, dryRun } = parsed.value;
  const read = await readPromptFile(file, outputFields);
  if (!read.ok) return fail('invalid', messageOf(read.problem), 'file');
  // The answer contains the texts as they are stored. Escapes in JSON can be characters that the check of the input does not see.
  const { format, notTaken, versions: found } = cleanJson(read.value);
  const versions = found.map(({ text, message, parent }, at) => ({
    ...{ version: at + 1, text, message },
    parent: parent === null ? null : parent + 1,
  }));
  const bodies = found.map(({ text, options = NO_OPTIONS }) => ({ text, ...options }));
  for (const body of bodies) {
    const unusable = await refuseOptions(body);
    if (unusable !== null) return fail('invalid', messageOf(unusable.problem), 'file');
  }
  const answer = { name, format, versions, notTaken };
  if (dryRun) return succeed(answer);
  const setup = await readPromptSetup(context, await withDefaultsOf(context, {}));
  if (!setup.ok) return setup;
  const now = context.now();
  return inTransaction(context.database, async (transaction) => {
    const conflict = await insertPrompt(
      transaction,
      { name, setup: setup.value, now },
      versions.map(({ version: number, text, message, parent }, at) => ({
        ...{ number, message, parent, body: bodies[at] ?? { text, ...NO_OPTIONS } },
        ...{ run: null, createdBy: actor.name, now },
      })),
    );
    if (conflict !== null) return conflict;
    await recordChange(transaction, actor, {
      act: 'imported',
      subject: { kind: 'prompt', name },
      change: { versions: versions.length, from: format },
    });
    return succeed(answer);
  });
}

/** Joins the problems of the file into one message, because the file is one field of the request. */
function messageOf(problem: Problem): string {
  const problems = problemsOf(problem);
  const more =
    problems.length > MAX_LISTED_PROBLEMS ? ` And ${problems.length - MAX_LISTED_PROBLEMS} more problems.` : '';
  return (
    problems
      .slice(0, MAX_LISTED_PROBLEMS)
      .map(({ message }) => `${formatSentence(message).replace(/\.$/, '')}.`)
      .join(' ') + more
  );
}

const MAX_LISTED_PROBLEMS = 20;
const NO_FORMAT =
  'file is in no format that Hone reads. For GEPA, write result.to_dict() as JSON. For DSPy, write program.save("program.json"). For other prompts, use JSON of Langfuse, LangSmith or OpenAI, or a .prompt.yml, .prompty or .prompt file.';
const PICKLED =
  'file is pickled. A pickle can run any code, so Hone does not read it. Write JSON in Python instead: json.dump(result.to_dict(), file) for GEPA, program.save("program.json") for DSPy.';
/** Pickles begin with byte 128, which is not valid UTF-8, or with an opcode of protocol 0. */
const PICKLE = /^(?:[\u0080\ufffd]|\(dp?\d|\(lp?\d|c\w+\n)/;

/** Parses the file of another tool, also one with front matter. */
async function readPromptFile(file: string, outputFields: readonly string[]): Promise<Result<TunedFile>> {
  const prompt = await readYamlPrompt(file);
  return prompt === null ? readTunedFile(file, outputFields) : checked(asTunedFile(prompt));
}

function asTunedFile(prompt: Result<PromptFile>): Result<TunedFile> {
  if (!prompt.ok) return prompt;
  const { format, text, notTaken, tools, responseSchema } = prompt.value;
  const message = `Imported from ${PROMPT_FILE_TOOLS[format]}`;
  const version = { name: 'prompt', text, message, parent: null, options: { tools, responseSchema } };
  return succeed({ format, versions: [version], notTaken });
}

/** Parses a JSON file and validates each text as a prompt version. */
export function readTunedFile(file: string, outputFields: readonly string[] = []): Result<TunedFile> {
  if (PICKLE.test(file)) return fail('invalid', PICKLED, 'file');
  const parsed = parseFile(file);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null) return fail('invalid', NO_FORMAT, 'file');
  const prompt = readJsonPrompt(value);
  if (prompt !== null) return checked(asTunedFile(prompt));
  const read =
    'candidates' in value && !isPredictor(value.candidates)
      ? readGepaResult(value)
      : readDspyProgram(value, outputFields);
  return read === null ? fail('invalid', NO_FORMAT, 'file') : checked(read);
}

function checked(read: Result<TunedFile>): Result<TunedFile> {
  return read.ok ? (failAll(textProblems(read.value)) ?? read) : read;
}

function parseFile(file: string): Result<unknown> {
  try {
    return succeed(JSON.parse(file.replace(/^\uFEFF/, '')));
  } catch {
    if (!/^\s*[[{"]/.test(file)) return fail('invalid', NO_FORMAT, 'file');
    const { line, column, found } = findJsonError(file) ?? { line: 1, column: 1, found: 'something else' };
    const remedy = ['"N"', '"I"', '"-"'].includes(found)
      ? 'Python writes NaN and Infinity, which are not JSON. Replace them with null.'
      : 'Export the file again.';
    return fail('invalid', `file is not JSON: line ${line}, column ${column} has ${found}. ${remedy}`, 'file');
  }
}

function textProblems({ versions }: TunedFile): Problem[] {
  return versions.flatMap(({ name, text }) => {
    const fits = promptVersionTextSchema.safeParse(text);
    const messages = fits.success ? [] : fits.error.issues.map(({ message }) => message);
    return messages.map((message) => fail('invalid', `file.${name} ${message}.`, `file.${name}`).problem);
  });
}
