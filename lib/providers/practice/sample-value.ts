import { isRecord } from '#lib/core/is-record.ts';
import { hash } from './hash.ts';

type Schema = Record<string, unknown>;

/** Maximum depth of optional members, and of all members. */
const MAX_OPTIONAL_DEPTH = 3;
const MAX_NESTING_DEPTH = 12;
/** Maximum number of values, which limits nested lists. */
const MAX_VALUES = 2_000;
/** Maximum characters of all values and names together. */
const MOST_CHARACTERS = 200_000;
/** Maximum characters read of the text. */
const MAX_READ_LENGTH = 2_000;

/**
 * Returns a value that matches a JSON Schema, with words and numbers from a text. The result depends only on the schema and text. Patterns
 * with groups or alternatives, `not` and conditions are ignored.
 */
export function sampleValue(schema: unknown, whole: string): unknown {
  const text = whole.slice(0, MAX_READ_LENGTH);
  let left = MAX_VALUES;
  let characters = MOST_CHARACTERS;
  const counted = <Value>(value: Value): Value | null => {
    characters -= JSON.stringify(value).length;
    if (characters >= 0) return value;
    left = 0;
    return null;
  };
  const filled = (schemaPart: unknown, name: string, depth: number): unknown => {
    left -= 1;
    characters -= name.length;
    if (left < 0 || characters < 0) return null;
    const of = resolved(schemaPart, schema, text);
    if (Object.hasOwn(of, 'const')) return counted(of.const);
    if (Array.isArray(of.enum) && of.enum.length > 0) return counted(chosen(of.enum, text, name));
    switch (typeOf(of)) {
      case 'object':
        return objectOf(of, depth, filled);
      case 'array':
        return arrayOf(of, name, depth, filled);
      case 'integer':
      case 'number':
        return numberFor(of, text, name);
      case 'boolean':
        return hash(text, name) % 2 === 0;
      case 'null':
        return null;
      default:
        return counted(textFor(of, text, name));
    }
  };
  return filled(schema, '', 0);
}

type Fill = (schema: unknown, name: string, depth: number) => unknown;

function asSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}

/** Resolves `$ref`, merges `formatAllOf`, and picks one of `anyOf` or `oneOf`. */
function resolved(given: unknown, root: unknown, text: string): Schema {
  let of = asSchema(given);
  for (let step = 0; step < MAX_NESTING_DEPTH; step++) {
    const { $ref, allOf, anyOf, oneOf, ...own } = of;
    const choices = [anyOf, oneOf].find(Array.isArray);
    if (typeof $ref === 'string') of = joined(own, [memberAt(root, $ref)]);
    else if (Array.isArray(allOf)) of = joined({ ...own, ...(choices && { anyOf: choices }) }, allOf);
    else if (choices !== undefined) {
      const real = choices.filter((choice) => asSchema(choice).type !== 'null');
      of = joined(own, [real[hash(text, 'choice') % Math.max(1, real.length)] ?? choices[0]]);
    } else return of;
  }
  return of;
}

function joined(own: Schema, parts: readonly unknown[]): Schema {
  const all = [own, ...parts.map(asSchema)];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => asSchema(part.properties))),
    required: all.flatMap((part) => listOf(part.required)),
  };
}

function memberAt(root: unknown, reference: string): unknown {
  const pointer = reference.replace(/^#\/?/, '');
  if (pointer === '') return root;
  return pointer
    .split('/')
    .reduce<unknown>((of, key) => asSchema(of)[key.replaceAll('~1', '/').replaceAll('~0', '~')], root);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function typeOf({ type, properties, items, required }: Schema): unknown {
  const [first] = [type].flat().filter((one) => one !== 'null');
  if (first !== undefined) return first;
  if (type !== undefined) return 'null';
  if (Object.keys(asSchema(properties)).length > 0 || listOf(required).length > 0) return 'object';
  return items === undefined ? 'string' : 'array';
}

function objectOf(of: Schema, depth: number, fill: Fill): Schema {
  const members = asSchema(of.properties);
  const required = listOf(of.required).map(String);
  const names = [...new Set([...Object.keys(members), ...required])];
  return Object.fromEntries(
    names.flatMap((name) =>
      depth < MAX_NESTING_DEPTH && (required.includes(name) || depth < MAX_OPTIONAL_DEPTH)
        ? [[name, fill(members[name] ?? of.additionalProperties, name, depth + 1)]]
        : [],
    ),
  );
}

function arrayOf(of: Schema, name: string, depth: number, fill: Fill): unknown[] {
  const prefix = listOf(of.prefixItems);
  const least = typeof of.minItems === 'number' ? of.minItems : 0;
  const most = typeof of.maxItems === 'number' ? of.maxItems : Number.POSITIVE_INFINITY;
  const count = Math.min(most, Math.max(least, prefix.length, depth < MAX_OPTIONAL_DEPTH ? 1 : 0), 100);
  return Array.from({ length: count }, (_, at) =>
    fill(prefix[at] ?? of.items, at === 0 ? name : `${name} ${at}`, depth + 1),
  );
}

/** Returns the choice that the text mentions, or else any choice. */
function chosen(choices: readonly unknown[], text: string, name: string): unknown {
  const words = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const isNamed = (choice: unknown) =>
    typeof choice === 'string' &&
    words.includes(
      ` ${choice
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
    );
  return choices.find(isNamed) ?? choices[hash(text, name) % choices.length];
}

/** Returns the number after the member's name in the text, else the first that fits, else the smallest allowed. */
function numberFor(of: Schema, text: string, name: string): number {
  const step = typeof of.multipleOf === 'number' ? of.multipleOf : typeOf(of) === 'integer' ? 1 : 0;
  const limit = (value: unknown, open: number) => (typeof value === 'number' ? value : open);
  const least = Math.max(limit(of.minimum, -Infinity), limit(of.exclusiveMinimum, -Infinity));
  const most = Math.min(limit(of.maximum, Infinity), limit(of.exclusiveMaximum, Infinity));
  const fits = (value: number) =>
    Number.isFinite(value) &&
    value >= least &&
    value <= most &&
    value !== of.exclusiveMinimum &&
    value !== of.exclusiveMaximum &&
    (step === 0 || Number.isInteger(Number((value / step).toFixed(9))));
  const start = Number.isFinite(least) ? least : Math.min(0, most - (step || 1));
  const multiple = Math.ceil(start / step) * step;
  const made = step === 0 ? [start, (start + Math.min(most, start + 1)) / 2] : [multiple, multiple + step];
  const found = [behindName(text, name), ...(text.match(/-?\d+(?:\.\d+)?/g) ?? [])].map(Number);
  return [...found, ...made].find(fits) ?? start;
}

/** Returns the word after the member's name in the text: `7` in "order 7" for `order` or `order_id`. */
function behindName(text: string, name: string): string | undefined {
  const [word = ''] = name.split(/[_\s-]|(?=[A-Z])/);
  const at = word === '' ? -1 : text.toLowerCase().indexOf(`${word.toLowerCase()} `);
  if (at < 0) return undefined;
  return /^[\p{L}\p{N}.@-]*[\p{L}\p{N}]/u.exec(text.slice(at + word.length).trimStart())?.[0];
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  time: '09:30:00Z',
  duration: 'P1D',
  email: 'person@example.org',
  hostname: 'example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.org/',
  'uri-reference': '/page',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

/** Number of words for a text member without a value in the text. */
const FEW_WORDS = 6;

function textFor(of: Schema, text: string, name: string): string {
  const format = FORMATS[String(of.format)];
  if (format !== undefined) return format;
  const fitting = typeof of.pattern === 'string' ? patternText(of.pattern, hash(text, name)) : null;
  if (fitting !== null) return fitting;
  const least = typeof of.minLength === 'number' ? Math.min(of.minLength, 10_000) : 0;
  const most = typeof of.maxLength === 'number' ? of.maxLength : Number.POSITIVE_INFINITY;
  const behind = behindName(text, name);
  const words =
    behind !== undefined && /\d/.test(behind) ? behind : (text.match(/\S+/g) ?? []).slice(0, FEW_WORDS).join(' ');
  return [...(words || name || 'text').padEnd(least, '.')].slice(0, most).join('');
}

const PART = /\\([dws])|\[((?:\\.|[^\]\\^])+)\]|\\?([^\\[\](){}|*+?.^$])|\\(.)/y;
const TIMES = /\{(\d+)(?:,\d*)?\}|[*+?]/y;

/**
 * Returns a text that matches a pattern of characters and classes, such as `^[A-Z]{3}-\d+$`, or null for other patterns. The pattern is
 * never executed.
 */
function patternText(pattern: string, seed: number): string | null {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '');
  let made = '';
  for (let at = 0; at < body.length; ) {
    PART.lastIndex = at;
    const part = PART.exec(body);
    if (part === null) return null;
    at = PART.lastIndex;
    TIMES.lastIndex = at;
    const times = TIMES.exec(body);
    if (times !== null) at = TIMES.lastIndex;
    const count = times === null || times[0] === '+' ? 1 : Math.min(Number(times[1] ?? 0), 1_000);
    const signs = signsOf(part);
    if (signs === '') return null;
    if (made.length + count > MOST_CHARACTERS) return null;
    for (let index = 0; index < count; index++) made += signs[(seed + index) % signs.length] ?? '';
  }
  return made;
}

/** Returns the characters that a part of a pattern matches. */
function signsOf([, kind, body, plain, escaped]: RegExpExecArray): string {
  if (kind !== undefined) return KINDS[kind] ?? '';
  return body === undefined ? (plain ?? escaped ?? '') : classOf(body);
}

const KINDS: Record<string, string> = { d: '0123456789', w: 'abcdefghijklmnopqrstuvwxyz', s: ' ' };

/** Returns the characters of a class such as `A-Z0-9_`. */
function classOf(body: string): string {
  return body
    .replaceAll(/\\([dws])/g, (_, kind: string) => KINDS[kind] ?? '')
    .replaceAll(/(\w)-(\w)/g, (_, from: string, to: string) => {
      const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
      return String.fromCharCode(...Array.from({ length: Math.max(0, last - first + 1) }, (_sign, at) => first + at));
    })
    .replaceAll('\\', '');
}
