'use client';

import { useRouter } from 'next/navigation';
import { Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { formatAgo, formatNumberOf } from '#lib/format.ts';

type BatchPickerProps = {
  path: string;
  batches: ExperimentView['batches'];
  chosen: string;
};

/** Selects the batch to show. The choice is stored in the URL. Renders nothing if there is only one. */
export function BatchPicker({ path, batches, chosen }: BatchPickerProps) {
  const router = useRouter();
  const now = useNow(null);
  if (batches.length < 2) return null;
  return (
    <Select
      size="small"
      className="ml-auto"
      aria-label="Batch"
      value={chosen}
      onValue={(value) => router.push(`${path}?batch=${value}`)}
    >
      <Options
        of={batches.map(({ id, total, createdAt, experimentVersion, isBranch }) => [
          id,
          `${isBranch ? 'A branch' : formatNumberOf(total, 'run')} of v${experimentVersion}, ${formatAgo(createdAt, now)}`,
        ])}
      />
    </Select>
  );
}
