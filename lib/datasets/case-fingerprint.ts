import { createHash } from 'node:crypto';
import type { Case } from '#lib/core/case.ts';

/**
 * Says which cases are the same: those with the same input, reference and metadata, and the same criteria of
 * their own, whatever their tags.
 */
export function caseFingerprint({ input, reference, metadata, criteria }: Omit<Case, 'tags'>): string {
  const text = JSON.stringify([input, reference, sorted(metadata), ...(criteria ? [sorted(criteria)] : [])]);
  return createHash('md5').update(text).digest('base64');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, member]) => [key, sorted(member)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
