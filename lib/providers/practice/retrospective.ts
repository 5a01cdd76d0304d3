import { fixedIssues } from './end-reflection.ts';
import { exactTask } from './exact-task.ts';
import { flawsSpokenOf } from './flaws.ts';
import { readCourse } from './read-course.ts';
import type { PromptParts } from './read-prompt.ts';
import { upperFirst } from './task-terms.ts';

export type PracticeRetrospective = {
  skills: { pattern: string; strategy: string; steps: string[] }[];
  failures: { pattern: string; whatHappened: string; instead: string }[];
  policies: { tool: string; constraint: string }[];
  observations: { statePattern: string; meaning: string }[];
  principles: string[];
  procedures: { goal: string; steps: string[] }[];
  decisions: { what: string; alternatives: string; why: string }[];
  preferences: string[];
};

const MOST = 2;

/** What the course of a run teaches, by the issues that were mended in it and those that stayed; told nothing, it says nothing. */
export function retrospective(parts: PromptParts): PracticeRetrospective {
  const course = readCourse(parts.get('trajectory'));
  const exact = exactTask(parts.get('task') ?? '');
  const adviceOn = (issue: string) => {
    const flaws = flawsSpokenOf(issue);
    if (exact !== null) return exact.lesson(course[0]?.output ?? '', '').replace(/^Next time, |\.$/g, '');
    return flaws[0]?.advice ?? `see to this: ${issue}`;
  };
  const mended = fixedIssues(course).map((issue) => ({ issue, advice: adviceOn(issue) }));
  const open = [...new Set(course.at(-1)?.issues ?? [])].map((issue) => ({ issue, advice: adviceOn(issue) }));
  const all = [...mended, ...open];
  const decisions = course.flatMap((version) => version.decisions).slice(0, MOST);
  const [first, last] = [course[0]?.score ?? null, course.at(-1)?.score ?? null];
  return {
    skills: mended.slice(0, MOST).map(({ issue, advice }) => ({
      pattern: `A draft on {topic} is found to be like this: ${issue}`,
      strategy: `${upperFirst(advice)}.`,
      steps: ['Find the place in the draft on {topic}', upperFirst(advice), 'Have the draft judged again'],
    })),
    failures: (open.length > 0 ? open : mended).slice(0, MOST).map(({ issue, advice }) => ({
      pattern: 'A first draft on {topic}',
      whatHappened: issue,
      instead: `${upperFirst(advice)}.`,
    })),
    policies: course.some(({ origin }) => origin === 'revised')
      ? [{ tool: 'revise', constraint: 'Change only what an issue names; what is right stays word for word.' }]
      : [],
    observations:
      first === null || last === null || course.length < 2
        ? []
        : [
            {
              statePattern: `The score ${last > first ? 'rises' : 'does not rise'} from {first_score} over several versions`,
              meaning:
                last > first ? 'Naming the issues one by one works for {topic}.' : 'Going on like this is of no use.',
            },
          ],
    principles: all.slice(0, 1).map(({ advice }) => `Always ${advice}.`),
    procedures:
      all.length < 2
        ? []
        : [
            {
              goal: 'Write on {topic} for {audience}',
              steps: [...new Set(all.map(({ advice }) => upperFirst(advice)))].slice(0, 6),
            },
          ],
    decisions: decisions.map(({ decision, said }) => ({
      what: `A person answered ${decision} in work on {topic}.`,
      alternatives: 'Leaving it to the rules',
      why: said,
    })),
    preferences: decisions.filter(({ decision }) => decision === 'revise').map(({ said }) => `Wanted: ${said}`),
  };
}
