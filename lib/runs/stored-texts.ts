import type { Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CallEntry } from './call-schema.ts';

/**
 * The texts of a call as they are stored beside the versions and the other calls of its run. `quotes` are pairs of a place in the prompt and
 * the number of the version whose output stands there and is left out; `answered` is the version whose output the answer is, which is left
 * out too. `likeStep`: instructions and prompt, but for its quotes, are those of the call of this step with the same role and ordinal.
 */
export type StoredTexts = Pick<CallEntry, 'instructions' | 'prompt' | 'text'> & {
  quotes: number[];
  answered: number | null;
  likeStep: number | null;
};

/** The prompts that a run has stored in full and may refer to: by role and ordinal the latest. */
export type StoredPrompts = Map<string, Pick<CallEntry, 'step' | 'instructions' | 'prompt'>>;

/** Shorter outputs are not worth a reference. */
const SHORTEST = 200;

/** Leaves out of a call's texts what its run keeps anyway. Outputs that are dropped when the run ends are no such. */
export function storedTexts(
  call: Pick<CallEntry, 'role' | 'ordinal' | 'step' | 'instructions' | 'prompt' | 'text'>,
  versions: readonly Pick<Version, 'number' | 'output' | 'step'>[],
  { preserveAllVersions }: Pick<ExperimentSettings, 'preserveAllVersions'>,
  known: StoredPrompts,
): StoredTexts {
  const kept = preserveAllVersions ? versions.filter(({ output }) => output.length >= SHORTEST) : [];
  // The answer of a step that made nothing yet is read again when the step is done again, so it stays.
  const answered = kept.find((version) => version.step === call.step && version.output === call.text) ?? null;
  const { prompt, quotes } = withoutOutputs(call.prompt, kept);
  const before = known.get(placeOf(call));
  const isKnown = before !== undefined && before.instructions === call.instructions && before.prompt === prompt;
  return {
    instructions: isKnown ? '' : call.instructions,
    prompt: isKnown ? '' : prompt,
    text: answered === null ? call.text : '',
    quotes,
    answered: answered === null ? null : answered.number,
    likeStep: isKnown ? before.step : null,
  };
}

/** Notes what calls have stored in full. They must be of steps that are over, so that no other call takes their place. */
export function noteStoredPrompts(
  known: StoredPrompts,
  calls: readonly (Pick<CallEntry, 'role' | 'ordinal' | 'step'> & StoredTexts)[],
): void {
  for (const call of calls)
    if (call.likeStep === null && call.step >= 0) {
      const { step, instructions, prompt } = call;
      known.set(placeOf(call), { step, instructions, prompt });
    }
}

function placeOf({ role, ordinal }: Pick<CallEntry, 'role' | 'ordinal'>): string {
  return `${role} ${ordinal}`;
}

function withoutOutputs(
  prompt: string,
  versions: readonly Pick<Version, 'number' | 'output'>[],
): Pick<StoredTexts, 'prompt' | 'quotes'> {
  const found = versions
    .map(({ number, output }) => ({ at: prompt.indexOf(output), number, output }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at || other.output.length - one.output.length);
  const left: string[] = [];
  const quotes: number[] = [];
  let end = 0;
  for (const { at, number, output } of found) {
    if (at < end) continue;
    left.push(prompt.slice(end, at));
    quotes.push(at, number);
    end = at + output.length;
  }
  return { prompt: [...left, prompt.slice(end)].join(''), quotes };
}

/**
 * The texts of a call whole again. `like`: the call that it refers to, if any; `outputs`: those of the versions of its run, by number.
 */
export function wholeTexts(
  { instructions, prompt, text, quotes, answered }: Omit<StoredTexts, 'likeStep'>,
  like: Pick<StoredTexts, 'instructions' | 'prompt'> | null,
  outputs: ReadonlyMap<number, string>,
): Pick<CallEntry, 'instructions' | 'prompt' | 'text'> {
  let whole = like?.prompt ?? prompt;
  for (let pair = 0; pair < quotes.length; pair += 2) {
    const at = quotes[pair] ?? 0;
    whole = whole.slice(0, at) + (outputs.get(quotes[pair + 1] ?? -1) ?? '') + whole.slice(at);
  }
  return {
    instructions: like?.instructions ?? instructions,
    prompt: whole,
    text: answered === null ? text : (outputs.get(answered) ?? ''),
  };
}
