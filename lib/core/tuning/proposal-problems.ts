import { chatPromptProblems, messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { estimatedTokens, UNSPACED_SCRIPTS } from '#lib/core/estimated-tokens.ts';
import type { History, ProposalProblem, TuningCase, Version } from '#lib/core/history.ts';
import { inputFieldText, metadataKey, templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { wordWeight } from '#lib/core/text-values.ts';
import { componentsProblem, hasComponentLine, partOf, splitComponents, wholeText } from '../targets/component-texts.ts';
import { isSameParameters, parametersOf } from './candidate-parameters.ts';
import type { ReadProposal } from './read-proposal.ts';

/**
 * Returns the problems that guards find in a proposed prompt before it is scored. All but `copied_example` hold it back. A text that could
 * not be parsed has no further problems. `outputs`: the outputs on training cases in the model's request, by position. `component`: the one
 * that `prompt` is a new text of. Undefined means the whole text.
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

/** Returns the problems that prevent a text from replacing a prompt: different components, roles or variables, or an empty text. */
export function formProblems(prompt: string, cases: TuningCase[], before: string): ProposalProblem[] {
  const divided = componentProblems(prompt, { output: before }, undefined);
  if (divided.length > 0) return divided;
  return partsOf(prompt, before).flatMap(([now, old]) => [
    ...(now.trim() === '' ? [{ kind: 'empty' as const, text: 'It would be empty.' }] : []),
    ...roleProblems(now, old),
    ...variableProblems(now, cases, old),
  ]);
}

/** Returns each component of a text with its earlier version, or the texts themselves if they contain no components. */
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
  const isDivided = component !== undefined && hasComponentLine(prompt);
  const found = isDivided ? `It must contain only the text of ${component}.` : text;
  return found === null ? [] : [{ kind: 'missing_variable', text: found }];
}

function sameText(
  prompt: string,
  history: Pick<History, 'versions'>,
  parent: Pick<Version, 'output'> & { number?: number },
): ProposalProblem[] {
  if (normal(prompt) === normal(parent.output))
    return [{ kind: 'unchanged', text: 'It is identical to the prompt that it should improve.' }];
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

/** The messages of a chat prompt must keep their roles and order, and a plain prompt must stay plain. */
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

/** Describes the roles of a chat prompt in order. Null for a plain prompt. */
function rolesOf(prompt: string): string | null {
  const messages = messagesOfPrompt(prompt);
  return messages === null ? null : messages.map(({ role }) => (role === 'history' ? '{{history}}' : role)).join(', ');
}

/** A variable that the parent also has is never unknown, because the author of the first prompt has seen it. */
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
      text: `No case has a value for the variable {{${name}}}.`,
    })),
  ];
}

function isFilled(name: string, cases: TuningCase[]): boolean {
  if (name.startsWith('input.'))
    return cases.some(({ input }) => inputFieldText(input, name.slice('input'.length)) !== null);
  const key = metadataKey(name);
  return key === null || cases.some(({ metadata }) => Object.hasOwn(metadata, key));
}

function lengthProblem(prompt: string, most: number): ProposalProblem[] {
  const tokens = estimatedTokens(prompt);
  if (tokens <= most) return [];
  return [{ kind: 'too_long', text: `It has about ${tokens} tokens. At most ${most} are allowed.` }];
}

/** Number of consecutive words that two texts do not share by chance. */
const COPIED_RUN_WORDS = 12;
/** A shorter text counts as quoted if the prompt contains all of it. Texts with fewer words, such as a label, are allowed. */
const MIN_QUOTED_WORDS = 4;
/** Number of consecutive words of an input that make a line with its answer an example. Shorter phrases may be part of a rule. */
const PAIR_WORDS = 5;
const MIN_PAIR_WORDS = 3;
/** Maximum number of inputs next to their answers. More are a list of examples. */
const MAX_PAIRS = 3;
/** Wording shared by this many different texts of the cases is not a copy of one of them. */
const COMMON_TEXTS = 3;
const MAX_NAMED_CASES = 5;

/**
 * Returns the problems of a proposed prompt that copies cases. Rejects (`copied_cases`) copies of training cases, the only ones shown to
 * its model:
 * - 12 consecutive words of an input, a reference or an output, or all of an input or reference of 4 to 11 words;
 * - more than 3 inputs, by 5 consecutive words (all of one of 3 or 4 words), with their references on the line, the next one or the
 *   heading.
 * A quotation of other cases is only flagged (`copied_example`). Not a copy: text of the parent prompt, wording shared by 3 or more
 * different texts, and a reference of several cases, which is a label that rules may name. Case and punctuation are ignored. `outputs`: the
 * outputs on training cases in the model's request, by position.
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
      .slice(0, MAX_NAMED_CASES)
      .map((text) => ({ kind: 'copied_cases' as const, text })),
    ...flagged.slice(0, MAX_NAMED_CASES).map(({ text }) => ({ kind: 'copied_example' as const, text })),
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

/** Returns one entry per case and text that the prompt quotes, with the first words of the quotation. */
function quotedTexts(prompt: string, parent: string, cases: readonly WordedCase[]): Quoted[] {
  const [now, before] = [quotable(prompt), quotable(parent)];
  const isNew = (piece: string[]) => includesPiece(now, piece) && !includesPiece(before, piece);
  const labels = sharedTexts(cases.map(({ reference }) => reference));
  const found = cases
    .flatMap(({ position, isTraining, input, reference, output }) => [
      { what: 'input', words: input, least: MIN_QUOTED_WORDS, position, isTraining },
      {
        what: 'reference',
        words: labels.has(spaced(reference)) ? [] : reference,
        least: MIN_QUOTED_WORDS,
        position,
        isTraining,
      },
      { what: 'output', words: output, least: COPIED_RUN_WORDS, position, isTraining },
    ])
    .map((one) => ({ ...one, copied: piecesOf(one.words, one.least, now.words).filter(isNew) }));
  const isCommon = commonPieces(found.map(({ words, copied }) => ({ words, pieces: copied })));
  return found.flatMap(({ what, position, isTraining, copied }) => {
    const piece = copied.find((one) => !isCommon(one));
    if (piece === undefined) return [];
    return [{ isTraining, text: `It quotes the ${what} of case ${position + 1}: “${piece.join(' ')}”.` }];
  });
}

/** Returns a sentence if the prompt contains more training cases with their answers than allowed. */
function listedPairs(prompt: string, parent: string, cases: readonly WordedCase[]): string[] {
  const before = quotable(parent).text;
  const passages = passagesOf(prompt).map((words) => ({ text: spaced(words), runs: pairRuns(words) }));
  const runs = new Set(passages.flatMap((passage) => [...passage.runs]));
  const known = new Set(wordsOf(prompt));
  const found = cases.map((one) => {
    const pieces = one.reference.length === 0 ? [] : runsOf(one.input, PAIR_WORDS, MIN_PAIR_WORDS, known);
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
  if (listed.length <= MAX_PAIRS) return [];
  const named = listed.slice(0, MAX_NAMED_CASES).map(({ position }) => position + 1);
  const more = listed.length > named.length ? ' and others' : '';
  return [`It lists ${listed.length} training cases with their answers: ${named.join(', ')}${more}.`];
}

/** Returns all runs of 3, 4 and 5 consecutive words. */
function pairRuns(words: string[]): Set<string> {
  const lengths = Array.from({ length: PAIR_WORDS - MIN_PAIR_WORDS + 1 }, (_length, at) => MIN_PAIR_WORDS + at);
  return new Set(lengths.flatMap((length) => runsOf(words, length, length).map(spaced)));
}

/** Returns each line with the next one and its heading, because an example's answer may be in any of them. */
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
  return { text: spaced(words), runs: new Set(runsOf(words, COPIED_RUN_WORDS, 1).map(spaced)), words: new Set(words) };
}

function includesPiece({ text, runs }: Quotable, piece: string[]): boolean {
  return piece.length === COPIED_RUN_WORDS ? runs.has(spaced(piece)) : text.includes(spaced(piece));
}

/** Returns all runs of twelve consecutive words. A shorter text is one piece, and one with fewer words than `least` has none. */
function piecesOf(words: string[], least: number, known: ReadonlySet<string>): string[][] {
  return wordWeight(words) < least ? [] : runsOf(words, COPIED_RUN_WORDS, 1, known);
}

/**
 * Returns all runs of `length` consecutive words, or all of a shorter text with at least `least` words. With `known`, only runs that start
 * and end with a known word.
 */
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

/** Returns a check for pieces that several different texts contain. */
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

function sharedTexts(all: readonly string[][]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const text of all.map(spaced)) (seen.has(text) ? shared : seen).add(text);
  return shared;
}

const WORD = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** Scripts without spaces between words are split into letters. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** Adds spaces around words, so that only whole words match. */
function spaced(words: string[]): string {
  return ` ${words.join(' ')} `;
}
