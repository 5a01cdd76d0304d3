import { guidanceOn } from '#lib/core/decisions.ts';
import { isCutOff } from '#lib/core/responses.ts';
import type { Critique, History } from '../history.ts';
import { critiquesOf } from '../reflections.ts';
import { effectiveEvaluation, scoreOf } from '../scored-versions.ts';
import { cutText } from '../text-values.ts';
import { quote } from './quote.ts';
import { formatOmittedNote, latestThatFit } from './sections.ts';

/** Maximum characters of earlier versions in a prompt, and of each text in them. */
const FINDINGS_LENGTH = 20_000;
const TRIED_LENGTH = 12_000;
const MAX_REMARK_LENGTH = 10_000;
const MAX_LINE_LENGTH = 600;

const TRIED = `Earlier versions and their problems, oldest first. Do not repeat a request that did not help: find another way to fix the remaining problems,
and keep what was fixed.`;

/**
 * Returns the findings on versions other than `from`, for their reviser: texts of critiques, and issues and suggestions of critiques and
 * evaluations. The latest versions that fit are included in full. Never contains references or evaluators' texts for people.
 */
export function earlierFindings(history: History, from: number): string[] {
  const blocks = history.versions.flatMap(({ number }) => {
    if (number === from) return [];
    const remarks = critiquesHere(history, number).map(({ text }) => text);
    const lines = [...listed('Critique', remarks, MAX_REMARK_LENGTH), ...findingsOn(history, number, remarks)];
    return lines.length === 0 ? [] : [[`- Version ${number}, ${scored(history, number)}:`, ...lines].join('\n')];
  });
  const { fitting, left } = latestThatFit(blocks, ({ length }) => length, FINDINGS_LENGTH);
  return [
    ...(fitting.length === 0 ? [] : [quote('earlier_critiques', fitting.join('\n'))]),
    ...formatOmittedNote('critique', left),
  ];
}

/**
 * Returns the history of a version for its critic: for each version up to it, the issues to fix, its score, its findings and people's
 * guidance. Empty for a first version without any. The latest versions that fit are included in full.
 */
export function triedBefore(history: History, version: number): string[] {
  const versions = history.versions.filter(({ number }) => number <= version);
  const askedOf = (number: number) =>
    history.versions.flatMap(({ parents, improvementsApplied }) =>
      parents.includes(number) ? improvementsApplied : [],
    );
  const blocks = versions.flatMap((made) => {
    const { number, origin, parents, improvementsApplied } = made;
    const isLast = number === version;
    const people = parents.flatMap((parent) => guidanceOn(history, parent));
    const lines = [
      ...listed(
        'Requested fix',
        improvementsApplied.filter((text) => !people.includes(text)),
      ),
      ...(isLast ? namedAlready(history, number) : findingsOn(history, number, askedOf(number))),
      ...listed('Requested by people for the next version', guidanceOn(history, number)),
    ];
    if (isLast && lines.length === 0) return [];
    const from = parents.length === 0 ? '' : ` from version ${parents.join(' and ')}`;
    const cutOff = isCutOff(made) || made.interrupted ? ', cut off' : '';
    const score = isLast ? 'shown above' : scored(history, number);
    return [[`- Version ${number}, ${origin}${from}${cutOff}, ${score}:`, ...lines].join('\n')];
  });
  const { fitting, left } = latestThatFit(blocks, ({ length }) => length, TRIED_LENGTH);
  return fitting.length === 0
    ? []
    : [TRIED, quote('earlier_versions', fitting.join('\n')), ...formatOmittedNote('version', left)];
}

/** Returns the unique issues and suggestions of critiques and the effective evaluation, except those in `known`. */
function findingsOn(history: History, version: number, known: string[]): string[] {
  const sources = [...critiquesHere(history, version), effectiveEvaluation(history, version)];
  const issues = sources.flatMap((source) => source?.issues.map(({ text }) => text) ?? []);
  const suggestions = sources.flatMap((source) => source?.suggestions ?? []);
  const isNew = (text: string) => !known.some((one) => one.includes(text));
  return [...listed('Issue', issues.filter(isNew)), ...listed('Suggestion', suggestions.filter(isNew))];
}

function namedAlready(history: History, version: number): string[] {
  const critiques = critiquesOf(history, version);
  return listed(
    'Already named',
    critiques.flatMap(({ issues, suggestions }) => [...issues.map(({ text }) => text), ...suggestions]),
  );
}

/** Returns the critiques of a version. The critique on the drop of the last version is excluded, because it has a separate section. */
function critiquesHere({ critiques, versions }: History, version: number): Critique[] {
  const last = versions.at(-1)?.number;
  return critiques.filter(
    (one) =>
      one.version === version && one.trigger !== 'error' && !(one.trigger === 'quality_drop' && version === last),
  );
}

function scored(history: History, version: number): string {
  const score = scoreOf(history, version);
  return score === null ? 'unscored' : `score ${score.toFixed(2)}`;
}

/** Formats unique texts, each on one line with its label, truncated. */
function listed(label: string, texts: string[], longest = MAX_LINE_LENGTH): string[] {
  const lines = texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
  return [...new Set(lines)].map((line) => `  - ${label}: ${cutText(line, longest)}`);
}
