/** A step of the app, as shown in Hone. */
type Step = { name: string; component?: string; input?: unknown; output?: unknown; error?: string };

export type StepOptions = {
  /** The component whose text the step used. While its text is tuned, the reflection model sees these steps first. */
  component?: string;
  /** The input of the step: text, or any JSON-serializable value. */
  input?: unknown;
};

/** Runs a function and reports it as a step of the job: its input, and its result or its error. */
export type ReportStep = <Value>(
  name: string,
  run: () => Value | Promise<Value>,
  options?: StepOptions,
) => Promise<Value>;

const MOST_STEPS = 2_000;
/** Maximum characters of all steps. Hone accepts a million and rejects a larger result. */
const LONGEST_TRACE = 500_000;
const LONGEST_TEXT = 10_000;
const LONGEST_NAME = 200;
/** Maximum nesting depth. Hone rejects values nested deeper than 50 levels. */
const DEEPEST = 40;

/** The steps of one job in start order. */
export class Steps {
  readonly #steps: Step[] = [];
  #more = 0;

  readonly report: ReportStep = async (name, run, { component, input } = {}) => {
    const step: Step = {
      name: cut(textOf(name), LONGEST_NAME),
      ...(component !== undefined && { component: cut(textOf(component), LONGEST_NAME) }),
      ...(input !== undefined && { input: snapshot(input) }),
    };
    if (this.#steps.length < MOST_STEPS) this.#steps.push(step);
    else this.#more += 1;
    try {
      const output = await run();
      if (output !== undefined) step.output = snapshot(output);
      return output;
    } catch (error) {
      step.error = cut(textOf(error), LONGEST_TEXT);
      throw error;
    }
  };

  /** Returns the trace to send, or undefined if no step was reported. */
  trace(): Step[] | undefined {
    if (this.#steps.length === 0) return undefined;
    const sent: Step[] = [];
    let length = 0;
    for (const step of this.#steps) {
      length += JSON.stringify(step).length;
      if (length > LONGEST_TRACE) break;
      // Copies the step, because one still running must not change data that is sent again.
      sent.push({ ...step });
    }
    const left = this.#steps.length - sent.length + this.#more;
    return left === 0 ? sent : [...sent, { name: `… ${left} more ${left === 1 ? 'step' : 'steps'} not sent …` }];
  }
}

/** Converts any value to text. Never throws: a report must not fail the job or hide an error of the app. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return NO_TEXT;
  }
}

/** Used for values such as an object without a prototype. */
const NO_TEXT = '(cannot be converted to text)';

/** Copies a value, so that later changes do not affect it. Long and deep values become text. */
function snapshot(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, LONGEST_TEXT);
  try {
    const json = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
    if (json === undefined) return NO_JSON;
    if (json.length > LONGEST_TEXT) return cut(json, LONGEST_TEXT);
    const copy: unknown = JSON.parse(json);
    return isDeeper(copy, DEEPEST) ? json : copy;
  } catch {
    return NO_JSON;
  }
}

/** Used for values such as a circular object or a function. */
const NO_JSON = '(not JSON-serializable)';

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((member) => isDeeper(member, most - 1));
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} … (cut)`;
}
