import { exactTask } from './exact-task.ts';
import { flawsConcerning, flawsIn } from './flaws.ts';
import { hash } from './hash.ts';
import { type PracticeOpenIssue, readOpenIssues, sameOpenIssue } from './open-issues.ts';
import { listItems, type PromptParts } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';
import { wordCount } from './text-parts.ts';

export type Judgement = {
  criteria: { name: string; score: number; reason: string; issues: string[]; suggestions: string[] }[];
  confidence: number;
  /** Only where the prompt names open issues. */
  stillOpen?: string[];
};

const FEWEST_WORDS = 8;
const SCORES = [0.94, 0.73, 0.52, 0.34, 0.2];

/**
 * Judges a candidate by rules, from its text alone: whatever it says about its own score is only text. A criterion falls with
 * each flaw that concerns it; a task with one right answer is judged by that answer.
 */
export function judge(parts: PromptParts): Judgement {
  const judgement = judgeAlone(parts);
  return parts.has('open_issues') ? withStillOpen(judgement, readOpenIssues(parts)) : judgement;
}

/** Says by its id of an issue that was named before, and lists only the others. */
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
  if (exact === null && wordCount(candidate) < FEWEST_WORDS) return nothingToJudge(parts);
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

/** The judgement in plain words, as asked for without structure. */
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

/** A name may itself hold a colon; descriptions begin after the last one that still leaves a name. */
function nameAndDescription(line: string): [string, string] {
  const at = line.indexOf(': ');
  return at < 0 ? [line.replace(/:$/, ''), ''] : [line.slice(0, at), line.slice(at + 2)];
}
