import { exactTask } from './exact-task.ts';
import { flawsIn, mentionedFlaws } from './flaws.ts';
import type { PromptParts } from './read-prompt.ts';
import { taskTerms, upperFirst } from './task-terms.ts';

const MAX_ISSUES = 3;

/** Returns the reflection at the end of a run in the requested form, based on the course of the run, its feedback and its best text. */
export function endReflection(parts: PromptParts): Record<string, string> {
  const form = parts.get('answer_form') ?? '';
  const course = readTrajectory(parts.get('trajectory'));
  const { topic } = taskTerms(parts.get('task') ?? '');
  const open = (course.at(-1)?.issues ?? []).slice(0, MAX_ISSUES);
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

function success(course: TrajectoryVersion[], topic: string): Record<string, string> {
  const fixed = fixedIssues(course).slice(0, MAX_ISSUES);
  return {
    strategy:
      fixed.length === 0
        ? `Follow the task on ${topic} from the first version.`
        : `Fix the named issues, a few per version. ${fixed.map((issue) => `Fixed: ${issue}`).join(' ')}`,
    whyItWorked: `It came to ${scores(course)} in ${versions(course.length)}: nothing that was right got lost on the way.`,
  };
}

/** Returns issues of earlier versions that the last one no longer has. */
function fixedIssues(course: TrajectoryVersion[]): string[] {
  const open = course.at(-1)?.issues ?? [];
  return [...new Set(course.slice(0, -1).flatMap(({ issues }) => issues))].filter((issue) => !open.includes(issue));
}

function versions(count: number): string {
  return count === 1 ? 'one version' : `${count} versions`;
}

function scores(course: TrajectoryVersion[]): string {
  const known = course.flatMap(({ score }) => (score === null ? [] : [score]));
  const [first] = known;
  if (first === undefined) return 'no score';
  const best = Math.max(...known);
  return best > first ? `${best.toFixed(2)}, from ${first.toFixed(2)} at first` : `${best.toFixed(2)}`;
}

const MAX_FLAWS = 3;

/**
 * Returns one sentence of advice from a failed attempt: about the flaws in the feedback, or else those found in the attempt. Leaves out
 * advice of earlier lessons.
 */
export function lesson(parts: PromptParts): string {
  const task = parts.get('task') ?? '';
  const attempt = parts.get('attempt') ?? '';
  const feedback = parts.get('feedback') ?? '';
  if (feedback.trim() === '') return 'Next time, read the task again before answering.';
  const earlier = parts.get('lessons') ?? '';
  const exact = exactTask(task);
  if (exact !== null) return exact.lesson(attempt, earlier);
  const found = flawsIn(attempt, taskTerms(task)).map(({ flaw }) => flaw);
  const known = mentionedFlaws(earlier);
  const mentioned = mentionedFlaws(feedback).filter((flaw) => found.includes(flaw));
  const open = (mentioned.length > 0 ? mentioned : found).filter((flaw) => !known.includes(flaw)).slice(0, MAX_FLAWS);
  if (open.length === 0) return 'Next time, keep to the earlier lessons and check the result against the task.';
  return `Next time, ${joined(open.map((flaw) => flaw.advice))}.`;
}

function joined(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join('; ')}; and ${parts.at(-1)}`;
}

type TrajectoryVersion = {
  origin: string;
  score: number | null;
  issues: string[];
  /** People's decisions on the version, with their guidance or reason if given. */
  decisions: { decision: string; guidance: string }[];
  output: string;
};

/** Parses the versions of a run described in a prompt, in order. */
function readTrajectory(part: string | undefined): TrajectoryVersion[] {
  const versions: TrajectoryVersion[] = [];
  for (const line of (part ?? '').split('\n')) {
    const origin = /^Version \d+, (\w+)/.exec(line)?.[1];
    if (origin !== undefined) versions.push({ origin, score: null, issues: [], decisions: [], output: '' });
    const last = versions.at(-1);
    if (last === undefined) continue;
    const score = /^Score: \S+ -> (\d\.\d+)$/.exec(line)?.[1];
    if (score !== undefined) last.score = Number(score);
    const issue = /^Issue: (.*)$/.exec(line)?.[1];
    if (issue !== undefined) last.issues.push(issue);
    const [, decision, guidance] = /^Decision by (?:person|webhook|code): (\w+)[^:]*: (.+)$/.exec(line) ?? [];
    if (decision !== undefined && guidance !== undefined) last.decisions.push({ decision, guidance });
    const text = /^ {2}(.*)$/.exec(line)?.[1];
    if (text !== undefined) last.output = last.output === '' ? text : `${last.output}\n${text}`;
  }
  return versions;
}

type PracticeRetrospective = {
  skills: { pattern: string; strategy: string; steps: string[] }[];
  failures: { pattern: string; whatHappened: string; instead: string }[];
  policies: { tool: string; constraint: string }[];
  observations: { statePattern: string; meaning: string }[];
  principles: string[];
  procedures: { goal: string; steps: string[] }[];
  decisions: { what: string; alternatives: string; why: string }[];
  preferences: string[];
};

const MAX_LESSONS_PER_KIND = 2;

/**
 * Returns the lessons of a run, from the issues that it fixed and those that remained. Returns none if the prompt contains no trajectory.
 */
export function retrospective(parts: PromptParts): PracticeRetrospective {
  const course = readTrajectory(parts.get('trajectory'));
  const exact = exactTask(parts.get('task') ?? '');
  const adviceOn = (issue: string) => {
    const flaws = mentionedFlaws(issue);
    if (exact !== null) return exact.lesson(course[0]?.output ?? '', '').replace(/^Next time, |\.$/g, '');
    return flaws[0]?.advice ?? `see to this: ${issue}`;
  };
  const fixed = fixedIssues(course).map((issue) => ({ issue, advice: adviceOn(issue) }));
  const open = [...new Set(course.at(-1)?.issues ?? [])].map((issue) => ({ issue, advice: adviceOn(issue) }));
  const all = [...fixed, ...open];
  const decisions = course.flatMap((version) => version.decisions).slice(0, MAX_LESSONS_PER_KIND);
  const [first, last] = [course[0]?.score ?? null, course.at(-1)?.score ?? null];
  return {
    skills: fixed.slice(0, MAX_LESSONS_PER_KIND).map(({ issue, advice }) => ({
      pattern: `A draft on {topic} is found to be like this: ${issue}`,
      strategy: `${upperFirst(advice)}.`,
      steps: ['Find the place in the draft on {topic}', upperFirst(advice), 'Have the draft judged again'],
    })),
    failures: (open.length > 0 ? open : fixed).slice(0, MAX_LESSONS_PER_KIND).map(({ issue, advice }) => ({
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
    decisions: decisions.map(({ decision, guidance }) => ({
      what: `A person answered ${decision} in work on {topic}.`,
      alternatives: 'Leaving it to the rules',
      why: guidance,
    })),
    preferences: decisions.filter(({ decision }) => decision === 'revise').map(({ guidance }) => `Wanted: ${guidance}`),
  };
}
