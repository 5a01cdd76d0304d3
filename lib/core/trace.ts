import { isRecord } from './is-record.ts';
import { isDeeper, parseJson } from './json-values.ts';
import { cutText, lengthOf, omission, omittedBy, withoutMiddle } from './text-values.ts';

/** Maximum characters of a trace stored with an output. The call keeps the whole trace. */
export const MAX_TRACE_LENGTH = 12_000;
const MAX_STEP_LENGTH = 4_000;
/** Maximum characters of each text in a step. The next limit applies if the step is still too long. */
const MAX_STEP_TEXT_LENGTHS = [2_000, 500, 100];

/** Maximum characters of a trace as JSON, and maximum nesting depth. */
const MAX_JSON_LENGTH = 1_000_000;
const MAX_TRACE_DEPTH = 50;

/** Returns the reason why a trace is rejected, or null if it is accepted. */
export function traceProblem(trace: unknown): string | null {
  if (isDeeper(trace, MAX_TRACE_DEPTH)) return `must be nested at most ${MAX_TRACE_DEPTH} levels deep`;
  if ((JSON.stringify(trace) ?? '').length <= MAX_JSON_LENGTH) return null;
  return `must have at most ${MAX_JSON_LENGTH.toLocaleString('en-US')} characters`;
}

/**
 * Returns a trace as it is stored, in at most about `MAX_TRACE_LENGTH` characters. A list becomes one step per line, as JSON. Long texts
 * are truncated, steps in the middle are omitted, and both are marked. Empty without a trace.
 */
export function traceText(trace: unknown): string {
  if (trace === undefined || trace === null || trace === '') return '';
  if (typeof trace === 'string') return cutText(trace, MAX_TRACE_LENGTH);
  if (!Array.isArray(trace)) return shortJson(trace, MAX_TRACE_LENGTH);
  const steps = trace.map((step) => shortJson(step, MAX_STEP_LENGTH));
  return withoutMiddle(steps, MAX_TRACE_LENGTH, 'step').join('\n');
}

/** Returns valid JSON, with shorter texts if it is too long. If that is not enough, it is truncated. */
function shortJson(value: unknown, longest: number): string {
  for (const most of MAX_STEP_TEXT_LENGTHS) {
    const json = JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'string' ? cutText(part, most) : part,
    );
    if (json.length <= longest) return json;
  }
  return cutText(JSON.stringify(value), longest);
}

/**
 * A line of a stored trace. `number`: index of the step in the whole trace, from 1. `fields`: null if the line is not a JSON object.
 * `omitted`: the number of steps that the line replaces, or null if it is a step.
 */
type TraceStep = {
  number: number;
  line: string;
  fields: Record<string, unknown> | null;
  omitted: number | null;
};

/** Parses the lines of a stored trace. */
export function traceSteps(trace: string): TraceStep[] {
  let next = 1;
  return trace.split('\n').map((line) => {
    const omitted = omittedBy(line);
    const number = next;
    next += omitted ?? 1;
    return { number, line, fields: fieldsOf(line), omitted };
  });
}

/**
 * Returns a stored trace for a prompt, in at most about `longest` characters: its text, or its numbered steps. Steps whose `component` is
 * one of `components` come first and are the last to be omitted. The texts are untrusted: quote the whole.
 */
export function shownTrace(trace: string, components: readonly string[], longest: number): unknown {
  const steps = traceSteps(trace);
  if (steps.every(({ fields }) => fields === null)) {
    if (steps.length === 1) return cutText(trace, longest);
    const lines = steps.map(({ line }) => line);
    return withoutMiddle(lines, longest, 'line').join('\n');
  }
  const isFirst = ({ fields }: TraceStep) =>
    typeof fields?.component === 'string' && components.includes(fields.component);
  const first = shownSteps(steps.filter(isFirst), longest);
  const room = longest - lengthOf(first);
  const rest = steps.filter((step) => !isFirst(step));
  // With less space than this, a step would be truncated too much to be useful.
  const count = rest.reduce((sum, { omitted }) => sum + (omitted ?? 1), 0);
  const others = first.length > 0 && room < longest / 8 ? omission(count, 'step') : shownSteps(rest, room);
  return [...first, ...others].map((line) => fieldsOf(line) ?? line);
}

function shownSteps(steps: readonly TraceStep[], longest: number): string[] {
  const lines = (most: number) => steps.map((step) => shownStep(step, most));
  const whole = lines(longest);
  if (whole.length === 1 || lengthOf(whole) <= longest) return whole;
  return withoutMiddle(lines(longest / 2), longest, 'step');
}

function shownStep({ number, line, fields }: TraceStep, most: number): string {
  if (fields === null) return line;
  // A field `step` of the app would be confused with the number.
  const { step: _ofApp, ...others } = fields;
  return shortJson({ step: number, ...others }, most);
}

function fieldsOf(line: string): Record<string, unknown> | null {
  const fields = line.startsWith('{') ? parseJson(line) : null;
  return isRecord(fields) ? fields : null;
}
