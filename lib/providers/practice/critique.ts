import { agentCheck } from './agent/agent-check.ts';
import type { CritiqueReply } from './flaw.ts';
import { flawsConcerning, flawsIn, flawsSpokenOf } from './flaws.ts';
import { readOpenIssues, sameOpenIssue } from './open-issues.ts';
import { listItems, type PromptParts } from './read-prompt.ts';
import { taskTerms } from './task-terms.ts';

const MOST_ISSUES = 5;
const GOOD_ENOUGH = 0.9;

/**
 * Names what is wrong with the candidate, as far as its scores and the feedback speak of it: the flaws of the lowest criteria
 * first, one of each in turn. Without scores and feedback it has nothing to go by and says so.
 */
export function critique(parts: PromptParts): CritiqueReply {
  if (parts.has('trajectory') && !parts.has('candidate') && !parts.has('error')) return agentCheck(parts);
  const words = taskTerms(parts.get('task') ?? '');
  const found = flawsIn(parts.get('candidate') ?? '', words);
  const open = readOpenIssues(parts);
  const told = flawsSpokenOf([parts.get('feedback') ?? '', ...open.map(({ text }) => text)].join('\n'));
  const queues = scoredCriteria(parts.get('scores'))
    .filter(({ score }) => score < GOOD_ENOUGH)
    .sort((one, other) => one.score - other.score)
    .map(({ name, reason }) => ({
      name,
      flaws: [...new Set([...flawsConcerning(name, ''), ...flawsSpokenOf(reason)])],
    }));
  queues.push({ name: '', flaws: told });
  const named = new Map<string, string | null>();
  for (let turn = 0; turn < 8; turn++) {
    for (const { name, flaws } of queues) {
      const next = flaws.find((flaw) => !named.has(flaw.id) && found.some((one) => one.flaw === flaw));
      if (next !== undefined && named.size < MOST_ISSUES) named.set(next.id, name || null);
    }
  }
  const issues = [...named].flatMap(([id, criterion]) =>
    found
      .filter(({ flaw }) => flaw.id === id)
      .map(({ flaw, found: what }) => ({ flaw, text: flaw.issue(what), criterion })),
  );
  return {
    summary: summaryOf(issues.length, queues.length > 1 || told.length > 0),
    issues: issues.map(({ flaw, text, criterion }) => ({
      ...{ text, criterion, scope: flaw.scope },
      sameAs: sameOpenIssue(open, { text, criterion })?.id ?? null,
    })),
    suggestions: issues.map(({ flaw }) => flaw.suggestion),
  };
}

/** The critique in plain words, as asked for without structure. */
export function critiqueText({ summary, issues, suggestions }: CritiqueReply): string {
  return [
    summary,
    ...issues.map(({ text, scope, sameAs }) => `- [${scope}] ${sameAs === null ? '' : `${sameAs}: `}${text}`),
    ...suggestions.map((text) => `- ${text}`),
  ].join('\n');
}

function summaryOf(count: number, told: boolean): string {
  if (!told) return 'There are no scores and no feedback to go by.';
  if (count === 0) return 'Nothing that is named in the feedback can still be found in the draft.';
  return count === 1 ? 'One issue should be mended.' : `${count} issues should be mended, the first ones first.`;
}

/** Lines such as `- clarity: 0.62 (needs 0.70): reason`, with or without what it needs; unscored ones are left out. */
function scoredCriteria(part: string | undefined): { name: string; score: number; reason: string }[] {
  return listItems(part).flatMap((line) => {
    const match = /^(.+?): (\d(?:\.\d+)?)(?: \(needs [\d.]+\))?(?:: ([\s\S]*))?$/.exec(line);
    return match === null ? [] : [{ name: match[1] ?? '', score: Number(match[2]), reason: match[3] ?? '' }];
  });
}
