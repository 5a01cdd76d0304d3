import type { Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CallEntry } from './call-schema.ts';

/**
 * The texts of a call without the parts its run stores elsewhere. `quotes`: pairs of a position in the prompt and the number of the version
 * whose output was removed there. `answered`: the version whose output equals the response, which is not stored again. `likeStep`: the step
 * of an earlier call with the same role and ordinal that stores the same instructions and prompt.
 */
export type StoredTexts = Pick<CallEntry, 'instructions' | 'prompt' | 'text'> & {
  quotes: number[];
  answered: number | null;
  likeStep: number | null;
};

/** The latest prompt that a run has stored in full, by role and ordinal. Later calls may reference it. */
export type StoredPrompts = Map<string, Pick<CallEntry, 'step' | 'instructions' | 'prompt'>>;

/** Minimum length of an output to reference. For shorter ones a reference saves nothing. */
const MIN_REFERENCED_LENGTH = 200;

/** Removes from a call's texts the parts its run stores anyway, unless outputs are dropped when the run ends. */
export function storedTexts(
  call: Pick<CallEntry, 'role' | 'ordinal' | 'step' | 'instructions' | 'prompt' | 'text'>,
  versions: readonly Pick<Version, 'number' | 'output' | 'step'>[],
  { preserveAllVersions }: Pick<ExperimentSettings, 'preserveAllVersions'>,
  known: StoredPrompts,
): StoredTexts {
  const kept = preserveAllVersions ? versions.filter(({ output }) => output.length >= MIN_REFERENCED_LENGTH) : [];
  // A step without a version may be repeated and then reads this response again.
  const answered = kept.find((version) => version.step === call.step && version.output === call.text) ?? null;
  const { prompt, quotes } = withoutOutputs(call.prompt, kept);
  const before = known.get(callKey(call));
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

/** Records the prompts that calls have stored in full. Their steps must have ended, so that no later call replaces them. */
export function addStoredPrompts(
  known: StoredPrompts,
  calls: readonly (Pick<CallEntry, 'role' | 'ordinal' | 'step'> & StoredTexts)[],
): void {
  for (const call of calls)
    if (call.likeStep === null && call.step >= 0) {
      const { step, instructions, prompt } = call;
      known.set(callKey(call), { step, instructions, prompt });
    }
}

function callKey({ role, ordinal }: Pick<CallEntry, 'role' | 'ordinal'>): string {
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

/** Restores the texts of a call. `like`: the call it references, if any. `outputs`: the outputs of its run's versions by number. */
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
