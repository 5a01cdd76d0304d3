import { draft } from './draft.ts';
import { exactTask } from './exact-task.ts';
import { hash } from './hash.ts';
import { labelAtFirstSight } from './sorting-knowledge.ts';
import { listLines, readSortingPrompt, type SortingPrompt } from './sorting-prompt.ts';

/**
 * An answer to a prompt that is being tuned, filled in for one case. Sorting is done by the prompt's rules, else at first sight; any
 * other prompt is a task whose lists are advice on how to do it.
 */
export function tryPrompt(prompt: string): string {
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

const WORDY: ((label: string) => string)[] = [
  (label) => `This looks like "${label}" to me.`,
  (label) => `I would put this one under ${label}.`,
  (label) => `Label: ${label}. The sender wants an answer soon.`,
];
