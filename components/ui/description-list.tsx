import type { ReactNode } from 'react';
import { styled } from './styled.ts';

/** Two-column list of terms and descriptions. Contains `Term`. */
export const DescriptionList = styled(
  'dl',
  'description-list',
  'grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.25 text-md [&_dt]:text-ink-3',
);

/** A term and its description. */
export function Term({ name, className, children }: { name: ReactNode; className?: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </>
  );
}
