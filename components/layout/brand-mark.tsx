import { classNames } from '#components/ui/class-names.ts';
import { Link } from '#components/ui/link.tsx';

const LOOK = 'flex h-8 items-center gap-2 px-2 text-base font-semibold tracking-[-0.01em]';

/** Logo in the sidebar, linked to the home page. */
export function BrandMark() {
  return (
    <Link className={classNames(LOOK, 'rail:justify-center rail:px-0')} href="/">
      <Sign />
      <span className="rail:sr-only">Hone</span>
    </Link>
  );
}

/** Logo on public pages. */
export function BrandName() {
  return (
    <span className={LOOK}>
      <Sign />
      <span>Hone</span>
    </span>
  );
}

function Sign() {
  return (
    <svg
      className="size-4.5 fill-none stroke-2 stroke-ink [stroke-linecap:round] [stroke-linejoin:round]"
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path d="M2 16 6.5 9.5 10.5 12 16.5 4.5" />
      <circle className="fill-brand stroke-none" cx="16.5" cy="4.5" r="2.6" />
    </svg>
  );
}
