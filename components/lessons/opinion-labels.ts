import type { LessonOpinion } from '#lib/assignments/schema.ts';

/** How many would promote a lesson, and how many pairs of them say the same. */
export function opinionLabel(opinions: readonly Pick<LessonOpinion, 'verdict'>[]): string {
  const all = opinions.length;
  const yes = opinions.filter(({ verdict }) => verdict === 'promote').length;
  const would = `${yes} of ${all} would promote it`;
  if (all < 2) return `${would}.`;
  const pairsOf = (count: number) => (count * (count - 1)) / 2;
  const same = pairsOf(yes) + pairsOf(all - yes);
  if (all === 2) return `${would}: the two ${same === 1 ? 'agree' : 'do not agree'}.`;
  return `${would}: ${same} of ${pairsOf(all)} pairs agree.`;
}
