import { createContext, Script } from 'node:vm';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { keepRecent } from '#lib/core/caches.ts';
import { compilePattern, isFound } from './regex.ts';
import type { JsonSchema } from './schema-limits.ts';

/** Returns true if no two values are equal as JSON. The order of object members is ignored. */
function areUnique(values: unknown[]): boolean {
  return new Set(values.map(canonical)).size === values.length;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** Result of validating a value: the errors (empty if it matches), or the reason why it could not be validated. */
type SchemaCheck = { ok: true; errors: ErrorObject[] } | { ok: false; reason: string };
type CompiledSchema = { ok: true; check: (value: unknown) => SchemaCheck } | { ok: false; problem: string };

const COMPILE_MS = 5_000;
const CHECK_MS = 2_000;
/** Cache of recent schemas, because a run uses the same ones for every version. */
const known = new Map<string, CompiledSchema>();
const MAX_CACHED_SCHEMAS = 100;

/**
 * Compiles a JSON schema (2020-12), or returns the problem. Unknown keywords are ignored, nothing is fetched, `format` is only an
 * annotation, and patterns use RE2. `every` reports all errors instead of the first one. May take seconds, so only the thread of
 * `checkSchema` may call it.
 */
export function compileSchema(schema: string, every: boolean): CompiledSchema {
  const key = `${every} ${schema}`;
  return keepRecent(known, key, known.get(key) ?? compile(JSON.parse(schema), every), MAX_CACHED_SCHEMAS);
}

function compile(schema: JsonSchema, every: boolean): CompiledSchema {
  const draft = schema.$schema;
  if (draft !== undefined && !(typeof draft === 'string' && DRAFT.test(draft)))
    return { ok: false, problem: 'names another draft under $schema: leave it out, only 2020-12 is read' };
  if ('$async' in schema) return { ok: false, problem: 'must not contain $async' };
  try {
    const meta = metaSchema();
    const compiled = withinTime(COMPILE_MS, () => {
      meta.validateSchema(schema, true);
      return ajv(every).compile(schema);
    });
    if (compiled === null)
      return {
        ok: false,
        problem: `takes longer than ${COMPILE_MS / 1_000} s to be read. Make it smaller, or split it into several criteria`,
      };
    return { ok: true, check: (value) => check(compiled.value, value) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ok: false, problem: problemOf(error) };
  }
}

const DRAFT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

let known2020: Ajv2020 | null = null;

/** Returns the validator of the meta-schema. Compiled once, because that is slow. No user schema is added to it. */
function metaSchema(): Ajv2020 {
  if (known2020 === null) {
    known2020 = ajv(false);
    known2020.validateSchema({});
  }
  return known2020;
}

/** Creates an Ajv instance. Each schema needs its own, so that names in one schema cannot affect another. */
function ajv(every: boolean): Ajv2020 {
  const made = new Ajv2020({
    allErrors: every,
    strict: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true,
    inlineRefs: false,
    logger: false,
    code: { regExp: LINEAR },
  });
  // Ajv's own implementation takes quadratic time.
  made.removeKeyword('uniqueItems');
  made.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (unique: boolean, items: unknown[]) => !unique || areUnique(items),
  });
  return made;
}

/** Thrown for a schema or a text on which patterns can't be used. */
class PatternError extends Error {}

/** RegExp constructor for Ajv that uses the linear-time engine. The pattern's text is its name in the schema. */
const LINEAR = Object.assign(
  (pattern: string) => {
    const compiled = compilePattern(pattern);
    if (!compiled.ok) throw new PatternError(`${JSON.stringify(pattern)} ${compiled.problem}`);
    return {
      toString: () => pattern,
      test: (text: string) => {
        const found = isFound(compiled.pattern, text);
        if (!found.ok) throw new PatternError(found.reason);
        return found.count > 0;
      },
    };
  },
  { code: 'linear' },
);

function check(validate: ValidateFunction, value: unknown): SchemaCheck {
  try {
    const checked = withinTime(CHECK_MS, () => (validate(value) ? [] : [...(validate.errors ?? [])]));
    return checked === null
      ? { ok: false, reason: 'the schema takes too long on this output' }
      : { ok: true, errors: checked.value };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    if (error instanceof RangeError) return { ok: false, reason: 'the schema refers to itself endlessly' };
    throw error;
  }
}

function problemOf(error: Error): string {
  if (error instanceof PatternError) return `holds the pattern ${error.message}`;
  if (error instanceof RangeError) return 'refers to itself endlessly';
  if ('missingRef' in error) {
    return `refers to ${JSON.stringify(error.missingRef)}, which it does not contain (Hone does not fetch other schemas)`;
  }
  return `is not a JSON Schema: ${error.message.replace(/^schema is invalid: /, '').replace(/\bdata(?=[/ ])/g, 'the schema')}`;
}

/** Calls the work from a script, because only scripts can be interrupted. This is not a sandbox and not a security boundary. */
const CALL = new Script('work()');

const CUT_OFF = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Runs blocking work and interrupts it after `timeoutMs`. Returns null if it was interrupted. Rethrows its errors. */
export function withinTime<Value>(timeoutMs: number, work: () => Value): { value: Value } | null {
  let done: { value: Value } | null = null;
  const context = createContext({
    work: () => {
      done = { value: work() };
    },
  });
  try {
    CALL.runInContext(context, { timeout: timeoutMs });
  } catch (error) {
    // The error belongs to the script's realm, so `instanceof Error` is false.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === CUT_OFF) return null;
    throw error;
  }
  return done;
}
