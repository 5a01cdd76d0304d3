import { FLAWS, mentionedFlaws } from './flaws.ts';
import { hash, shuffled } from './hash.ts';
import { type TaskTerms, taskTerms } from './task-terms.ts';

/** Returns a first draft with seven to nine flaws, always the same ones for a task. A lesson removes only the flaws it mentions. */
export function draft(task: string, lessons: string[]): string {
  const words = taskTerms(task);
  const flawed = new Set(flawsOfFirstDraft(task));
  for (const flaw of lessons.flatMap(mentionedFlaws)) flawed.delete(flaw.id);
  return PARAGRAPHS.map((ids) => ids.map((id) => sentenceFor(id, flawed.has(id), words)).filter((text) => text !== ''))
    .filter((sentences) => sentences.length > 0)
    .map((sentences) => sentences.join(' '))
    .join('\n\n');
}

const PARAGRAPHS = [
  ['no_opening', 'ignores_reader', 'vague_words'],
  ['long_sentence', 'no_reason', 'bare_claim'],
  ['hedging', 'repeated_sentence', 'shouting'],
  ['missing_steps'],
  ['no_example'],
  ['no_caveat'],
  ['no_summary'],
];

function flawsOfFirstDraft(task: string): string[] {
  const count = 7 + (hash(task, 'how many flaws') % 3);
  return shuffled(FLAWS, `${task} flaws`)
    .slice(0, count)
    .map((flaw) => flaw.id);
}

function sentenceFor(id: string, flawed: boolean, words: TaskTerms): string {
  const flaw = FLAWS.find((candidate) => candidate.id === id);
  if (flaw === undefined) return '';
  return flawed ? flaw.flawed(words) : flaw.good(words);
}
