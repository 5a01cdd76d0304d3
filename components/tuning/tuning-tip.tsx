import { ChartTip } from '#components/ui/chart.tsx';
import { formatScore } from '#lib/format.ts';
import type { MeanInterval } from '#lib/measures/mean-interval.ts';
import type { TuningSummary } from '#lib/measures/tuning-summary.ts';
import { decisionReason, stateWords } from './candidate-words.ts';
import { spreadWords } from './mean-words.tsx';

type TuningTipProps = {
  tuning: TuningSummary;
  isEnded: boolean;
  active?: boolean;
  label?: string | number;
};

/** All means of the prompt one points at, each with its interval and the number of its cases, and why it stands as it does. */
export function TuningTip({ tuning, isEnded, active, label }: TuningTipProps) {
  const version = tuning.versions.find(({ number }) => `v${number}` === label);
  if (!active || version === undefined) return null;
  const reason = decisionReason(version);
  const rows: { name: string; mean: MeanInterval | null; className: string }[] = [
    { name: 'Validation', mean: version.validation, className: 'font-semibold text-brand' },
    { name: 'Training', mean: version.train, className: 'text-s1' },
    { name: 'Held out', mean: version.heldOut, className: 'text-s2' },
  ];
  return (
    <ChartTip className="max-w-72">
      <b>v{version.number}</b> <span className="text-ink-3">{stateWords(version, isEnded)}</span>
      <table className="mt-1">
        <tbody>
          {rows.map(({ name, mean, className }) => (
            <tr key={name}>
              <td className={className}>{name}</td>
              <td className="font-semibold">{mean === null ? '–' : formatScore(mean.mean)}</td>
              <td className="text-ink-3">{mean === null ? 'not on all cases' : spreadWords(mean)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {reason === '' ? null : <p className="mt-1 whitespace-normal text-ink-2 text-sm">{reason}</p>}
    </ChartTip>
  );
}
