import { judge } from './judge.ts';
import type { PromptParts } from './read-prompt.ts';

export type ComparedTexts = {
  winner: 'first' | 'second' | 'neither';
  reason: string;
  issuesOfFirst: string[];
  issuesOfSecond: string[];
  confidence: number;
};

/** Scores differ by chance by less than this. */
const CHANCE = 0.05;

/** Compares two texts by judging each alone: the order makes no difference. */
export function compareTexts(parts: PromptParts): ComparedTexts {
  const judged = (text: string) => judge(new Map([...parts, ['candidate', text]])).criteria[0];
  const first = judged(parts.get('first') ?? '');
  const second = judged(parts.get('second') ?? '');
  const ahead = (first?.score ?? 0) - (second?.score ?? 0);
  const winner = Math.abs(ahead) <= CHANCE ? 'neither' : ahead > 0 ? 'first' : 'second';
  return {
    winner,
    reason: winner === 'neither' ? 'Both have as few flaws.' : `The ${winner} has fewer flaws that concern this.`,
    issuesOfFirst: first?.issues ?? [],
    issuesOfSecond: second?.issues ?? [],
    confidence: 0.9,
  };
}

/** The comparison in plain words, as asked for without structure. */
export function comparedText({ winner, reason }: ComparedTexts): string {
  return `winner: ${winner}\n${reason}`;
}
