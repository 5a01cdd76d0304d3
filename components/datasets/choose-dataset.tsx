'use client';

import { useRouter } from 'next/navigation';
import { DatasetSelect } from './dataset-select.tsx';

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
