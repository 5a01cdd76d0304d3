import { exactTask } from './exact-task.ts';
import { flawsIn, flawsSpokenOf } from './flaws.ts';
import { listItems, type PromptParts } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

export type CheckedItems = { items: { number: number; answer: 'yes' | 'no'; reason: string }[]; confidence: number };

/**
 * Answers a checklist by rules, from the candidate's text alone. An item that speaks of a flaw is met where the text is free of
 * it; one that quotes something, where the text holds it; any other, where the text has half of its longer words. A task with
 * one right answer is judged by that answer.
 */
export function checkItems(parts: PromptParts): CheckedItems {
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
export function checkedText({ items }: CheckedItems): string {
  return items.map(({ number, answer, reason }) => `${number}: ${answer} - ${reason}`).join('\n');
}

type Verdict = { met: boolean; reason: string };

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
