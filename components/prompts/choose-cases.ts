import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import type { Split } from '#lib/core/history.ts';

/** A case of the dataset as the playground shows it: `fields` names what its metadata holds; long texts are cut (`isCut`). */
export type PlaygroundCase = {
  position: number;
  split: Split;
  input: string;
  /** The input as messages, if it is a conversation. */
  messages?: readonly ChatMessage[] | null;
  reference: string | null;
  tags: string[];
  fields: string[];
  isCut: boolean;
};

export const CASE_CHOICES = ['tuned', 'train', 'validation', 'held_out', 'all'] as const;
/** Which part of a dataset a prompt is tried on; `tuned`: all but the held-out cases. */
export type CaseChoice = {
  part: (typeof CASE_CHOICES)[number];
  /** Only those with this tag; null: all. */
  tag: string | null;
  /** Only those that the last tries had wrong or could not score. */
  onlyWrong: boolean;
  /** Only the first so many; null: all. */
  limit: number | null;
};

/** The chosen cases in the order of the dataset, and how many there would be without the limit. */
export function chooseCases<Chosen extends Pick<PlaygroundCase, 'position' | 'split' | 'tags'>>(
  cases: readonly Chosen[],
  { part, tag, onlyWrong, limit }: CaseChoice,
  isWrong: (position: number) => boolean,
): { chosen: Chosen[]; outOf: number } {
  const fitting = cases.filter(
    (one) =>
      isInPart(one.split, part) && (tag === null || one.tags.includes(tag)) && (!onlyWrong || isWrong(one.position)),
  );
  return { chosen: limit === null ? fitting : fitting.slice(0, limit), outOf: fitting.length };
}

function isInPart(split: PlaygroundCase['split'], part: CaseChoice['part']): boolean {
  switch (part) {
    case 'all':
      return true;
    case 'tuned':
      return split !== 'held_out';
    case 'train':
    case 'validation':
    case 'held_out':
      return split === part;
  }
}

/** The tags of cases, by name. */
export function tagsOf(cases: readonly Pick<PlaygroundCase, 'tags'>[]): string[] {
  return [...new Set(cases.flatMap(({ tags }) => tags))].toSorted();
}
