import type { TextRole } from '#lib/core/model-request.ts';
import { type ClassificationPrompt, listLines, readClassificationPrompt } from './classification-prompt.ts';
import { critique, critiqueText, judge, judgementText } from './critique.ts';
import { draft } from './draft.ts';
import { endReflection, lesson, retrospective } from './end-reflection.ts';
import { exactTask } from './exact-task.ts';
import { type Flaw, flawsIn, mentionedFlaws } from './flaws.ts';
import { formatRevision } from './format-revision.ts';
import { hash } from './hash.ts';
import { combinePrompts, diagnoseCases, firstPrompt, labelAtFirstSight, proposePrompt } from './propose-prompt.ts';
import { listItems, type PromptParts, readPrompt } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

type CheckedItems = { items: { number: number; answer: 'yes' | 'no'; reason: string }[]; confidence: number };

type Verdict = { met: boolean; reason: string };

const ADVICE_IN_ORDER = ['guidance', 'went_wrong', 'issues', 'critique', 'suggestions', 'recalled_lessons'] as const;

const WORDY: ((label: string) => string)[] = [
  (label) => `This looks like "${label}" to me.`,
  (label) => `I would put this one under ${label}.`,
  (label) => `Label: ${label}. The sender wants an answer soon.`,
];

type ComparedTexts = {
  winner: 'first' | 'second' | 'neither';
  reason: string;
  issuesOfFirst: string[];
  issuesOfSecond: string[];
  confidence: number;
};

/** Maximum score difference that is treated as chance. */
const CHANCE = 0.05;

/** Signs that a lesson is not advice, each with the reason to report. */
const SIGNS: readonly [RegExp, string][] = [
  [/\b(?:ignore|disregard|forget|override|bypass)\b/i, 'It tells its reader to leave instructions aside.'],
  [
    /\b(?:system prompt|your (?:prompt|instructions)|passwords?|api keys?|credentials?|secrets?)\b/i,
    'It is about secrets or prompts.',
  ],
  [/\b(?:https?:\/\/|www\.)|\b(?:send|post|upload|forward)\b[^.\n]{0,60}\bto\b/i, 'It wants something sent away.'],
  [/<\s*\/|"verdict"|\bverdict\s*:/i, 'It tries to end its quotation or to give its own verdict.'],
];

/** Returns the practice model's response to a prompt in a role. `asJson` requests structured output. */
export function answer(role: Exclude<TextRole, 'turn'>, prompt: string, asJson: boolean): string {
  const parts = readPrompt(prompt);
  switch (role) {
    case 'try':
      return tryPrompt(parts.get('task') ?? '');
    case 'generate': {
      const task = parts.get('task') ?? '';
      const lessons = [...listItems(parts.get('lessons')), ...listItems(parts.get('recalled_lessons'))];
      return exactTask(task)?.attempt(lessons) ?? draft(task, lessons);
    }
    case 'evaluate':
    case 'judge':
      if (parts.has('checklist')) return inForm(checkItems(parts), checkedText, asJson);
      if (parts.has('first') && parts.has('second')) return inForm(compareTexts(parts), comparedText, asJson);
      return inForm(judge(parts), judgementText, asJson);
    case 'reflect':
      return reflect(prompt, parts, asJson);
    case 'lesson_check':
      return inForm(checkLesson(parts), formText, asJson);
    case 'revise':
      return revise(parts, asJson);
    case 'lesson':
      // An agent's attempt also has a trajectory, but only a retrospective requests a form.
      if (!parts.has('answer_form')) return lesson(parts);
      return inForm(lookBack(parts), formText, asJson);
  }
}

function reflect(prompt: string, parts: PromptParts, asJson: boolean): string {
  if (parts.has('accepted_prompts')) return combinePrompts(parts);
  if (parts.has('current_prompt')) return asksForDiagnosis(prompt) ? diagnoseCases(parts) : proposePrompt(parts);
  if (parts.has('task_description')) return firstPrompt(parts);
  return inForm(critique(parts), critiqueText, asJson);
}

function lookBack(parts: PromptParts): object {
  return parts.get('answer_form')?.includes('"skills"') ? retrospective(parts) : endReflection(parts);
}

/** A request for a diagnosis says so in its last line. Earlier lines may quote cases. */
function asksForDiagnosis(prompt: string): boolean {
  return prompt.slice(prompt.lastIndexOf('\n') + 1).includes('Do not write a new prompt yet.');
}

/** Formats a response as JSON if that was requested, and otherwise as text. */
function inForm<Content>(content: Content, format: (content: Content) => string, asJson: boolean): string {
  return asJson ? JSON.stringify(content, null, 1) : format(content);
}

/** Formats a response that was requested with a form as a block in a text. */
function formText(content: object): string {
  return `Looking back on the run:\n\`\`\`json\n${JSON.stringify(content, null, 1)}\n\`\`\``;
}

/** Checks a new lesson's text for a few signs of injected instructions. */
function checkLesson(parts: PromptParts): { verdict: 'harmless' | 'suspicious'; reason: string } {
  const text = parts.get('checked_lesson') ?? '';
  const sign = SIGNS.find(([pattern]) => pattern.test(text));
  return sign === undefined
    ? { verdict: 'harmless', reason: 'It gives advice for a task and nothing else.' }
    : { verdict: 'suspicious', reason: sign[1] };
}

/** Compares two texts by judging each separately, so their order has no effect. */
function compareTexts(parts: PromptParts): ComparedTexts {
  const judged = (text: string) => judge(new Map([...parts, ['candidate', text]])).criteria[0];
  const first = judged(parts.get('first') ?? '');
  const second = judged(parts.get('second') ?? '');
  const ahead = (first?.score ?? 0) - (second?.score ?? 0);
  const winner = Math.abs(ahead) <= CHANCE ? 'neither' : ahead > 0 ? 'first' : 'second';
  return {
    winner,
    reason: winner === 'neither' ? 'Both have as few flaws.' : `The ${winner} has fewer flaws that concern this.`,
    issuesOfFirst: first?.issues ?? [],
    issuesOfSecond: second?.issues ?? [],
    confidence: 0.9,
  };
}

/** Formats the comparison as plain text, for requests without structured output. */
function comparedText({ winner, reason }: ComparedTexts): string {
  return `winner: ${winner}\n${reason}`;
}

/**
 * Answers a prompt under tuning, filled in for one case. A classification prompt is answered by its rules, or else by first impression.
 * Lists in any other prompt are treated as advice on the task.
 */
function tryPrompt(prompt: string): string {
  const sorting = readClassificationPrompt(prompt);
  if (sorting !== null) return classifyText(sorting);
  const advice = listLines(prompt);
  const task = prompt
    .split('\n')
    .filter((line) => !/^ {0,3}[-*] /.test(line))
    .join('\n')
    .trim();
  return exactTask(task)?.attempt(advice) ?? draft(task, advice);
}

/** The first matching rule decides. */
function classifyText({ labels, rules, labelOnly, text }: ClassificationPrompt): string {
  const plain = text.replaceAll('’', "'");
  const label = rules.find((rule) => rule.fits(plain))?.label ?? labelAtFirstSight(plain, labels);
  return labelOnly ? label : (WORDY[hash(text, 'wordy') % WORDY.length]?.(label) ?? label);
}

/**
 * Fixes some of the draft's flaws that the prompt mentions, two or three per round. Priority: a person's guidance, errors, issues,
 * critique, suggestions, recalled lessons. Without any of them, nothing changes. Responds in the requested form.
 */
function revise(parts: PromptParts, asJson: boolean): string {
  const task = parts.get('task') ?? '';
  const words = taskTerms(task);
  const original = parts.get('draft') ?? '';
  const fixesPerRound = 2 + (hash(task, 'mends a round') % 2);
  let text = original;
  let fixed = 0;
  for (const flaw of mentionedInPrompt(parts)) {
    if (fixed >= fixesPerRound) break;
    if (flaw.find(text, words) === null) continue;
    const flawed = flaw.flawed(words);
    text =
      flawed !== '' && text.includes(flawed) ? text.replace(flawed, () => flaw.good(words)) : flaw.fix(text, words);
    fixed++;
  }
  return formatRevision(parts.get('answer_form'), { draft: original, revised: text }, asJson);
}

function mentionedInPrompt(parts: PromptParts): Flaw[] {
  const remarks = ADVICE_IN_ORDER.flatMap((tag) => listItems(parts.get(tag)));
  return [...new Set(remarks.flatMap(mentionedFlaws))];
}

/**
 * Answers a checklist by rules, from the candidate's text only. An item about a flaw passes if the text is free of it. One with a quotation
 * passes if the text contains it. Any other passes if the text contains half of its longer words. A task with one right answer is judged by
 * that answer.
 */
function checkItems(parts: PromptParts): CheckedItems {
  const task = parts.get('task') ?? '';
  const candidate = parts.get('candidate') ?? '';
  const exact = exactTask(task);
  const found = exact === null ? flawsIn(candidate, taskTerms(task)) : [];
  const items = listItems(parts.get('checklist')).map((line) => {
    const [, number = '0', item = line] = /^(\d+): ([\s\S]*)$/.exec(line) ?? [];
    const verdict = exact === null ? check(item, candidate, found) : ofExact(exact.judge(candidate));
    return { number: Number(number), answer: verdict.met ? ('yes' as const) : ('no' as const), reason: verdict.reason };
  });
  return { items, confidence: 0.9 };
}

/** Formats the answers as plain text, for requests without structured output. */
function checkedText({ items }: CheckedItems): string {
  return items.map(({ number, answer, reason }) => `${number}: ${answer} - ${reason}`).join('\n');
}

function ofExact({ score, reason }: { score: number; reason: string }): Verdict {
  return { met: score >= 0.5, reason };
}

function check(item: string, candidate: string, found: ReturnType<typeof flawsIn>): Verdict {
  const mentioned = mentionedFlaws(item);
  if (mentioned.length > 0) {
    const there = found.find(({ flaw }) => mentioned.includes(flaw));
    return there === undefined
      ? { met: true, reason: 'No flaw found that concerns this.' }
      : { met: false, reason: there.flaw.issue(there.found) };
  }
  const text = candidate.toLowerCase();
  const quoted = [...item.matchAll(/"([^"\n]+)"/g)].map(([, inside = '']) => inside.toLowerCase());
  const wanted = quoted.length > 0 ? quoted : (item.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
  const missing = wanted.filter((word) => !text.includes(word));
  const met = text.trim() !== '' && missing.length <= (quoted.length > 0 ? 0 : wanted.length / 2);
  return { met, reason: met ? 'The text speaks of it.' : `Not found: ${missing.join(', ') || 'any text'}.` };
}
