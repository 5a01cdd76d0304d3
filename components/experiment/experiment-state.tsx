import { Pause, TriangleAlert } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { formatCount } from '#lib/format.ts';
import type { ExperimentFlag } from '#lib/statistics/experiment-flags.ts';

type ExperimentStateProps = {
  waiting: number;
  underWay: number;
  runCount: number;
  flag: ExperimentFlag['flag'] | null;
};

/** What an experiment wants of people: runs that wait, those under way, criteria that seem too hard or too easy, or runs that can't be scored. */
export function ExperimentState({ waiting, underWay, runCount, flag }: ExperimentStateProps) {
  if (waiting > 0)
    return (
      <Badge tone="wait">
        <Pause aria-hidden />
        {formatCount(waiting)} waiting
      </Badge>
    );
  if (underWay > 0)
    return (
      <span className="whitespace-nowrap font-semibold text-brand text-sm">
        {formatCount(runCount - underWay)} of {formatCount(runCount)}, under way
      </span>
    );
  if (flag === null) return null;
  return (
    <Badge tone="worse">
      <TriangleAlert aria-hidden />
      {flag}
    </Badge>
  );
}
