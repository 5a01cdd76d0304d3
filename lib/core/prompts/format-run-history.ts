import type { Decision, History, Version } from '../history.ts';
import { effectiveEvaluation, scoreOf } from '../scored-versions.ts';
import { formatAgentTrajectory } from './format-agent-trajectory.ts';

/** Maximum characters of agents' steps, divided among all versions, and the minimum for each of them. */
const MAX_TRAJECTORIES_LENGTH = 24_000;
const MIN_TRAJECTORY_LENGTH = 600;

/** Maximum number of suggestions per version, and characters of each. */
const MAX_SUGGESTIONS = 10;
const MAX_SUGGESTION_LENGTH = 300;

/**
 * Formats the history of a run as lines for prompts. Each version has its origin, its score before and after, its issues, people's
 * decisions, its agent's steps, and its text, truncated to `outputLength` characters (null: neither steps nor text). An attempt without a
 * version comes last. Never contains references or evaluators' texts for people.
 */
export function formatRunHistory(history: History, outputLength: number | null): string {
  const under = history.versions.length;
  const agentSteps = (version: number) =>
    outputLength === null
      ? []
      : trajectoryLines(
          formatAgentTrajectory(
            history,
            version,
            Math.max(MIN_TRAJECTORY_LENGTH, MAX_TRAJECTORIES_LENGTH / (under + 1)),
          ),
        );
  const unfinished = agentSteps(under);
  const versions = history.versions
    .map((version, index) => [
      `Version ${version.number}, ${formatOrigin(version)}`,
      `Score: ${shown(scoreBefore(history, version, index))} -> ${shown(scoreOf(history, version.number))}`,
      ...issuesOf(history, version),
      ...history.decisions.filter((decision) => isReviewerDecision(decision, version)).map(decisionLine),
      ...agentSteps(version.number),
      ...(outputLength === null ? [] : outputLines(version, outputLength)),
    ])
    .map((lines) => lines.join('\n'));
  return [
    ...versions,
    ...(unfinished.length === 0 ? [] : [[`Version ${under}, not finished`, ...unfinished].join('\n')]),
  ].join('\n\n');
}

function formatOrigin({ origin, parents, strategy, interrupted }: Version): string {
  const from = parents.length === 0 ? '' : ` from version ${parents.join(' and ')}`;
  const way = strategy === null ? '' : ` (${strategy.replaceAll('_', ' ')})`;
  return `${origin}${from}${way}${interrupted ? ', cut off' : ''}`;
}

/** Returns the score of the parent version, or of the previous attempt. */
function scoreBefore(history: History, { parents }: Version, index: number): number | null {
  const before = parents[0] ?? history.versions[index - 1]?.number;
  return before === undefined ? null : scoreOf(history, before);
}

function shown(score: number | null): string {
  return score === null ? 'none' : score.toFixed(2);
}

function issuesOf(history: History, { number }: Version): string[] {
  const { issues = [], suggestions = [] } = effectiveEvaluation(history, number) ?? {};
  return [
    ...issues.map(({ text }) => `Issue: ${onOneLine(text)}`),
    ...suggestions.slice(0, MAX_SUGGESTIONS).map((text) => `Suggestion: ${shortened(onOneLine(text))}`),
  ];
}

function isReviewerDecision({ by, version }: Decision, { number }: Version): boolean {
  return by !== 'policy' && version === number;
}

function decisionLine({ decision, by, reason, guidance, score }: Decision): string {
  const texts = [guidance, reason].filter((text) => text !== null && text !== '').map((text) => onOneLine(text ?? ''));
  return `Decision by ${by}: ${decision}${score === null ? '' : ` ${score.toFixed(2)}`}${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`;
}

function trajectoryLines(way: string): string[] {
  return way === '' ? [] : ['On the way:', ...way.split('\n').map((line) => `  ${line}`)];
}

/** Indented, so that no text can imitate a line of the format. */
function outputLines({ output, outputDropped }: Version, length: number): string[] {
  if (outputDropped) return ['Output: not kept'];
  const cut = output.length > length ? `${output.slice(0, length).toWellFormed()} … (cut)` : output;
  return ['Output:', ...cut.split('\n').map((line) => `  ${line}`)];
}

function shortened(line: string): string {
  return line.length > MAX_SUGGESTION_LENGTH ? `${line.slice(0, MAX_SUGGESTION_LENGTH).toWellFormed()} … (cut)` : line;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
