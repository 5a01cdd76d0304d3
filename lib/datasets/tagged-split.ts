import type { Split } from '#lib/core/history.ts';

/** The tags that say what a case is for; a case carries at most one. `held-out` is read as `held_out`. */
export const SPLIT_TAGS = ['train', 'validation', 'held_out', 'held-out'] as const;

/** What the tags of a case say it is for; of several the most guarded counts. Null where they say nothing: the case is not divided. */
export function taggedSplit({ tags }: { tags: readonly string[] }): Split | null {
  if (tags.includes('held_out') || tags.includes('held-out')) return 'held_out';
  if (tags.includes('validation')) return 'validation';
  return tags.includes('train') ? 'train' : null;
}

/** The tags of a case without those that say what it is for. */
export function ownTags({ tags }: { tags: readonly string[] }): string[] {
  const reserved: readonly string[] = SPLIT_TAGS;
  return tags.filter((tag) => !reserved.includes(tag));
}
