import type { Flaw } from './flaw.ts';
import { FLAWS_OF_CONTENT } from './flaws-of-content.ts';
import { FLAWS_OF_WORDING } from './flaws-of-wording.ts';
import { hash, shuffled } from './hash.ts';
import type { TaskTerms } from './task-terms.ts';

export const FLAWS: Flaw[] = [...FLAWS_OF_WORDING, ...FLAWS_OF_CONTENT];

/** A flaw with what was found of it in a text. */
export type FoundFlaw = { flaw: Flaw; found: string };

/** The flaws of a text, whoever wrote it. */
export function flawsIn(text: string, task: TaskTerms): FoundFlaw[] {
  return FLAWS.flatMap((flaw) => {
    const found = flaw.find(text, task);
    return found === null ? [] : [{ flaw, found }];
  });
}

/** The flaws that a remark, an issue or a lesson speaks of; what it only quotes from a text does not count. */
export function flawsSpokenOf(remark: string): Flaw[] {
  const own = remark.replace(/"[^"\n]*"/g, '""');
  return FLAWS.filter((flaw) => flaw.mentions.test(own));
}

/** Which flaws concern which criterion, for the criteria sets that are offered. */
const CONCERNS: Record<string, string[]> = {
  clarity: ['vague_words', 'long_sentence', 'hedging'],
  coherence: ['repeated_sentence', 'no_opening', 'no_reason'],
  completeness: ['missing_steps', 'no_example', 'no_caveat', 'no_summary'],
  tone: ['shouting', 'ignores_reader', 'bare_claim', 'hedging'],
  accuracy: ['bare_claim', 'vague_words', 'hedging'],
  depth: ['no_reason', 'no_example', 'no_caveat'],
  relevance: ['no_opening', 'repeated_sentence', 'ignores_reader'],
  objectivity: ['bare_claim', 'shouting', 'no_reason'],
  logical_validity: ['no_reason', 'bare_claim', 'missing_steps'],
  correctness: ['missing_steps', 'bare_claim', 'vague_words'],
  efficiency: ['repeated_sentence', 'long_sentence', 'no_summary'],
  readability: ['long_sentence', 'vague_words', 'no_opening'],
  edge_cases: ['no_caveat', 'no_example', 'no_reason'],
};

/** The flaws that lower a criterion: known by its name, else those its description speaks of, else four picked by its name. */
export function flawsConcerning(name: string, description: string): Flaw[] {
  const known =
    CONCERNS[
      name
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_')
    ];
  if (known !== undefined) return FLAWS.filter((flaw) => known.includes(flaw.id));
  const spokenOf = flawsSpokenOf(`${name} ${description}`);
  return spokenOf.length > 0 ? spokenOf : shuffled(FLAWS, `${hash(name)}`).slice(0, 4);
}
