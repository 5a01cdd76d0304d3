import { Notice } from '#components/ui/notice.tsx';
import { formatCost, formatCount, formatNumberOf } from '#lib/format.ts';

type RunWarningsProps = {
  warnings: readonly { text: string; calls: number }[];
  maybeBilled: { calls: number; tries: number; tokens: number; costUsd: number } | null;
};

/** What the calls of a run said beside their answers, and what of its cost is only estimated; nothing where there is neither. */
export function RunWarnings({ warnings, maybeBilled }: RunWarningsProps) {
  if (warnings.length === 0 && maybeBilled === null) return null;
  return (
    <Notice title="Warnings from model calls" className="mx-6 my-3 max-[760px]:mx-4">
      <ul className="flex flex-col gap-1">
        {maybeBilled === null ? null : (
          <li>
            {formatNumberOf(maybeBilled.tries, 'try', 'tries')} without a complete response may have been billed. Tokens
            and cost include an estimate for them: {formatCount(maybeBilled.tokens)} tokens
            {maybeBilled.costUsd > 0 ? `, ${formatCost(maybeBilled.costUsd, false)}` : ''}.
          </li>
        )}
        {warnings.map(({ text, calls }) => (
          <li key={text} className="wrap-anywhere">
            {text} <span className="text-ink-3">({formatNumberOf(calls, 'call')})</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
