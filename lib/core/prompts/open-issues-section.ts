import type { OpenIssue } from '../issues/open-issues.ts';
import { quotedList } from './task-text.ts';

/** Characters of an issue, and of a criterion's name, that a prompt names it by. */
const LONGEST_TEXT = 300;
const LONGEST_NAME = 60;

/** The open issues as quoted data, a line each with the id they are named by: `- i2 (clarity): No example.`; nothing where there are none. */
export function openIssuesSection(issues: readonly OpenIssue[]): string[] {
  return quotedList(
    'open_issues',
    issues.map(({ id, criterion, text }) => {
      const under = criterion === null ? '' : ` (${shortened(criterion, LONGEST_NAME)})`;
      return `${id}${under}: ${shortened(text, LONGEST_TEXT)}`;
    }),
  );
}

/** Whether the section names all of an issue's words. */
export function isNamedInFull({ text }: Pick<OpenIssue, 'text'>): boolean {
  return text.length <= LONGEST_TEXT;
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()} …`;
}
