import { csvRow } from '#lib/formats/csv-cell.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';
import type { Insights } from './schema.ts';

/**
 * The columns. A share has `met` of `of`, other numbers have a `value`. `low` and `high` are the bounds of the 95 % confidence interval.
 */
const COLUMNS = ['measure', 'experiment', 'settings version', 'met', 'of', 'value', 'low', 'high', 'target', 'reading'];

type Line = {
  measure: string;
  experiment?: string;
  version?: number;
  met?: number;
  of?: number;
  value?: number | null;
  low?: number | null;
  high?: number | null;
  target?: number;
  reading?: string;
};

/** Formats all numbers of the insights as CSV, one measure per line. Safe to open in a spreadsheet. */
export function writeInsightsCsv(insights: Insights): string {
  return [csvRow(COLUMNS), ...linesOf(insights).map(rowOf)].join('');
}

function rowOf({ measure, experiment, version, met, of, value, low, high, target, reading }: Line): string {
  return csvRow([measure, experiment, version, met, of, value, low, high, target, reading]);
}

function linesOf({ models, report, equalCost }: Insights): Line[] {
  return [
    { measure: 'models', reading: models },
    { measure: 'experiments', value: report.experiments },
    { measure: 'runs', value: report.runs },
    { measure: 'ended runs', value: report.ended },
    { measure: 'evaluations', value: report.evaluations },
    ...report.targets.map((one) => ({
      ...shareLine(one.target, one),
      target: one.aim,
      reading: `${one.reading}: ${one.because}`,
    })),
    { measure: 'largest distance of a re-score', value: report.rescores.largestDistance },
    { ...shareLine('unscored evaluations', report.unscored) },
    { ...shareLine('repeated answers', report.repeats) },
    {
      measure: 'cost in USD',
      value: report.cost.costUsd,
      reading: report.cost.unpriced ? 'at least: some calls have no price' : '',
    },
    { measure: 'cost per point in USD', value: report.cost.perPointUsd },
    { measure: 'cost per solved run in USD', value: report.cost.perSolvedUsd },
    ...report.costs.flatMap(({ name, version, perPointUsd, perSolvedUsd }): Line[] => [
      { measure: 'cost per point in USD', experiment: name, version, value: perPointUsd },
      { measure: 'cost per solved run in USD', experiment: name, version, value: perSolvedUsd },
    ]),
    ...[report.people, report.checks].flatMap(calibrationLines),
    shareLine('checks corrected', report.errors.corrected),
    shareLine('checks introduced', report.errors.introduced),
    {
      measure: 'settles at',
      value: report.errors.settles?.share,
      ...boundsOf(report.errors.settles),
      reading: report.errors.trend ?? '',
    },
    ...report.errorsOf.flatMap(({ name, version, corrected, introduced, settles, trend }): Line[] => [
      { ...shareLine('checks corrected', corrected), experiment: name, version },
      { ...shareLine('checks introduced', introduced), experiment: name, version },
      {
        measure: 'settles at',
        experiment: name,
        version,
        value: settles?.share,
        ...boundsOf(settles),
        reading: trend ?? '',
      },
    ]),
    ...(equalCost === null
      ? []
      : [
          {
            measure: 'equal cost: solved by reflection only',
            experiment: equalCost.name,
            version: equalCost.version,
            met: equalCost.onlyReflection,
            of: equalCost.cases,
          },
          {
            measure: 'equal cost: solved by fresh drafts only',
            experiment: equalCost.name,
            version: equalCost.version,
            met: equalCost.onlyFresh,
            of: equalCost.cases,
          },
          {
            measure: 'equal cost: p',
            experiment: equalCost.name,
            version: equalCost.version,
            value: equalCost.p,
            reading: equalCost.verdict,
          },
        ]),
  ];
}

function calibrationLines(found: Insights['report']['people']): Line[] {
  const of = found.against === 'person' ? 'judge against people' : 'judge against checks';
  const { confusion, kappa, spearman, brier } = found;
  return [
    { ...shareLine(`${of}: agreement`, found.agreement), reading: found.reading },
    { measure: `${of}: kappa`, value: kappa?.kappa, ...boundsOf(kappa) },
    { measure: `${of}: Spearman`, value: spearman?.rho, ...boundsOf(spearman), ...(spearman && { of: spearman.n }) },
    { measure: `${of}: Brier`, value: brier?.mean, ...boundsOf(brier) },
    { measure: `${of}: false passes`, met: confusion.letThrough, of: found.n },
    { measure: `${of}: false failures`, met: confusion.heldBack, of: found.n },
  ];
}

function shareLine(measure: string, { met, of, interval }: CountedShare): Line {
  return { measure, met, of, value: interval?.share, ...boundsOf(interval) };
}

function boundsOf(
  interval: { low: number | null; high: number | null } | null | undefined,
): Pick<Line, 'low' | 'high'> {
  return { low: interval?.low ?? null, high: interval?.high ?? null };
}
