import { lesson } from './lesson.ts';
import { type CourseVersion, readCourse } from './read-course.ts';
import type { PromptParts } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

const MOST_ISSUES = 3;

/** The reflection at a run's end, in the form asked for: what the course of the run, its feedback and its best text show. */
export function endReflection(parts: PromptParts): Record<string, string> {
  const form = parts.get('answer_form') ?? '';
  const course = readCourse(parts.get('trajectory'));
  const { topic } = taskTerms(parts.get('task') ?? '');
  const open = (course.at(-1)?.issues ?? []).slice(0, MOST_ISSUES);
  if (form.includes('"whyItWorked"')) return success(course, topic);
  const advice = lesson(parts);
  const reflection = {
    whatHappened: `The work on ${topic} went through ${versions(course.length)} and came to ${scores(course)}.`,
    whatWentWrong: open.length === 0 ? 'The result was not what the task asked for.' : open.join(' '),
    whatToDoDifferently: advice,
  };
  if (!form.includes('"tacticalRule"')) return reflection;
  return {
    ...reflection,
    why: 'The text was written before it was settled what it must hold, and the same gaps came back each time.',
    tacticalRule: advice.replace(/^Next time, /, 'Always '),
  };
}

function success(course: CourseVersion[], topic: string): Record<string, string> {
  const mended = fixedIssues(course).slice(0, MOST_ISSUES);
  return {
    strategy:
      mended.length === 0
        ? `Keep to what the task on ${topic} asks for from the first version on.`
        : `Mend what is named, a few issues a version. ${mended.map((issue) => `Mended: ${issue}`).join(' ')}`,
    whyItWorked: `It came to ${scores(course)} in ${versions(course.length)}: nothing that was right got lost on the way.`,
  };
}

/** Issues that some version had and the last one has no more. */
export function fixedIssues(course: CourseVersion[]): string[] {
  const open = course.at(-1)?.issues ?? [];
  return [...new Set(course.slice(0, -1).flatMap(({ issues }) => issues))].filter((issue) => !open.includes(issue));
}

function versions(count: number): string {
  return count === 1 ? 'one version' : `${count} versions`;
}

function scores(course: CourseVersion[]): string {
  const known = course.flatMap(({ score }) => (score === null ? [] : [score]));
  const [first] = known;
  if (first === undefined) return 'no score';
  const best = Math.max(...known);
  return best > first ? `${best.toFixed(2)}, from ${first.toFixed(2)} at first` : `${best.toFixed(2)}`;
}
