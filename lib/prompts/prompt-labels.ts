import type { PromptLabelMove } from './schema.ts';

/** Label of the version for production use. Moves are checked against the held-out cases. */
export const PRODUCTION = 'production';

/** Labels that are always offered. All others are custom. */
export const USUAL_LABELS: readonly string[] = [PRODUCTION, 'staging'];

/**
 * Returns the version of a label before its last move, which a rollback restores (`version` null: no version). Returns null if the label
 * was never moved. `moves` is sorted newest first. A second rollback undoes the first.
 */
export function rollBackTarget(moves: PromptLabelMove[], label: string): { version: number | null } | null {
  const last = moves.find((move) => move.label === label);
  return last === undefined ? null : { version: last.previous };
}

/** Sorts labels: production first, then staging, then by name. */
export function inLabelOrder<Labelled extends { label: string }>(labels: readonly Labelled[]): Labelled[] {
  const rank = ({ label }: Labelled) => {
    const at = USUAL_LABELS.indexOf(label);
    return at < 0 ? USUAL_LABELS.length : at;
  };
  return labels.toSorted((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label));
}
