import type { CritiqueResponse } from '#lib/core/prompts/critique-prompt.ts';
import { agentCheck } from './agent/agent-turn.ts';
import { exactTask } from './exact-task.ts';
import { flawsConcerning, flawsIn, mentionedFlaws } from './flaws.ts';
import { hash } from './hash.ts';
import { listItems, type PromptParts, wordCount } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

const MAX_ISSUES = 5;
const GOOD_ENOUGH = 0.9;

/**
 * Returns the candidate's flaws that its scores and feedback reveal, taking one per criterion in turn from the lowest score up. Without
 * scores and feedback it reports that it has no basis.
 */
export function critique(parts: PromptParts): CritiqueResponse {
  if (parts.has('trajectory') && !parts.has('candidate') && !parts.has('error')) return agentCheck(parts);
  const words = taskTerms(parts.get('task') ?? '');
  const found = flawsIn(parts.get('candidate') ?? '', words);
  const open = readOpenIssues(parts);
  const mentioned = mentionedFlaws([parts.get('feedback') ?? '', ...open.map(({ text }) => text)].join('\n'));
  const queues = scoredCriteria(parts.get('scores'))
    .filter(({ score }) => score < GOOD_ENOUGH)
    .sort((one, other) => one.score - other.score)
    .map(({ name, reason }) => ({
      name,
      flaws: [...new Set([...flawsConcerning(name, ''), ...mentionedFlaws(reason)])],
    }));
  queues.push({ name: '', flaws: mentioned });
  const named = new Map<string, string | null>();
  for (let turn = 0; turn < 8; turn++) {
    for (const { name, flaws } of queues) {
      const next = flaws.find((flaw) => !named.has(flaw.id) && found.some((one) => one.flaw === flaw));
      if (next !== undefined && named.size < MAX_ISSUES) named.set(next.id, name || null);
    }
  }
  const issues = [...named].flatMap(([id, criterion]) =>
    found
      .filter(({ flaw }) => flaw.id === id)
      .map(({ flaw, found: what }) => ({ flaw, text: flaw.issue(what), criterion })),
  );
  return {
    summary: summaryOf(issues.length, queues.length > 1 || mentioned.length > 0),
    issues: issues.map(({ flaw, text, criterion }) => ({
      ...{ text, criterion, scope: flaw.scope },
      sameAs: sameOpenIssue(open, { text, criterion })?.id ?? null,
    })),
    suggestions: issues.map(({ flaw }) => flaw.suggestion),
  };
}

/** Formats the critique as plain text, for requests without structured output. */
export function critiqueText({ summary, issues, suggestions }: CritiqueResponse): string {
  return [
    summary,
    ...issues.map(({ text, scope, sameAs }) => `- [${scope}] ${sameAs === null ? '' : `${sameAs}: `}${text}`),
    ...suggestions.map((text) => `- ${text}`),
  ].join('\n');
}

function summaryOf(count: number, isInformed: boolean): string {
  if (!isInformed) return 'There are no scores and no feedback to go by.';
  if (count === 0) return 'Nothing that is named in the feedback can still be found in the draft.';
  return count === 1 ? 'One issue should be fixed.' : `${count} issues should be fixed, the first ones first.`;
}

/** Parses lines such as `- clarity: 0.62 (needs 0.70): reason`. The threshold is optional, and unscored lines are skipped. */
function scoredCriteria(part: string | undefined): { name: string; score: number; reason: string }[] {
  return listItems(part).flatMap((line) => {
    const match = /^(.+?): (\d(?:\.\d+)?)(?: \(needs [\d.]+\))?(?:: ([\s\S]*))?$/.exec(line);
    return match === null ? [] : [{ name: match[1] ?? '', score: Number(match[2]), reason: match[3] ?? '' }];
  });
}

type PracticeOpenIssue = { id: string; criterion: string | null; text: string };

/** Parses lines such as `- i2 (clarity): No example.`. */
function readOpenIssues(parts: PromptParts): PracticeOpenIssue[] {
  return listItems(parts.get('open_issues')).flatMap((line) => {
    const [, id, criterion = null, text] = /^(i\d+)(?: \(([^)]*)\))?: ([\s\S]*)$/.exec(line) ?? [];
    return id === undefined || text === undefined ? [] : [{ id, criterion, text }];
  });
}

/** Returns the open issue that a remark repeats: the same text or flaw, under the same criterion if both have one. */
function sameOpenIssue(
  open: readonly PracticeOpenIssue[],
  { text, criterion }: { text: string; criterion: string | null },
): PracticeOpenIssue | null {
  const flaws = mentionedFlaws(text);
  const fits = open.filter((one) => one.criterion === null || criterion === null || one.criterion === criterion);
  return (
    fits.find((one) => one.text === text) ??
    fits.find((one) => mentionedFlaws(one.text).some((flaw) => flaws.includes(flaw))) ??
    null
  );
}

export type Judgement = {
  criteria: { name: string; score: number; reason: string; issues: string[]; suggestions: string[] }[];
  confidence: number;
  /** Set only if the prompt lists open issues. */
  stillOpen?: string[];
};

const MIN_WORDS = 8;
const SCORES = [0.94, 0.73, 0.52, 0.34, 0.2];

/**
 * Judges a candidate by rules, from its text only. Claims of the text about its own score have no effect. Each relevant flaw lowers a
 * criterion's score. A task with one right answer is judged by that answer.
 */
export function judge(parts: PromptParts): Judgement {
  const judgement = judgeAlone(parts);
  return parts.has('open_issues') ? withStillOpen(judgement, readOpenIssues(parts)) : judgement;
}

/** Reports known open issues by id, and lists only the new ones. */
function withStillOpen({ criteria, confidence }: Judgement, open: PracticeOpenIssue[]): Judgement {
  const stillOpen = new Set<string>();
  const left = criteria.map((criterion) => ({
    ...criterion,
    issues: criterion.issues.filter((text) => {
      const same = sameOpenIssue(open, { text, criterion: criterion.name });
      if (same !== null) stillOpen.add(same.id);
      return same === null;
    }),
  }));
  return { criteria: left, stillOpen: [...stillOpen], confidence };
}

function judgeAlone(parts: PromptParts): Judgement {
  const task = parts.get('task') ?? '';
  const candidate = parts.get('candidate') ?? '';
  const exact = exactTask(task);
  if (exact === null && wordCount(candidate) < MIN_WORDS) return nothingToJudge(parts);
  const found = flawsIn(candidate, taskTerms(task));
  const criteria = listItems(parts.get('criteria')).map((line) => {
    const [name, description] = nameAndDescription(line);
    if (exact !== null) return { name, ...exact.judge(candidate) };
    const concerned = flawsConcerning(name, description);
    const ofThis = found.filter(({ flaw }) => concerned.includes(flaw));
    const base = SCORES[Math.min(ofThis.length, SCORES.length - 1)] ?? 0;
    const shade = ((hash(candidate, name) % 41) - 20) / 1000;
    const issues = ofThis.map(({ flaw, found: what }) => flaw.issue(what));
    return {
      name,
      score: Math.round((base + shade) * 100) / 100,
      reason: issues.length === 0 ? 'No flaw found that concerns this.' : issues.join(' '),
      issues,
      suggestions: ofThis.map(({ flaw }) => flaw.suggestion),
    };
  });
  return { criteria, confidence: 0.9 };
}

function nothingToJudge(parts: PromptParts): Judgement {
  const issue = 'There is next to no text to judge.';
  const criteria = listItems(parts.get('criteria')).map((line) => {
    const [name] = nameAndDescription(line);
    return { name, score: 0.05, reason: issue, issues: [issue], suggestions: ['Write an answer to the task.'] };
  });
  return { criteria, confidence: 0.9 };
}

/** Formats the judgement as plain text, for requests without structured output. */
export function judgementText({ criteria, stillOpen }: Judgement): string {
  const lines = criteria.map(({ name, score, reason }) => `${name}: ${score.toFixed(2)} - ${reason}`);
  const issues = [...new Set(criteria.flatMap((criterion) => criterion.issues))];
  const suggestions = [...new Set(criteria.flatMap((criterion) => criterion.suggestions))];
  const open = stillOpen === undefined ? [] : ['', `Still open: ${stillOpen.join(', ') || 'none'}`];
  return [...lines, ...section('Issues:', issues), ...section('Suggestions:', suggestions), ...open].join('\n');
}

function section(heading: string, items: string[]): string[] {
  return items.length === 0 ? [] : ['', heading, ...items.map((item) => `- ${item}`)];
}

/** Splits at the first colon followed by a space because a name may itself contain a colon. */
function nameAndDescription(line: string): [string, string] {
  const at = line.indexOf(': ');
  return at < 0 ? [line.replace(/:$/, ''), ''] : [line.slice(0, at), line.slice(at + 2)];
}
