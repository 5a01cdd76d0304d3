'use client';

import { useRouter } from 'next/navigation';
import { Select } from '#components/ui/field.tsx';
import { formatNumberOf } from '#lib/format.ts';

type ChooseDatasetProps = {
  datasets: readonly { id: string; name: string; caseCount: number }[];
  current: string | null;
};

/** On narrow pages in the place of the list. */
export function ChooseDataset({ datasets, current }: ChooseDatasetProps) {
  const router = useRouter();
  const isListed = datasets.some(({ id }) => id === current);
  return (
    <Select
      aria-label="Dataset"
      value={isListed ? (current ?? '') : ''}
      onChange={(event) => event.target.value !== '' && router.push(`/datasets/${event.target.value}`)}
    >
      {isListed ? null : <option value="">Choose a dataset</option>}
      {datasets.map(({ id, name, caseCount }) => (
        <option key={id} value={id}>
          {name}, {formatNumberOf(caseCount, 'case')}
        </option>
      ))}
    </Select>
  );
}
