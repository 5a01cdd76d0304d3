import type { Actor } from './actor.ts';

/** Whose doing it is: the member who acts or whose token does; in local mode the one owner, or the program itself. */
export function personOf({ id, memberId }: Pick<Actor, 'id' | 'memberId'>): string {
  return memberId ?? id;
}
