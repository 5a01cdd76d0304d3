import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import type { Split } from '#lib/core/history.ts';
import type { SkippedCase } from '#lib/prompts/evaluation-schema.ts';

/**
 * Case of the dataset in the playground. `fields`: names of its metadata fields. Long texts are truncated (`isCut`). `skipped`: why it is
 * not evaluated, because a criterion can never score it.
 */
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
  skipped?: Pick<SkippedCase, 'criterion' | 'missing'> | null;
};

export const CASE_CHOICES = ['tuned', 'train', 'validation', 'held_out', 'all'] as const;
/** Selection of the cases to evaluate a prompt on. `tuned`: all except held-out cases. */
export type CaseChoice = {
  part: (typeof CASE_CHOICES)[number];
  /** Only cases with this tag. Null: all. */
  tag: string | null;
  /** Only cases that failed or were unscored in the last evaluation. */
  onlyWrong: boolean;
  /** Maximum number of cases. Null: all. */
  limit: number | null;
};

/** Returns the selected cases in dataset order, and their number without the limit. */
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

function isInPart(split: Split, part: CaseChoice['part']): boolean {
  if (part === 'tuned') return split !== 'held_out';
  return part === 'all' || split === part;
}

/** Returns the tags of the cases, sorted by name. */
export function tagsOf(cases: readonly Pick<PlaygroundCase, 'tags'>[]): string[] {
  return [...new Set(cases.flatMap(({ tags }) => tags))].toSorted();
}
