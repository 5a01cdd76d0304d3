import type { Critique, History } from './history.ts';

/** The critiques that say how a version is to be mended: made in the loop's course, and asked for by hand. */
export function critiquesOf(history: History, version: number): Critique[] {
  return history.critiques.filter(
    (critique) => critique.version === version && (critique.trigger === 'completion' || critique.trigger === 'manual'),
  );
}

/** All that is said on how a version is to be mended, as one; null where nothing was said. */
export function critiqueOn(
  history: History,
  version: number,
): Pick<Critique, 'text' | 'issues' | 'suggestions'> | null {
  const [first, ...more] = critiquesOf(history, version);
  if (first === undefined) return null;
  const { text, issues, suggestions } = first;
  return more.reduce(
    (sum, critique) => ({
      text: [sum.text, critique.text].filter((one) => one !== '').join('\n'),
      issues: [
        ...sum.issues,
        ...critique.issues.filter((issue) => sum.issues.every((known) => known.text !== issue.text)),
      ],
      suggestions: [...new Set([...sum.suggestions, ...critique.suggestions])],
    }),
    { text, issues, suggestions },
  );
}

/**
 * What reflections say of the way here, for whoever makes the next version: why the last one fell, and why making the next one
 * failed. Single lines, without list marks.
 */
export function wentWrongSoFar(history: History): string[] {
  const next = history.versions.length;
  // An agent under way is told of errors between its turns.
  const begun = history.turns.find(({ version }) => version === next)?.step ?? Number.POSITIVE_INFINITY;
  return history.critiques
    .filter(
      ({ trigger, version, step }) =>
        (trigger === 'quality_drop' && version === next - 1) ||
        (trigger === 'error' && version === next && step < begun),
    )
    .flatMap(linesOf);
}

/** What was found wrong with a run's attempts by hand, in the order of asking. */
export function manualRemarks(history: History): string[] {
  return history.critiques.filter(({ trigger }) => trigger === 'manual').flatMap(linesOf);
}

/** A critique as single lines: what it says, what is wrong, what to do. */
export function linesOf({ text, issues, suggestions }: Critique): string[] {
  return [text, ...issues.map((issue) => issue.text), ...suggestions].filter((line) => line.trim() !== '');
}
