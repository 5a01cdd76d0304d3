import type { Split } from '#lib/core/history.ts';

export const HELD_OUT_TAGS = ['held_out', 'held-out'];
/** Tags that assign a case to a split. A case has at most one. `held-out` is read as `held_out`. */
export const SPLIT_TAGS = ['train', 'validation', ...HELD_OUT_TAGS];

/**
 * Returns the split that the tags of a case assign. With several tags, the most protected split wins. Null if the case has no split yet.
 */
export function taggedSplit({ tags }: { tags: readonly string[] }): Split | null {
  if (tags.includes('held_out') || tags.includes('held-out')) return 'held_out';
  if (tags.includes('validation')) return 'validation';
  return tags.includes('train') ? 'train' : null;
}

/** Returns the tags of a case without its split tags. */
export function ownTags({ tags }: { tags: readonly string[] }): string[] {
  return tags.filter((tag) => !SPLIT_TAGS.includes(tag));
}
