import type { LessonListItem, LessonVerdict } from '#lib/core/lesson-library.ts';

/** The verdicts a person can give on a lesson as it stands; promote only once it is screened. */
export function verdictsFor({ status, admission }: Pick<LessonListItem, 'status' | 'admission'>): LessonVerdict[] {
  switch (status) {
    case 'candidate':
    case 'quarantined':
      return admission === 'held' || admission === 'admitted'
        ? ['promote', 'reject', 'archive']
        : ['reject', 'archive'];
    case 'promoted':
      return ['archive'];
    case 'rejected':
    case 'archived':
      return ['restore'];
  }
}
