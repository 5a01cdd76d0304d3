import { formatBounds } from '#components/experiment/success-cell.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Stat } from '#components/ui/stat.tsx';
import { formatCount, formatList, formatPercent } from '#lib/format.ts';
import type { InsightsReport } from '#lib/insights/schema.ts';
import type { ErrorRates } from '#lib/statistics/error-rates.ts';
import { ErrorsTable } from './errors-table.tsx';
import { TREND_LABELS } from './trend-labels.ts';

/** What revising mends and what it breaks, check by check from one version to the next, and where that leads. */
export function ErrorsSection({ report }: { report: InsightsReport }) {
  const { errors, errorsOf, errorsLeftOut, repeats } = report;
  return (
    <section className="min-w-0" data-testid="errors">
      <Pane className="border-b-0 pb-1">
        <PaneHeader>
          <h2>Errors corrected and introduced</h2>
          <span className="text-ink-3 text-sm">each check, from one version to the next</span>
        </PaneHeader>
        <div className="flex flex-wrap items-start gap-x-9 gap-y-3">
          <RateStat label="Corrected" rates={errors} of="corrected" noun="failing" />
          <RateStat label="Introduced" rates={errors} of="introduced" noun="passing" />
          <Stat label="Settles at" value={errors.settles === null ? '–' : formatPercent(errors.settles.share)}>
            {settlesLabel(errors)}
          </Stat>
          <Stat
            label="Same answer again"
            value={repeats.interval === null ? '–' : formatPercent(repeats.interval.share)}
          >
            {repeats.interval === null
              ? 'nothing was tried again'
              : `${formatCount(repeats.met)} of ${formatCount(repeats.of)} after one that failed, ${formatBounds(repeats.interval)}`}
          </Stat>
        </div>
        <p className="mt-3 max-w-[64ch] text-ink-2 text-sm">
          A check is one criterion against its own threshold. Stable while corrected × failing is more than introduced ×
          passing. Revising on and on settles at corrected ÷ (corrected + introduced); a set that is above that gets
          worse.
        </p>
      </Pane>
      {errorsOf.length === 0 ? null : <ErrorsTable rows={errorsOf} />}
      {errorsLeftOut.length === 0 ? null : (
        <Pane asChild className="border-b-0 text-ink-2 text-sm">
          <p>
            {errorsOf.length > 0 ? '○ passing now, ▸ where it settles. ' : ''}Not in the list, with under 20 failing
            checks: {leftOutLabel(errorsLeftOut)}.
          </p>
        </Pane>
      )}
    </section>
  );
}

type RateStatProps = { label: string; rates: ErrorRates; of: 'corrected' | 'introduced'; noun: string };

function RateStat({ label, rates, of, noun }: RateStatProps) {
  const { met, of: all, interval } = rates[of];
  return (
    <Stat label={label} value={interval === null ? '–' : formatPercent(interval.share)}>
      {interval === null
        ? `no ${noun} check yet`
        : `${formatCount(met)} of ${formatCount(all)} ${noun}, ${formatBounds(interval)}`}
    </Stat>
  );
}

function settlesLabel({ now, settles, trend }: ErrorRates): string {
  if (settles === null || now === null || trend === null) return 'too little has changed to tell';
  return `${formatBounds(settles)}; now ${formatPercent(now)}, ${TREND_LABELS[trend].sentence}`;
}

/** Names that are told one by one. */
const MOST_NAMES = 8;

function leftOutLabel(names: string[]): string {
  if (names.length <= MOST_NAMES) return formatList(names);
  return `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`;
}
