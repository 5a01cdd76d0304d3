'use client';

import { useRouter } from 'next/navigation';
import type { ComponentProps } from 'react';
import { Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { formatNumberOf } from '#lib/format.ts';

type DatasetSelectProps = Pick<ComponentProps<typeof Select>, 'aria-label'> & {
  datasets: readonly { id: string; name: string; caseCount: number }[];
  /** Id of the selected dataset, or an empty string. */
  value: string;
  onChange: (id: string) => void;
  /** Label of the option for no dataset, whose value is an empty string. If omitted, a dataset must be selected. */
  none?: string | undefined;
};

/** Selects a dataset by its name and number of cases. */
export function DatasetSelect({ datasets, value, onChange, none, ...props }: DatasetSelectProps) {
  return (
    <Select value={value} onValue={onChange} {...props}>
      {none === undefined ? null : <option value="">{none}</option>}
      <Options of={datasets.map(({ id, name, caseCount }) => [id, `${name}, ${formatNumberOf(caseCount, 'case')}`])} />
    </Select>
  );
}

type ChooseDatasetProps = {
  datasets: readonly { id: string; name: string; caseCount: number }[];
  current: string | null;
};

/** Replaces the list on narrow pages. */
export function ChooseDataset({ datasets, current }: ChooseDatasetProps) {
  const router = useRouter();
  const isListed = datasets.some(({ id }) => id === current);
  return (
    <DatasetSelect
      aria-label="Dataset"
      datasets={datasets}
      value={isListed ? (current ?? '') : ''}
      onChange={(id) => id !== '' && router.push(`/datasets/${id}`)}
      none={isListed ? undefined : 'Choose a dataset'}
    />
  );
}
