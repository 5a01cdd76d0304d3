import type { History, Version } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { CallEntry } from './call-schema.ts';
import { type Judged, layoutOfResponse, responseOf } from './judge-responses.ts';

/**
 * The texts of a call without the parts its run stores elsewhere. `quotes`: pairs of a position in the prompt and the number of the version
 * whose output was removed there. `answered`: the version whose output equals the response, which is not stored again, or `JUDGED` if the
 * evaluation of the call's step contains the response. `text` is then its layout (see `layoutOfResponse`). `likeStep`: the step of an
 * earlier call with the same role and ordinal that stores the same instructions, and the same prompt or parts of it. `kept`: the lengths of
 * the beginning and the end that the prompt takes from it, or null if it takes the whole prompt. `shared`: instructions, and the beginning
 * and the end of the prompt, that several runs share. Omitted if there are none.
 */
export type StoredTexts = Pick<CallEntry, 'instructions' | 'prompt' | 'text'> & {
  quotes: number[];
  answered: number | null;
  likeStep: number | null;
  kept: number[] | null;
  shared?: SharedPrompt;
};

/** Texts that calls of several runs share: instructions, and the beginning and the end of a prompt without quoted outputs. */
export type SharedPrompt = { id: string; instructions: string; start: string; end: string };

/** What a run stores in addition to its calls. */
type StoredHistory = {
  versions: readonly Pick<Version, 'number' | 'output' | 'step'>[];
  evaluations: readonly (Judged & Pick<History['evaluations'][number], 'by' | 'step'>)[];
};

type StoredPrompt = Pick<CallEntry, 'step' | 'instructions' | 'prompt'>;

/**
 * The latest prompts that a run has stored, by role and ordinal, without quoted outputs. Later calls may reference them. `full` was stored
 * in full, `last` in full or as a part of `full`.
 */
export type StoredPrompts = Map<string, { full: StoredPrompt; last: StoredPrompt }>;

/** Minimum length of an output or prompt part to reference. For shorter ones a reference saves nothing. */
const MIN_REFERENCED_LENGTH = 200;

/** Value of `answered` for a response that the evaluation of the call's step contains. */
export const JUDGED = -1;

/**
 * Removes from a call's texts the parts that are stored anyway: those its run stores, unless outputs are dropped when the run ends, and
 * those that `findShared` returns for its prompt.
 */
export function storedTexts(
  call: Pick<CallEntry, 'role' | 'ordinal' | 'step' | 'instructions' | 'prompt' | 'text'>,
  { versions, evaluations }: StoredHistory,
  { preserveAllVersions }: Pick<ExperimentSettings, 'preserveAllVersions'>,
  known: StoredPrompts,
  findShared: (instructions: string, prompt: string) => SharedPrompt | null = () => null,
): StoredTexts {
  const long = preserveAllVersions ? versions.filter(({ output }) => output.length >= MIN_REFERENCED_LENGTH) : [];
  // A step without a version may be repeated and then reads this response again.
  const answered = long.find((version) => version.step === call.step && version.output === call.text) ?? null;
  const { prompt, quotes } = withoutOutputs(call.prompt, long);
  const stored = { ...storedPrompt(call.instructions, prompt, known.get(callKey(call)), findShared), quotes };
  if (answered !== null) return { ...stored, text: '', answered: answered.number };
  const evaluation = evaluations.find(({ by, step }) => by === 'machine' && step === call.step);
  const layout = evaluation && call.text ? layoutOfResponse(call.text, evaluation) : null;
  return layout === null
    ? { ...stored, text: call.text, answered: null }
    : { ...stored, text: layout, answered: JUDGED };
}

function storedPrompt(
  instructions: string,
  prompt: string,
  known: { full: StoredPrompt; last: StoredPrompt } | undefined,
  findShared: (instructions: string, prompt: string) => SharedPrompt | null,
): Pick<StoredTexts, 'instructions' | 'prompt' | 'likeStep' | 'kept' | 'shared'> {
  if (known?.full.instructions !== instructions) return promptOfNoEarlierCall(instructions, prompt, findShared);
  const { full, last } = known;
  for (const before of [last, full])
    if (before.instructions === instructions && before.prompt === prompt)
      return { instructions: '', prompt: '', likeStep: before.step, kept: null };
  const ends = sharedEnds(prompt, full.prompt);
  const between = prompt.slice(ends[0], prompt.length - ends[1]);
  // A prompt that differs more is stored in full, so that later calls can take more from it.
  if (ends[0] + ends[1] < MIN_REFERENCED_LENGTH || between.length > (instructions.length + prompt.length) / 2)
    return promptOfNoEarlierCall(instructions, prompt, findShared);
  return { instructions: '', prompt: between, likeStep: full.step, kept: ends };
}

/** Returns a prompt that references no earlier call. */
function promptOfNoEarlierCall(
  instructions: string,
  prompt: string,
  findShared: (instructions: string, prompt: string) => SharedPrompt | null,
): ReturnType<typeof storedPrompt> {
  const inFull = { instructions, prompt, likeStep: null, kept: null };
  const shared = findShared(instructions, prompt);
  if (shared === null) return inFull;
  const between = prompt.slice(shared.start.length, prompt.length - shared.end.length);
  return { ...inFull, instructions: '', prompt: between, shared };
}

/** Restores the instructions and the prompt of a call that stores only what it does not share. */
export function withShared<Call extends Pick<StoredTexts, 'instructions' | 'prompt'>>(
  call: Call,
  shared: Omit<SharedPrompt, 'id'> | null,
): Call {
  if (shared === null) return call;
  return { ...call, instructions: shared.instructions, prompt: shared.start + call.prompt + shared.end };
}

/** Returns the lengths of the beginning and the end that two different texts share. Together they are not longer than either text. */
export function sharedEnds(one: string, other: string): [start: number, end: number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  // A character of two units is not divided.
  if (isFirstHalf(one.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && one.charCodeAt(one.length - end - 1) === other.charCodeAt(other.length - end - 1)) end++;
  if (end > 0 && isFirstHalf(one.charCodeAt(one.length - end - 1))) end--;
  return [start, end];
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Records the prompts that calls have stored. Their steps must have ended, so that no later call replaces them. */
export function addStoredPrompts(
  known: StoredPrompts,
  calls: readonly (Pick<CallEntry, 'role' | 'ordinal' | 'step'> & StoredTexts)[],
): void {
  for (const call of calls) {
    const { step, likeStep, kept } = call;
    if (step < 0 || (likeStep !== null && kept === null)) continue;
    const before = known.get(callKey(call));
    if (likeStep === null) {
      const { instructions, prompt } = withShared(call, call.shared ?? null);
      const stored = { step, instructions, prompt };
      known.set(callKey(call), { full: stored, last: stored });
    } else if (before?.full.step === likeStep && step !== likeStep)
      known.set(callKey(call), { ...before, last: { step, ...promptOf(call, before.full) } });
    // A reference to its step could mean this call or another one.
    else known.delete(callKey(call));
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

/** Restores the instructions and the prompt of a call, without quoted outputs. `like`: those of the call it references, if any. */
export function promptOf(
  { instructions, prompt, kept }: Pick<StoredTexts, 'instructions' | 'prompt' | 'kept'>,
  like: Pick<StoredTexts, 'instructions' | 'prompt'> | null,
): Pick<StoredTexts, 'instructions' | 'prompt'> {
  if (like === null) return { instructions, prompt };
  const [start = like.prompt.length, end = 0] = kept ?? [];
  const whole = like.prompt.slice(0, start) + prompt + like.prompt.slice(like.prompt.length - end);
  return { instructions: like.instructions, prompt: whole };
}

/**
 * Restores the texts of a call. `like`: the prompt of the call it references. `outputs`: the outputs of its run's versions by number.
 * `judged`: the first automatic evaluation of its step, or null.
 */
export function wholeTexts(
  { text, quotes, answered, ...stored }: Omit<StoredTexts, 'likeStep'>,
  like: Pick<StoredTexts, 'instructions' | 'prompt'> | null,
  outputs: ReadonlyMap<number, string>,
  judged: Judged | null,
): Pick<CallEntry, 'instructions' | 'prompt' | 'text'> {
  const { instructions, prompt } = promptOf(stored, like);
  let whole = prompt;
  for (let pair = 0; pair < quotes.length; pair += 2) {
    const at = quotes[pair] ?? 0;
    whole = whole.slice(0, at) + (outputs.get(quotes[pair + 1] ?? -1) ?? '') + whole.slice(at);
  }
  if (answered === null) return { instructions, prompt: whole, text };
  const repeated = answered === JUDGED ? judged && responseOf(judged, text ?? '') : outputs.get(answered);
  return { instructions, prompt: whole, text: repeated ?? '' };
}
