import Link from 'next/link';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { BudgetWarning } from '#lib/budgets/find-budget-warnings.ts';
import { formatCount, formatMoney } from '#lib/format.ts';

type BudgetNoticesProps = {
  warnings: readonly BudgetWarning[];
  /** The form of the experiment's settings. */
  edit: string;
};

/** Says which budgets are nearly or wholly used up, what that does to runs, and where they are raised. */
export function BudgetNotices({ warnings, edit }: BudgetNoticesProps) {
  if (warnings.length === 0) return null;
  return (
    <Pane className="flex flex-col gap-2">
      {warnings.map(({ budget, unit, spent, limit }) => (
        <Notice
          key={`${budget} ${unit}`}
          tone="worse"
          title={budget === 'month' ? 'Budget of the month:' : 'Budget of the experiment:'}
        >
          {unit === 'usd'
            ? `${formatMoney(spent)} of ${formatMoney(limit)} used.`
            : `${formatCount(spent)} of ${formatCount(limit)} tokens used.`}{' '}
          Calls that would pass it are not made; their runs stop and can be resumed.{' '}
          <Link className="link" href={budget === 'month' ? '/models#month-budget' : edit}>
            Change it
          </Link>
        </Notice>
      ))}
    </Pane>
  );
}
