import { classNames } from '#components/ui/class-names.ts';
import { type SidesOfDataset, splitLabel } from './split-labels.ts';

const BAR = 'h-2 overflow-hidden rounded-[1px] bg-line';
const SIDES = {
  train: 'bg-ink-3',
  validation: 'bg-ink-3 opacity-55',
  heldOut:
    'bg-[repeating-linear-gradient(135deg,var(--ink-3)_0_1px,transparent_1px_4px)] shadow-[inset_0_0_0_1px_var(--ink-3)]',
};

/** What a side looks like in a `SidesBar`. */
export function SideKey({ side }: { side: keyof typeof SIDES }) {
  return (
    <span className={classNames(BAR, 'inline-flex w-6 align-middle')} aria-hidden>
      <i className={classNames(SIDES[side], 'flex-1')} />
    </span>
  );
}

/** The sides of a dataset as a bar: full to tune on, paler for validation, hatched held out, empty what is not divided. */
export function SidesBar({ sides, className }: { sides: SidesOfDataset; className?: string }) {
  const { caseCount, train, validation, heldOut } = sides;
  return (
    <span className={classNames(BAR, 'flex min-w-16', className)} role="img" aria-label={splitLabel(sides)}>
      <i className={SIDES.train} style={{ flex: train }} />
      <i className={SIDES.validation} style={{ flex: validation }} />
      <i className={SIDES.heldOut} style={{ flex: heldOut }} />
      <i style={{ flex: Math.max(0, caseCount - train - validation - heldOut) }} />
    </span>
  );
}
