import type { Decision, History, Version } from '../history.ts';
import { effectiveEvaluation, scoreOf } from '../scored-versions.ts';
import { agentCourse } from './agent-course.ts';

/** Characters of what agents did, shared out over all versions; each gets as many as the least at any rate. */
const WAYS_LENGTH = 24_000;
const LEAST_OF_A_WAY = 600;

/** Suggestions of a version that are told, and characters of each. */
const MOST_SUGGESTIONS = 10;
const LONGEST_SUGGESTION = 300;

/**
 * The course of a run in lines, for prompts: each version with how it was made, its score before and after, the issues found in it and
 * what people decided on it, what its agent did, and its text, cut to `outputLength` characters (null: neither of the two). An attempt that
 * came to no version stands at the end. Never holds references or what evaluators tell people only.
 */
export function runCourse(history: History, outputLength: number | null): string {
  const under = history.versions.length;
  const agentSteps = (version: number) =>
    outputLength === null
      ? []
      : wayLines(agentCourse(history, version, Math.max(LEAST_OF_A_WAY, WAYS_LENGTH / (under + 1))));
  const unfinished = agentSteps(under);
  const versions = history.versions
    .map((version, place) => [
      `Version ${version.number}, ${madeHow(version)}`,
      `Score: ${shown(scoreBefore(history, version, place))} -> ${shown(scoreOf(history, version.number))}`,
      ...issuesOf(history, version),
      ...history.decisions.filter((decision) => isPeoples(decision, version)).map(decisionLine),
      ...agentSteps(version.number),
      ...(outputLength === null ? [] : outputLines(version, outputLength)),
    ])
    .map((lines) => lines.join('\n'));
  return [
    ...versions,
    ...(unfinished.length === 0 ? [] : [[`Version ${under}, not finished`, ...unfinished].join('\n')]),
  ].join('\n\n');
}

function madeHow({ origin, parents, strategy, interrupted }: Version): string {
  const from = parents.length === 0 ? '' : ` from version ${parents.join(' and ')}`;
  const way = strategy === null ? '' : ` (${strategy.replaceAll('_', ' ')})`;
  return `${origin}${from}${way}${interrupted ? ', cut off' : ''}`;
}

/** The score of the version it was made from, or of the attempt before it. */
function scoreBefore(history: History, { parents }: Version, place: number): number | null {
  const before = parents[0] ?? history.versions[place - 1]?.number;
  return before === undefined ? null : scoreOf(history, before);
}

function shown(score: number | null): string {
  return score === null ? 'none' : score.toFixed(2);
}

function issuesOf(history: History, { number }: Version): string[] {
  const { issues = [], suggestions = [] } = effectiveEvaluation(history, number) ?? {};
  return [
    ...issues.map(({ text }) => `Issue: ${onOneLine(text)}`),
    ...suggestions.slice(0, MOST_SUGGESTIONS).map((text) => `Suggestion: ${shortened(onOneLine(text))}`),
  ];
}

function isPeoples({ by, version }: Decision, { number }: Version): boolean {
  return by !== 'policy' && version === number;
}

function decisionLine({ decision, by, reason, guidance, score }: Decision): string {
  const said = [guidance, reason].filter((text) => text !== null && text !== '').map((text) => onOneLine(text ?? ''));
  return `Decision by ${by}: ${decision}${score === null ? '' : ` ${score.toFixed(2)}`}${said.length === 0 ? '' : `: ${said.join('; ')}`}`;
}

function wayLines(way: string): string[] {
  return way === '' ? [] : ['On the way:', ...way.split('\n').map((line) => `  ${line}`)];
}

/** Indented, so that no line of a text looks like one of the course. */
function outputLines({ output, outputDropped }: Version, length: number): string[] {
  if (outputDropped) return ['Output: not kept'];
  const cut = output.length > length ? `${output.slice(0, length).toWellFormed()} … (cut)` : output;
  return ['Output:', ...cut.split('\n').map((line) => `  ${line}`)];
}

function shortened(line: string): string {
  return line.length > LONGEST_SUGGESTION ? `${line.slice(0, LONGEST_SUGGESTION).toWellFormed()} … (cut)` : line;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
