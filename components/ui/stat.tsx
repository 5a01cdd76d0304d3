import type { ReactNode } from 'react';
import { styled } from './styled.ts';

type StatProps = { label: ReactNode; value: ReactNode; children?: ReactNode };

/** A number with its name above and its details below. */
export function Stat({ label, value, children }: StatProps) {
  return (
    <div data-slot="stat" className="flex min-w-0 flex-col gap-px">
      <span className="text-ink-3 text-sm">{label}</span>
      <span className="font-semibold text-xl leading-tight tracking-[-0.015em]">{value}</span>
      <span className="text-ink-2 text-sm">{children}</span>
    </div>
  );
}

/** Row of `Stat` numbers with lines between them. Two per row on phones. */
export const Stats = styled('div', 'stats', [
  'grid grid-cols-2 narrow:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] border-line border-b',
  '*:border-line *:px-4 narrow:*:px-6 *:py-3',
  'max-narrow:*:nth-[n+3]:border-t narrow:*:not-first:border-l *:even:border-l',
]);
