import type { TextRole } from '#lib/core/model-request.ts';
import { critique, critiqueText, judge, judgementText } from './critique.ts';
import { draft } from './draft.ts';
import { endReflection, lesson, retrospective } from './end-reflection.ts';
import { exactTask } from './exact-task.ts';
import { type Flaw, flawsIn, flawsSpokenOf } from './flaws.ts';
import { hash } from './hash.ts';
import { inForm } from './in-form.ts';
import { combinePrompts, diagnoseCases, firstPrompt, labelAtFirstSight, proposePrompt } from './propose-prompt.ts';
import { listItems, type PromptParts, readPrompt } from './read-prompt.ts';
import { listLines, readSortingPrompt, type SortingPrompt } from './sorting-prompt.ts';
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

/** Scores differ by chance by less than this. */
const CHANCE = 0.05;

/** Words that turn advice into something else, and what to say of them. */
const SIGNS: readonly [RegExp, string][] = [
  [/\b(?:ignore|disregard|forget|override|bypass)\b/i, 'It tells its reader to leave instructions aside.'],
  [
    /\b(?:system prompt|your (?:prompt|instructions)|passwords?|api keys?|credentials?|secrets?)\b/i,
    'It is about secrets or prompts.',
  ],
  [/\b(?:https?:\/\/|www\.)|\b(?:send|post|upload|forward)\b[^.\n]{0,60}\bto\b/i, 'It wants something sent away.'],
  [/<\s*\/|"verdict"|\bverdict\s*:/i, 'It tries to end its quotation or to give its own verdict.'],
];

/** What the practice model answers to a prompt in a role; `asJson` where structured output is asked for. */
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
    case 'judge': {
      if (parts.has('checklist')) {
        const checked = checkItems(parts);
        return asJson ? JSON.stringify(checked, null, 1) : checkedText(checked);
      }
      if (parts.has('first') && parts.has('second')) {
        const compared = compareTexts(parts);
        return asJson ? JSON.stringify(compared, null, 1) : comparedText(compared);
      }
      const judgement = judge(parts);
      return asJson ? JSON.stringify(judgement, null, 1) : judgementText(judgement);
    }
    case 'reflect': {
      if (parts.has('accepted_prompts')) return combinePrompts(parts);
      if (parts.has('current_prompt')) return asksForDiagnosis(prompt) ? diagnoseCases(parts) : proposePrompt(parts);
      if (parts.has('task_description')) return firstPrompt(parts);
      const reply = critique(parts);
      return asJson ? JSON.stringify(reply, null, 1) : critiqueText(reply);
    }
    case 'lesson_check':
      return inJson(checkLesson(parts), asJson);
    case 'revise':
      return revise(parts, asJson);
    case 'lesson':
      // An attempt of an agent has a trajectory of its own; a look back on a run asks for a form.
      if (!parts.has('answer_form')) return lesson(parts);
      return inJson(
        parts.get('answer_form')?.includes('"skills"') ? retrospective(parts) : endReflection(parts),
        asJson,
      );
  }
}

/** The last line of a request for a diagnosis says so; cases are quoted before it. */
function asksForDiagnosis(prompt: string): boolean {
  return prompt.slice(prompt.lastIndexOf('\n') + 1).includes('Do not write a new prompt yet.');
}

/** As asked for by a form: the object alone, or as a block in a text. */
function inJson(reply: object, asJson: boolean): string {
  const json = JSON.stringify(reply, null, 1);
  return asJson ? json : `Looking back on the run:\n\`\`\`json\n${json}\n\`\`\``;
}

/** Whether a new lesson gives orders, by a few signs in its text. */
function checkLesson(parts: PromptParts): { verdict: 'harmless' | 'suspicious'; reason: string } {
  const text = parts.get('checked_lesson') ?? '';
  const sign = SIGNS.find(([pattern]) => pattern.test(text));
  return sign === undefined
    ? { verdict: 'harmless', reason: 'It gives advice for a task and nothing else.' }
    : { verdict: 'suspicious', reason: sign[1] };
}

/** Compares two texts by judging each alone: the order makes no difference. */
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

/** The comparison in plain words, as asked for without structure. */
function comparedText({ winner, reason }: ComparedTexts): string {
  return `winner: ${winner}\n${reason}`;
}

/**
 * An answer to a prompt that is being tuned, filled in for one case. Sorting is done by the prompt's rules, else at first sight; any
 * other prompt is a task whose lists are advice on how to do it.
 */
function tryPrompt(prompt: string): string {
  const sorting = readSortingPrompt(prompt);
  if (sorting !== null) return sorted(sorting);
  const advice = listLines(prompt);
  const task = prompt
    .split('\n')
    .filter((line) => !/^ {0,3}[-*] /.test(line))
    .join('\n')
    .trim();
  return exactTask(task)?.attempt(advice) ?? draft(task, advice);
}

/** The first rule that fits decides. */
function sorted({ labels, rules, labelOnly, text }: SortingPrompt): string {
  const plain = text.replaceAll('’', "'");
  const label = rules.find((rule) => rule.fits(plain))?.label ?? labelAtFirstSight(plain, labels);
  return labelOnly ? label : (WORDY[hash(text, 'wordy') % WORDY.length]?.(label) ?? label);
}

/**
 * The draft with some of the flaws fixed that the prompt speaks of: first what a person asks for, then what went wrong, the
 * issues, the critique, the suggestions and the recalled lessons, two or three a round. Told nothing, it changes nothing. Answers in the form asked for.
 */
function revise(parts: PromptParts, asJson: boolean): string {
  const task = parts.get('task') ?? '';
  const words = taskTerms(task);
  const original = parts.get('draft') ?? '';
  const fixesPerRound = 2 + (hash(task, 'mends a round') % 2);
  let text = original;
  let fixed = 0;
  for (const flaw of spokenOf(parts)) {
    if (fixed >= fixesPerRound) break;
    if (flaw.find(text, words) === null) continue;
    const flawed = flaw.flawed(words);
    text =
      flawed !== '' && text.includes(flawed) ? text.replace(flawed, () => flaw.good(words)) : flaw.fix(text, words);
    fixed++;
  }
  return inForm(parts.get('answer_form'), { draft: original, revised: text }, asJson);
}

function spokenOf(parts: PromptParts): Flaw[] {
  const remarks = ADVICE_IN_ORDER.flatMap((tag) => listItems(parts.get(tag)));
  return [...new Set(remarks.flatMap(flawsSpokenOf))];
}

/**
 * Answers a checklist by rules, from the candidate's text alone. An item that speaks of a flaw is met where the text is free of
 * it; one that quotes something, where the text holds it; any other, where the text has half of its longer words. A task with
 * one right answer is judged by that answer.
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

/** The answers in plain words, as asked for without structure. */
function checkedText({ items }: CheckedItems): string {
  return items.map(({ number, answer, reason }) => `${number}: ${answer} - ${reason}`).join('\n');
}

function ofExact({ score, reason }: { score: number; reason: string }): Verdict {
  return { met: score >= 0.5, reason };
}

function check(item: string, candidate: string, found: ReturnType<typeof flawsIn>): Verdict {
  const spokenOf = flawsSpokenOf(item);
  if (spokenOf.length > 0) {
    const there = found.find(({ flaw }) => spokenOf.includes(flaw));
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
