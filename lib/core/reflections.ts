import type { Critique, History } from './history.ts';

/** Returns the critiques that a revision of a version uses: those made by the loop and those requested manually. */
export function critiquesOf(history: History, version: number): Critique[] {
  return history.critiques.filter(
    (critique) => critique.version === version && (critique.trigger === 'completion' || critique.trigger === 'manual'),
  );
}

/** Returns all critiques for the revision of a version, merged into one, or null if there are none. */
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
 * Returns the problems so far for the next version: reasons for the drop of the last version, and for failures to make the next one. Single
 * lines, without list markers.
 */
export function failuresSoFar(history: History): string[] {
  const next = history.versions.length;
  // An active agent receives errors between its turns.
  const begun = history.turns.find(({ version }) => version === next)?.step ?? Number.POSITIVE_INFINITY;
  return history.critiques
    .filter(
      ({ trigger, version, step }) =>
        (trigger === 'quality_drop' && version === next - 1) ||
        (trigger === 'error' && version === next && step < begun),
    )
    .flatMap(linesOf);
}

/** Returns the lines of manually requested critiques of a run's attempts, in order. */
export function manualRemarks(history: History): string[] {
  return history.critiques.filter(({ trigger }) => trigger === 'manual').flatMap(linesOf);
}

/** Returns a critique as single lines: its text, issues and suggestions. */
export function linesOf({ text, issues, suggestions }: Critique): string[] {
  return [text, ...issues.map((issue) => issue.text), ...suggestions].filter((line) => line.trim() !== '');
}
