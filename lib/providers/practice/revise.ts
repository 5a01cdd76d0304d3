import type { Flaw } from './flaw.ts';
import { flawsSpokenOf } from './flaws.ts';
import { hash } from './hash.ts';
import { inForm } from './in-form.ts';
import { listItems, type PromptParts } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

/**
 * The draft with some of the flaws mended that the prompt speaks of: first what a person asks for, then what went wrong, the
 * issues, the critique, the suggestions and the recalled lessons, two or three a round. Told nothing, it changes nothing. Answers in the form asked for.
 */
export function revise(parts: PromptParts, asJson: boolean): string {
  const task = parts.get('task') ?? '';
  const words = taskTerms(task);
  const original = parts.get('draft') ?? '';
  const mendsARound = 2 + (hash(task, 'mends a round') % 2);
  let text = original;
  let mended = 0;
  for (const flaw of spokenOf(parts)) {
    if (mended >= mendsARound) break;
    if (flaw.find(text, words) === null) continue;
    const flawed = flaw.flawed(words);
    text =
      flawed !== '' && text.includes(flawed) ? text.replace(flawed, () => flaw.good(words)) : flaw.mend(text, words);
    mended++;
  }
  return inForm(parts.get('answer_form'), { draft: original, revised: text }, asJson);
}

const ADVICE_IN_ORDER = ['guidance', 'went_wrong', 'issues', 'critique', 'suggestions', 'recalled_lessons'] as const;

function spokenOf(parts: PromptParts): Flaw[] {
  const remarks = ADVICE_IN_ORDER.flatMap((tag) => listItems(parts.get(tag)));
  return [...new Set(remarks.flatMap(flawsSpokenOf))];
}
