import { chatPromptProblems, messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import type { History, ProposalProblem, TuningCase, Version } from '#lib/core/history.ts';
import { inputFieldText, templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { estimatedTokens } from '#lib/core/text-values.ts';
import {
  componentsProblem,
  holdsComponentLine,
  partOf,
  splitComponents,
  wholeText,
} from '../targets/component-texts.ts';
import { isSameParameters, parametersOf } from './candidate-parameters.ts';
import type { ReadProposal } from './read-proposal.ts';

/**
 * What the guards find wrong with a proposed prompt, before it is tried and paid for. All but `copied_example` hold it back. Of a text
 * that could not be read nothing else is said. `outputs`: what its model was shown of training cases, by position. `component`: the one
 * that `prompt` is a new text of; undefined for all of the text.
 */
export function proposalProblems(
  { prompt, problem }: Pick<ReadProposal, 'prompt' | 'problem'>,
  history: Pick<History, 'versions' | 'cases'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  parent: Pick<Version, 'output'> & { number?: number },
  outputs: ReadonlyMap<number, string> = new Map(),
  component?: string,
): ProposalProblem[] {
  if (problem !== null) return [problem];
  const divided = componentProblems(prompt, parent, component);
  if (divided.length > 0) return divided;
  const before = partOf(parent.output, component);
  return [
    ...sameText(wholeText(prompt, parent.output, component), history, parent),
    ...partsOf(prompt, before).flatMap(([now, old]) => [
      ...roleProblems(now, old),
      ...variableProblems(now, history.cases, old),
      ...lengthProblem(now, tune.maxPromptTokens),
    ]),
    ...copiedExamples(prompt, history.cases, before, outputs),
  ];
}

/** Problems that keep a text from being used in place of a prompt: other components, roles or variables, or no text at all. */
export function formProblems(prompt: string, cases: TuningCase[], before: string): ProposalProblem[] {
  const divided = componentProblems(prompt, { output: before }, undefined);
  if (divided.length > 0) return divided;
  return partsOf(prompt, before).flatMap(([now, old]) => [
    ...(now.trim() === '' ? [{ kind: 'empty' as const, text: 'It would be empty.' }] : []),
    ...roleProblems(now, old),
    ...variableProblems(now, cases, old),
  ]);
}

/** Each component of a text with the one it was made from; the texts themselves where they hold no components. */
function partsOf(prompt: string, before: string): [now: string, old: string][] {
  const names = [...splitComponents(before).keys()];
  return names.length === 0 ? [[prompt, before]] : names.map((name) => [partOf(prompt, name), partOf(before, name)]);
}

function componentProblems(
  prompt: string,
  parent: Pick<Version, 'output'>,
  component: string | undefined,
): ProposalProblem[] {
  const names = [...splitComponents(parent.output).keys()];
  if (names.length < 2) return [];
  const text = component === undefined ? componentsProblem(prompt, names) : null;
  const isDivided = component !== undefined && holdsComponentLine(prompt);
  const found = isDivided ? `It must hold the text of ${component} only.` : text;
  return found === null ? [] : [{ kind: 'missing_variable', text: found }];
}

function sameText(
  prompt: string,
  history: Pick<History, 'versions'>,
  parent: Pick<Version, 'output'> & { number?: number },
): ProposalProblem[] {
  if (normal(prompt) === normal(parent.output))
    return [{ kind: 'unchanged', text: 'It is the very prompt it was to improve.' }];
  const parameters = parent.number === undefined ? {} : parametersOf(history, parent.number);
  const before = history.versions.find(
    ({ output, outputDropped, number }) =>
      !outputDropped &&
      normal(output) === normal(prompt) &&
      isSameParameters(parametersOf(history, number), parameters),
  );
  return before === undefined ? [] : [{ kind: 'repeated', text: `Version ${before.number} has the same text.` }];
}

function normal(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}

/** The messages of a chat prompt keep their roles and their order, and a plain prompt stays plain. */
function roleProblems(prompt: string, parent: string): ProposalProblem[] {
  const problem = (text: string): ProposalProblem[] => [{ kind: 'changed_roles', text }];
  const [wrong] = chatPromptProblems(prompt);
  if (wrong !== undefined) return problem(`Its role lines are wrong: ${wrong.message}.`);
  const [now, before] = [rolesOf(prompt), rolesOf(parent)];
  if (now === before) return [];
  if (before === null) return problem('It has role lines, and the prompt that it improves has none.');
  if (now === null) return problem(`It lost its role lines. The messages must be: ${before}.`);
  return problem(`Its messages are ${now}. They must be: ${before}.`);
}

/** The roles of a chat prompt in their order, in words; null for a plain prompt. */
function rolesOf(prompt: string): string | null {
  const messages = messagesOfPrompt(prompt);
  return messages === null ? null : messages.map(({ role }) => (role === 'history' ? '{{history}}' : role)).join(', ');
}

/** A variable that its parent has too is never unknown: it was seen by whoever wrote the first prompt. */
function variableProblems(prompt: string, cases: TuningCase[], parent: string): ProposalProblem[] {
  const before = templateVariables(parent);
  const now = templateVariables(prompt);
  const has = (list: { name: string }[], name: string) => list.some((one) => one.name === name);
  const missing = before.filter(({ name, known }) => known && !has(now, name));
  const unknown = now.filter(({ name, known }) => !has(before, name) && !(known && isFilled(name, cases)));
  return [
    ...missing.map(({ name }) => ({
      kind: 'missing_variable' as const,
      text: `It lost the variable {{${name}}}.`,
    })),
    ...unknown.map(({ name }) => ({
      kind: 'unknown_variable' as const,
      text: `No case has anything for the variable {{${name}}}.`,
    })),
  ];
}

const METADATA = 'metadata.';

function isFilled(name: string, cases: TuningCase[]): boolean {
  if (name.startsWith('input.'))
    return cases.some(({ input }) => inputFieldText(input, name.slice('input'.length)) !== null);
  if (!name.startsWith(METADATA)) return true;
  return cases.some(({ metadata }) => Object.hasOwn(metadata, name.slice(METADATA.length)));
}

function lengthProblem(prompt: string, most: number): ProposalProblem[] {
  const tokens = estimatedTokens(prompt);
  if (tokens <= most) return [];
  return [{ kind: 'too_long', text: `It has about ${tokens} tokens. At most ${most} are allowed.` }];
}

/** Words in a row that no two texts share by chance. */
const RUNNING_LABELS = 12;
/** A shorter text counts as quoted when all of it stands in the prompt; with fewer words, such as a label, it may. */
const FEWEST_WORDS = 4;
/** Words in a row of an input that make a line with its answer an example; shorter phrases may stand in a rule. */
const PAIR_WORDS = 5;
const FEWEST_PAIR_WORDS = 3;
/** So many inputs may stand beside their answers; more are a list of examples. */
const MOST_PAIRS = 3;
/** Wording that so many different texts of the cases share is not a copy of one of them. */
const COMMON_TEXTS = 3;
const MOST_NAMED = 5;

/**
 * Cases that a proposed prompt copies. Refused (`copied_cases`) of training cases, the only ones its model was shown:
 * - 12 words in a row of an input, a reference or an output, or all of an input or reference of 4 to 11 words;
 * - more than 3 inputs, by 5 words in a row (all of one of 3 or 4 words), with their references on the line, the next one or the heading.
 *
 * Of other cases a quotation is only flagged (`copied_example`). Not a copy is what stood in the prompt it was made from, wording that 3
 * or more different texts share, and a reference that several cases have: it is a label, and rules name labels. Capitals and
 * punctuation make no difference. `outputs`: what the model was shown of training cases, by position.
 */
export function copiedExamples(
  prompt: string,
  cases: readonly TuningCase[],
  parent: string,
  outputs: ReadonlyMap<number, string> = new Map(),
): ProposalProblem[] {
  const worded = cases.map((one) => wordedCase(one, outputs.get(one.position) ?? ''));
  const quoted = quotedTexts(prompt, parent, worded);
  const refused = quoted.filter(({ isTraining }) => isTraining);
  const flagged = quoted.filter(({ isTraining }) => !isTraining);
  return [
    ...[...refused.map(({ text }) => text), ...listedPairs(prompt, parent, worded)]
      .slice(0, MOST_NAMED)
      .map((text) => ({ kind: 'copied_cases' as const, text })),
    ...flagged.slice(0, MOST_NAMED).map(({ text }) => ({ kind: 'copied_example' as const, text })),
  ];
}

type WordedCase = { position: number; isTraining: boolean; input: string[]; reference: string[]; output: string[] };

function wordedCase({ position, split, input, reference }: TuningCase, output: string): WordedCase {
  return {
    position,
    isTraining: split === 'train',
    input: wordsOf(input),
    reference: wordsOf(reference ?? ''),
    output: wordsOf(output),
  };
}

type Quoted = { text: string; isTraining: boolean };

/** One for each case and text that the prompt quotes; the quotation is told by its first words. */
function quotedTexts(prompt: string, parent: string, cases: readonly WordedCase[]): Quoted[] {
  const [now, before] = [quotable(prompt), quotable(parent)];
  const isNew = (piece: string[]) => holds(now, piece) && !holds(before, piece);
  const labels = sharedTexts(cases.map(({ reference }) => reference));
  const found = cases
    .flatMap(({ position, isTraining, input, reference, output }) => [
      { what: 'input', words: input, least: FEWEST_WORDS, position, isTraining },
      {
        what: 'reference',
        words: labels.has(spaced(reference)) ? [] : reference,
        least: FEWEST_WORDS,
        position,
        isTraining,
      },
      { what: 'output', words: output, least: RUNNING_LABELS, position, isTraining },
    ])
    .map((one) => ({ ...one, copied: piecesOf(one.words, one.least, now.words).filter(isNew) }));
  const isCommon = commonPieces(found.map(({ words, copied }) => ({ words, pieces: copied })));
  return found.flatMap(({ what, position, isTraining, copied }) => {
    const piece = copied.find((one) => !isCommon(one));
    if (piece === undefined) return [];
    return [{ isTraining, text: `It quotes the ${what} of case ${position + 1}: “${piece.join(' ')}”.` }];
  });
}

/** A sentence where more training cases than allowed stand in the prompt with their answers. */
function listedPairs(prompt: string, parent: string, cases: readonly WordedCase[]): string[] {
  const before = quotable(parent).text;
  const passages = passagesOf(prompt).map((words) => ({ text: spaced(words), runs: pairRuns(words) }));
  const runs = new Set(passages.flatMap((passage) => [...passage.runs]));
  const known = new Set(wordsOf(prompt));
  const found = cases.map((one) => {
    const pieces = one.reference.length === 0 ? [] : runsOf(one.input, PAIR_WORDS, FEWEST_PAIR_WORDS, known);
    const answer = spaced(one.reference);
    const paired = pieces.filter((piece) => {
      const run = spaced(piece);
      if (!runs.has(run) || before.includes(run)) return false;
      return passages.some((passage) => passage.runs.has(run) && passage.text.replace(run, ' ').includes(answer));
    });
    return { ...one, paired };
  });
  const isCommon = commonPieces(found.map(({ input, paired }) => ({ words: input, pieces: paired })));
  const listed = found.filter(({ isTraining, paired }) => isTraining && paired.some((piece) => !isCommon(piece)));
  if (listed.length <= MOST_PAIRS) return [];
  const named = listed.slice(0, MOST_NAMED).map(({ position }) => position + 1);
  const more = listed.length > named.length ? ' and others' : '';
  return [`It lists ${listed.length} training cases with their answers: ${named.join(', ')}${more}.`];
}

/** Every 3, 4 and 5 words in a row. */
function pairRuns(words: string[]): Set<string> {
  const lengths = Array.from({ length: PAIR_WORDS - FEWEST_PAIR_WORDS + 1 }, (_length, at) => FEWEST_PAIR_WORDS + at);
  return new Set(lengths.flatMap((length) => runsOf(words, length, length).map(spaced)));
}

/** Each line with the one after it and the heading it stands under: an example's answer may stand in any of them. */
function passagesOf(prompt: string): string[][] {
  const lines = prompt.split('\n').filter((line) => line.trim() !== '');
  let heading = '';
  return lines.map((line, at) => {
    const under = heading;
    if (/^\s*#|:\s*$/.test(line)) heading = line;
    return wordsOf([under, line, lines[at + 1] ?? ''].join('\n'));
  });
}

type Quotable = { text: string; runs: Set<string>; words: Set<string> };

function quotable(text: string): Quotable {
  const words = wordsOf(text);
  return { text: spaced(words), runs: new Set(runsOf(words, RUNNING_LABELS, 1).map(spaced)), words: new Set(words) };
}

function holds({ text, runs }: Quotable, piece: string[]): boolean {
  return piece.length === RUNNING_LABELS ? runs.has(spaced(piece)) : text.includes(spaced(piece));
}

/** Every twelve words in a row; a shorter text is one piece, one with fewer words than `least` none. */
function piecesOf(words: string[], least: number, known: ReadonlySet<string>): string[][] {
  return weightOf(words) < least ? [] : runsOf(words, RUNNING_LABELS, 1, known);
}

/** Every `length` words in a row; all of a shorter text that has `least`. Only such as begin and end with a `known` word. */
function runsOf(words: string[], length: number, least: number, known?: ReadonlySet<string>): string[][] {
  if (words.length < least) return [];
  const size = Math.min(length, words.length);
  const runs: string[][] = [];
  for (let at = 0; at + size <= words.length; at++) {
    const isKnown = (word: string | undefined) => known === undefined || (word !== undefined && known.has(word));
    if (isKnown(words[at]) && isKnown(words[at + size - 1])) runs.push(words.slice(at, at + size));
  }
  return runs;
}

/** Returns a check for pieces that several different texts hold. */
function commonPieces(found: readonly { words: string[]; pieces: string[][] }[]): (piece: string[]) => boolean {
  const texts = new Map<string, Set<string>>();
  for (const { words, pieces } of found) {
    const text = pieces.length === 0 ? '' : spaced(words);
    for (const piece of pieces) {
      const key = spaced(piece);
      texts.set(key, (texts.get(key) ?? new Set()).add(text));
    }
  }
  return (piece) => (texts.get(spaced(piece))?.size ?? 0) >= COMMON_TEXTS;
}

/** Texts that more than one case has. */
function sharedTexts(all: readonly string[][]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const text of all.map(spaced)) (seen.has(text) ? shared : seen).add(text);
  return shared;
}

const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
const UNSPACED_LETTER = new RegExp(`^[${UNSPACED}]$`, 'u');

/** Scripts that put no spaces between words are taken letter by letter. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** Words, where letters of scripts without spaces count half. */
function weightOf(words: string[]): number {
  return words.reduce((sum, word) => sum + (UNSPACED_LETTER.test(word) ? 0.5 : 1), 0);
}

/** Between spaces, so that only whole words are found. */
function spaced(words: string[]): string {
  return ` ${words.join(' ')} `;
}
