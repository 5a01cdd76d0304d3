import type { UIMessageChunk } from 'ai';
import { parseJson } from '#lib/core/json-values.ts';
import { traceProblem } from '#lib/core/trace.ts';
import { redactSecrets, storableText } from '#lib/providers/call/redact-secrets.ts';

/** Step in the trace of a stream. */
type StreamStep = { name: string; input?: unknown; output?: unknown; error?: string; [field: string]: unknown };

/**
 * Joins the parts of a UI message stream into an output and the steps of a trace. A tool call with its result, and a piece of reasoning
 * with all its deltas, are one step each. Steps are in the order in which they began. The output is the text of the last step of the model
 * that has one, like `text` in the AI SDK. Earlier texts are steps of the trace. Source: the UI message stream protocol of the AI SDK.
 */
export function createStreamTrace() {
  const steps: StreamStep[] = [];
  let answer: (StreamStep & { output: string }) | null = null;
  let isNewStep = false;
  /** Open steps by part kind and id, so that ids of different kinds do not collide. */
  const open = new Map<string, StreamStep>();
  const stepAt = (key: string, name: string): StreamStep => {
    const known = open.get(key);
    if (known !== undefined) return known;
    const begun: StreamStep = { name };
    open.set(key, begun);
    steps.push(begun);
    return begun;
  };
  const ofTool = (id: string, name = 'tool') => stepAt(`tool ${id}`, name);
  const add = (part: UIMessageChunk): void => {
    switch (part.type) {
      case 'start-step':
        isNewStep = true;
        return;
      case 'text-delta':
        if (part.delta === '') return;
        if (answer === null || isNewStep) {
          answer = { name: 'text', output: '' };
          steps.push(answer);
        }
        isNewStep = false;
        answer.output += part.delta;
        return;
      case 'tool-input-available':
        ofTool(part.toolCallId, part.toolName).input = part.input;
        return;
      case 'tool-input-error':
        Object.assign(ofTool(part.toolCallId, part.toolName), { input: part.input, error: part.errorText });
        return;
      case 'tool-output-available':
        ofTool(part.toolCallId).output = part.output;
        return;
      case 'tool-output-error':
        ofTool(part.toolCallId).error = part.errorText;
        return;
      case 'reasoning-delta': {
        const step = stepAt(`reasoning ${part.id}`, 'reasoning');
        step.output = `${step.output ?? ''}${part.delta}`;
        return;
      }
      case 'reasoning-end':
        // Later reasoning can have the same id.
        open.delete(`reasoning ${part.id}`);
        return;
      case 'source-url':
      case 'source-document': {
        const { type, ...source } = part;
        steps.push({ name: type, output: source });
        return;
      }
      default:
        if (!isData(part)) return;
        if (part.id === undefined) steps.push({ name: part.type, output: part.data });
        else stepAt(`${part.type} ${part.id}`, part.type).output = part.data;
    }
  };
  const finish = () => ({ output: answer?.output ?? '', trace: steps.filter((step) => step !== answer) });
  return { add, finish };
}

type DataPart = Extract<UIMessageChunk, { type: `data-${string}` }>;

function isData(part: UIMessageChunk): part is DataPart {
  return part.type.startsWith('data-');
}

/** Suffixes of field names whose values are secrets, such as headers of a request made by a step. */
const SECRET_NAME = [
  'authorization',
  'cookies?',
  'passwords?',
  'passwd',
  'passcode',
  'passphrase',
  'pwd',
  'secrets?',
  'credentials?',
  '(?:api|private|(?:secret)?[-_]?access|secret|signing|encryption|subscription|account)[-_]?keys?',
  '(?:(?<![a-z])|access|api|auth|bearer|client|csrf|github|gitlab|id|refresh|security|session|xsrf)[-_]?token',
].join('|');
const SECRET_FIELD = new RegExp(`(?:${SECRET_NAME})$`, 'i');

/** Fields that name the adjacent value, as in `{ "name": "x-api-key", "value": "…" }`. */
const NAMING_FIELDS = ['name', 'key', 'header'];
const VALUE_FIELD = /^values?$/i;

/**
 * Matches the same fields in a text that is not complete JSON: truncated, escaped, or written by another language. A value ends with its
 * closing quote or bracket, or with the text.
 */
const SECRET_IN_TEXT = (() => {
  // JSON in JSON in JSON has seven backslashes before a quote.
  const quote = (name: string) => `(?<${name}>\\\\{0,7}["'])`;
  const field = (name: string) => `${quote(name)}[\\w .-]{0,60}?(?:${SECRET_NAME})\\k<${name}>`;
  // Python writes pairs in parentheses, and bytes with a `b` before the quote.
  const inPair = `[\\[(]\\s{0,9}b?${field('pair')}\\s{0,9},`;
  const inField = `${field('field')}\\s{0,9}(?::|=>|,\\s{0,9}\\k<field>values?\\k<field>\\s{0,9}:)`;
  const text = `b?${quote('value')}[^]*?(?:(?<!\\\\)\\k<value>|$)`;
  return new RegExp(
    `(?<before>(?:${inPair}|${inField})\\s{0,9})(?:${text}|\\[[^\\]]*\\]?|\\([^)]*\\)?|\\{[^}]*\\}?|-?\\d[\\w.]*)`,
    'gi',
  );
})();

/**
 * Redacts secrets in a trace and removes characters that cannot be stored. Apps report more in a trace than in an output. Secrets are
 * recognized by their field name, in texts too, and by their format. `trace` is JSON that `traceProblem` accepts.
 */
export function redactTrace(trace: unknown, apiKey: string | null): unknown {
  if (typeof trace === 'string') return redactText(trace, apiKey);
  if (Array.isArray(trace))
    return trace.map((part, at) => (isAfterSecretName(trace, at) ? hidden(part) : redactTrace(part, apiKey)));
  if (typeof trace !== 'object' || trace === null) return trace;
  const fields: [string, unknown][] = Object.entries(trace);
  const namesSecret = fields.some(([name, part]) => NAMING_FIELDS.includes(name.toLowerCase()) && isSecretName(part));
  return Object.fromEntries(
    fields.map(([name, part]) => {
      const isSecret = SECRET_FIELD.test(name) || (namesSecret && VALUE_FIELD.test(name));
      return [storableText(name), isSecret ? hidden(part) : redactTrace(part, apiKey)];
    }),
  );
}

/** Returns true in a pair, or in a list of names and values such as the raw headers of Node.js. */
function isAfterSecretName(list: readonly unknown[], at: number): boolean {
  return list.length % 2 === 0 && at % 2 === 1 && isSecretName(list[at - 1]);
}

function isSecretName(value: unknown): boolean {
  return typeof value === 'string' && value.length < 100 && SECRET_FIELD.test(value);
}

/** Hides the value of a secret field: keeps its structure, but not its texts and numbers. */
function hidden(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return '[secret]';
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storableText(name), hidden(part)]));
}

function redactText(text: string, apiKey: string | null): string {
  const plain = redactSecrets(storableText(text), apiKey);
  const read = jsonIn(plain);
  if (read === undefined) return plain.replace(SECRET_IN_TEXT, '$<before>"[secret]"');
  const redacted = JSON.stringify(redactTrace(read, apiKey));
  // The original text is kept because serializing would change the app's spaces and numbers.
  return redacted === JSON.stringify(read) ? plain : redacted;
}

/** Parses an object or list from JSON. Returns undefined for anything else, or if it is nested too deeply. */
function jsonIn(text: string): unknown {
  const read = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  return read !== undefined && traceProblem(read) === null ? read : undefined;
}
