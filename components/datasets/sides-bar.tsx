import { type SidesOfDataset, splitWords } from './split-words.ts';

/** The sides of a dataset as a bar: full to tune on, paler for validation, hatched held out, empty what is not divided. */
export function SidesBar({ sides, className }: { sides: SidesOfDataset; className?: string }) {
  const { caseCount, train, validation, heldOut } = sides;
  return (
    <span className={className ? `halves ${className}` : 'halves'} role="img" aria-label={splitWords(sides)}>
      <i className="tune" style={{ flex: train }} />
      <i className="try" style={{ flex: validation }} />
      <i className="held" style={{ flex: heldOut }} />
      <i style={{ flex: Math.max(0, caseCount - train - validation - heldOut) }} />
    </span>
  );
}
