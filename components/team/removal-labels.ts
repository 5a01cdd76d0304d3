import type { ChangedMember } from '#lib/auth/member-schema.ts';
import { formatNumberOf } from '#lib/format.ts';

/** Returns the side effects of a member change as a suffix: `; 2 links withdrawn`. Empty if there are none. */
export function withdrawnLabel({
  linksWithdrawn,
  assignmentsTaken,
}: Pick<ChangedMember, 'linksWithdrawn' | 'assignmentsTaken'>): string {
  const links = linksWithdrawn === 0 ? [] : [`${formatNumberOf(linksWithdrawn, 'link')} withdrawn`];
  const assignments = assignmentsTaken === 0 ? [] : [`${formatNumberOf(assignmentsTaken, 'assignment')} taken back`];
  return [...links, ...assignments].map((words) => `; ${words}`).join('');
}
