import Link from 'next/link';
import { SegmentedLinks } from '#components/ui/segmented-links.tsx';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import { type CompareState, compareAddress } from './compare-address.ts';

const CHOICES: { metric: ComparedMetric; label: string }[] = [
  { metric: 'score', label: 'By score' },
  { metric: 'solved', label: 'By cases solved' },
];

/** What better, worse and the verdicts go by. */
export function MetricChoice({ state, metric }: { state: CompareState; metric: ComparedMetric }) {
  return (
    <SegmentedLinks aria-label="Compared by">
      {CHOICES.map((choice) => (
        <Link
          key={choice.metric}
          href={compareAddress({ ...state, metric: choice.metric })}
          scroll={false}
          aria-current={choice.metric === metric ? 'true' : undefined}
        >
          {choice.label}
        </Link>
      ))}
    </SegmentedLinks>
  );
}
