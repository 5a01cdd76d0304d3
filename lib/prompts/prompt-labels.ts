import type { PromptLabelMove } from './schema.ts';

/** The label of the version that programs are meant to use; it is guarded by the held-out cases. */
export const PRODUCTION = 'production';

/** Labels that are always offered; any others are a team's own. */
export const USUAL_LABELS: readonly string[] = [PRODUCTION, 'staging'];

/**
 * Where a label stood before its last move, which rolling back takes it to: null is nowhere. There is no answer where it was never
 * moved. `moves`: newest first. Rolling back twice is back where it was.
 */
export function rollBackTarget(moves: PromptLabelMove[], label: string): { version: number | null } | null {
  const last = moves.find((move) => move.label === label);
  return last === undefined ? null : { version: last.previous };
}

/** Labels as they are read: production first, then staging, then by name. */
export function inLabelOrder<Labelled extends { label: string }>(labels: readonly Labelled[]): Labelled[] {
  const place = ({ label }: Labelled) => {
    const at = USUAL_LABELS.indexOf(label);
    return at < 0 ? USUAL_LABELS.length : at;
  };
  return labels.toSorted((one, other) => place(one) - place(other) || one.label.localeCompare(other.label));
}
