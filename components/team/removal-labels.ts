import type { ChangedMember } from '#lib/auth/member-schema.ts';
import { formatNumberOf } from '#lib/format.ts';

/** What went with a change of a member, to be put behind what was done: `; 2 links withdrawn`. Empty where nothing went. */
export function goneLabel({
  linksWithdrawn,
  assignmentsTaken,
}: Pick<ChangedMember, 'linksWithdrawn' | 'assignmentsTaken'>): string {
  const links = linksWithdrawn === 0 ? [] : [`${formatNumberOf(linksWithdrawn, 'link')} withdrawn`];
  const assignments = assignmentsTaken === 0 ? [] : [`${formatNumberOf(assignmentsTaken, 'assignment')} taken back`];
  return [...links, ...assignments].map((words) => `; ${words}`).join('');
}
