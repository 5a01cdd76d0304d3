import type { Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CallEntry } from './call-schema.ts';

/**
 * The texts of a call as they are stored beside the versions of its run. `quotes` are pairs of a place in the prompt and the number of the
 * version whose output stands there and is left out; `answered` is the version whose output the answer is, which is left out too.
 */
type StoredTexts = { prompt: string; text: string | null; quotes: number[]; answered: number | null };

/** Shorter outputs are not worth a reference. */
const SHORTEST = 200;

/** Leaves out of a call's texts the outputs that its run keeps anyway. Outputs that are dropped when the run ends are no such. */
export function withoutOutputs(
  { prompt, text, step }: Pick<CallEntry, 'prompt' | 'text' | 'step'>,
  versions: readonly Pick<Version, 'number' | 'output' | 'step'>[],
  { preserveAllVersions }: Pick<ExperimentSettings, 'preserveAllVersions'>,
): StoredTexts {
  const kept = preserveAllVersions ? versions.filter(({ output }) => output.length >= SHORTEST) : [];
  // The answer of a step that made nothing yet is read again when the step is done again, so it stays.
  const answered = kept.find((version) => version.step === step && version.output === text) ?? null;
  const found = kept
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
  left.push(prompt.slice(end));
  return {
    prompt: left.join(''),
    text: answered === null ? text : '',
    quotes,
    answered: answered === null ? null : answered.number,
  };
}

/** The texts of a call whole again; `outputs` are those of the versions of its run, by number. */
export function withOutputs(
  { prompt, text, quotes, answered }: StoredTexts,
  outputs: ReadonlyMap<number, string>,
): Pick<CallEntry, 'prompt' | 'text'> {
  let whole = prompt;
  for (let pair = 0; pair < quotes.length; pair += 2) {
    const at = quotes[pair] ?? 0;
    whole = whole.slice(0, at) + (outputs.get(quotes[pair + 1] ?? -1) ?? '') + whole.slice(at);
  }
  return { prompt: whole, text: answered === null ? text : (outputs.get(answered) ?? '') };
}
