import { z } from 'zod';
import { structuredReply } from '#lib/core/structured-reply.ts';
import { withoutThinking } from '#lib/core/without-thinking.ts';
import { type JudgeReading, plainName, readPlainReply, remarks } from './read-judge-reply.ts';
import { scoresIn } from './read-score.ts';

/**
 * Reads the scores of a reply that is not the JSON asked for but says them all the same: `score: 0.9` (the evaluator format
 * published with Reflexion), `"score": 0.9`, `Score = 9/10`, `Clarity: 85%`. Null unless every criterion has exactly one score:
 * with several criteria each must be named, different scores for the same one count as none, and so does the
 * score of an object that names another criterion.
 */
export function readScoreText(text: string, names: string[]): JudgeReading | null {
  const answer = oneEntryALine(withoutThinking(text));
  if (namesIn(answer).some((named) => !names.some((name) => plainName(name) === plainName(named)))) return null;
  const scores = names.map((name) => {
    const found = [...scoresIn(answer, name), ...(names.length === 1 ? scoresIn(answer) : [])];
    const [first] = found;
    return first !== undefined && found.every((score) => score === first) ? first : null;
  });
  if (scores.includes(null)) return null;
  const said = remarksIn(text);
  const plain = readPlainReply(text, names);
  return {
    ...plain,
    scores: new Map(
      names.map((name, at) => [
        name,
        {
          score: scores[at] ?? 0,
          reason: said?.reason ?? plain.scores.get(name)?.reason ?? '',
          issues: [],
          suggestions: [],
        },
      ]),
    ),
    issues: said?.issues ?? plain.issues,
    suggestions: said?.suggestions ?? plain.suggestions,
    confidence: said?.confidence ?? null,
    wrong: [],
  };
}

/** Text with each entry of a JSON object on a line of its own, where scores are looked for. */
function oneEntryALine(text: string): string {
  return text.replace(/[{}[\]]/g, '\n').replace(/,(?=\s*")/g, '\n');
}

/** The names that entries of JSON objects give. */
function namesIn(lines: string): string[] {
  return [...lines.matchAll(/^\s{0,20}"(?:name|criterion)"\s{0,20}:\s{0,20}"([^"\n]{0,200})"/gm)].map(
    ([, name = '']) => name,
  );
}

const looseReply = z.object({
  reason: z.string().optional().catch(undefined),
  issues: remarks.optional(),
  suggestions: remarks.optional(),
  confidence: z.number().min(0).max(1).nullable().optional().catch(null),
});

/** What a reply says beside its scores, where it is JSON after all. */
function remarksIn(text: string): z.output<typeof looseReply> | null {
  const read = structuredReply(text, looseReply);
  return read.ok ? read.value : null;
}
