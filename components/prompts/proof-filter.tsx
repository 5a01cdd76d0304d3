'use client';

import { X } from 'lucide-react';
import { Segmented } from '#components/ui/segmented.tsx';
import { type ProofFilter as Filter, isShown, type ProofRow } from './proof-rows.ts';

type ProofFilterProps = {
  rows: readonly ProofRow[];
  value: Filter;
  hasBefore: boolean;
  onChange: (next: Filter) => void;
};

/** Which rows of the proof are shown, with how many there are of each. */
export function ProofFilter({ rows, value, hasBefore, onChange }: ProofFilterProps) {
  const count = (filter: Filter) => rows.filter((row) => isShown(row, filter)).length;
  return (
    <Segmented
      label="Show"
      className="flex-wrap"
      value={value}
      onChange={onChange}
      choices={[
        { value: 'all', label: `All ${rows.length}` },
        ...(hasBefore
          ? [
              {
                value: 'fixed' as const,
                label: (
                  <>
                    <b className="text-better">▲ {count('fixed')}</b> fixed
                  </>
                ),
              },
              {
                value: 'broken' as const,
                label: (
                  <>
                    <b className="text-worse">▼ {count('broken')}</b> broken
                  </>
                ),
              },
              { value: 'same' as const, label: `= ${count('same')} same` },
            ]
          : []),
        {
          value: 'wrong',
          label: (
            <>
              <X className="size-3.25" aria-hidden />
              {count('wrong')} wrong
            </>
          ),
        },
      ]}
    />
  );
}
