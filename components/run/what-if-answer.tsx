import type { ReactNode } from 'react';
import { Change } from '#components/ui/change.tsx';
import { Table } from '#components/ui/table.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import type { WhatIf } from '#lib/what-if/what-if.ts';
import type { WhatIfOutcome } from './use-what-if.ts';
import { whatIfLabel } from './what-if-labels.ts';

type WhatIfAnswerProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  outcome: WhatIfOutcome;
  isChanged: boolean;
};

/** Where the run would have come to, in words, beside what happened. */
export function WhatIfAnswer({ record, settings, outcome, isChanged }: WhatIfAnswerProps) {
  const { happened, would } = outcome;
  const isOver = record.finishedAt !== null;
  const before = whatIfLabel(happened, settings, isOver);
  const after = whatIfLabel(would, outcome.settings, isOver);
  const isSame =
    isChanged && before.ends === after.ends && before.as === after.as && happened.returned === would.returned;
  return (
    <>
      <div aria-live="polite" data-testid="what-if-answer">
        <p>
          <b className="text-brand">
            {!isChanged
              ? 'This is what happened. Move a setting to see what it would have changed.'
              : isSame
                ? 'Nothing would have changed.'
                : after.sentence}
          </b>
        </p>
        <p className="mt-1 mb-2 text-ink-2 text-sm">{after.because}</p>
      </div>
      <Table isTight>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Of the run</span>
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Happened
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              What if
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              <span className="sr-only">Difference</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Row name="Ends" before={before.ends} after={after.ends} />
          <Row name="As" before={before.as} after={after.as} />
          <Row
            name="Returns"
            before={pickOf(happened)}
            after={pickOf(would)}
            difference={scoreChange(happened, would)}
          />
          <Row
            name="Issues open"
            before={happened.openIssues ?? 'unscored'}
            after={would.openIssues ?? 'unscored'}
            difference={countChange(happened.openIssues, would.openIssues)}
          />
          <Row
            name="Versions"
            before={happened.versionCount}
            after={would.versionCount}
            difference={countChange(happened.versionCount, would.versionCount)}
          />
          <Row name="Cost" before={costOf(happened)} after={costOf(would)} difference={costChange(happened, would)} />
        </tbody>
      </Table>
    </>
  );
}

type RowProps = { name: string; before: ReactNode; after: ReactNode; difference?: ReactNode };

function Row({ name, before, after, difference }: RowProps) {
  return (
    <tr>
      <th scope="row" className="font-normal">
        {name}
      </th>
      <td className="whitespace-nowrap text-right text-ink-2 text-sm">{before}</td>
      <td className={before === after ? 'whitespace-nowrap text-right' : 'whitespace-nowrap text-right font-semibold'}>
        {after}
      </td>
      <td className="whitespace-nowrap text-right text-ink-2 text-sm">{difference ?? null}</td>
    </tr>
  );
}

/** The version a replay returns with its score: `v3 0.74`. */
export function pickOf({ returned, evaluations }: WhatIf): string {
  return returned === null ? 'none' : `v${returned} ${formatScore(evaluations.get(returned)?.overallScore ?? null)}`;
}

function scoreChange(before: WhatIf, after: WhatIf): ReactNode {
  const one = before.returned === null ? null : before.evaluations.get(before.returned)?.overallScore;
  const other = after.returned === null ? null : after.evaluations.get(after.returned)?.overallScore;
  return one == null || other == null || before.returned === after.returned ? null : <Change by={other - one} />;
}

function countChange(before: number | null, after: number | null): string | null {
  if (before === null || after === null || before === after) return null;
  return after > before ? `${after - before} more` : `${before - after} fewer`;
}

function costOf({ spend }: WhatIf): string {
  return spend.costUsd === null ? formatNumberOf(spend.tokenUsage.total, 'token') : formatCost(spend.costUsd, false);
}

function costChange(before: WhatIf, after: WhatIf): string | null {
  const one = before.spend.costUsd ?? before.spend.tokenUsage.total;
  const other = after.spend.costUsd ?? after.spend.tokenUsage.total;
  if (one <= 0 || one === other || (before.spend.costUsd === null) !== (after.spend.costUsd === null)) return null;
  const share = (other - one) / one;
  return `${share > 0 ? '+' : '−'}${formatPercent(Math.abs(share))}`;
}
