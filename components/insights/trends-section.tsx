'use client';

import { sourceLine } from '#components/ui/chart-picture.ts';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { SharePicture } from '#components/ui/share-picture.tsx';
import { NumberCell, NumberHead, Table } from '#components/ui/table.tsx';
import { formatCount } from '#lib/format.ts';
import type { TrendPoint, Trends } from '#lib/insights/trends-schema.ts';
import { Details, Headline } from './headline.tsx';
import { TrendChart } from './trend-chart.tsx';
import {
  axisTop,
  MEASURE_LABELS,
  TREND_MEASURES,
  type TrendMeasure,
  type TrendValue,
  trendHeadline,
  trendValues,
} from './trend-points.ts';

/** How success, score and cost went: by version of the settings of one experiment, and by week. */
export function TrendsSection({ trends, of }: { trends: Trends /** What they are of, for pictures. */; of: string }) {
  return (
    <div data-testid="trends">
      {trends.versions.length === 0 ? null : <TrendRow points={trends.versions} per="version" of={of} />}
      <TrendRow points={trends.weeks} per="week" of={of} />
    </div>
  );
}

type TrendRowProps = { points: readonly TrendPoint[]; per: 'week' | 'version'; of: string };

function TrendRow({ points, per, of }: TrendRowProps) {
  return (
    <Columns className="medium:grid-cols-3">
      {TREND_MEASURES.map((measure) => (
        <TrendPane key={measure} measure={measure} points={points} per={per} of={of} />
      ))}
    </Columns>
  );
}

function TrendPane({ measure, points, per, of }: TrendRowProps & { measure: TrendMeasure }) {
  const values = trendValues(points, measure);
  const { title, format } = MEASURE_LABELS[measure];
  const name = `${title} by ${per === 'week' ? 'week' : 'settings version'}`;
  const headline = trendHeadline(points, measure, per);
  const isEmpty = values.every(({ value }) => value === null);
  return (
    <Pane className="border-b-0">
      <PaneHeader>
        <h2>{name}</h2>
        {isEmpty ? null : (
          <SharePicture
            of={name}
            texts={{
              title: `${of}: ${name.toLowerCase()}`,
              notes: [headline, 'Bars are 95% intervals and n is the number of runs. Gaps have no score or price.'],
              source: sourceLine(['insights', ...(per === 'week' ? ['Weeks start on Monday (UTC)'] : [])]),
            }}
          />
        )}
      </PaneHeader>
      <Headline>{headline}</Headline>
      {isEmpty ? null : (
        <>
          <TrendChart values={values} top={axisTop(values, measure)} format={format} label={`${name}. ${headline}`} />
          <Details>
            <TrendTable values={values} name={name} first={per === 'week' ? 'Week of' : 'Version'} format={format} />
          </Details>
        </>
      )}
    </Pane>
  );
}

type TrendTableProps = {
  values: readonly TrendValue[];
  name: string;
  first: string;
  format: (value: number) => string;
};

function TrendTable({ values, name, first, format }: TrendTableProps) {
  return (
    <ScrollX label={name} isCapped={values.length > 12}>
      <Table isTight>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <NumberHead>Value</NumberHead>
            <NumberHead>95%</NumberHead>
            <NumberHead>n</NumberHead>
          </tr>
        </thead>
        <tbody>
          {values.map(({ name: label, n, value, low, high }) => (
            <tr key={label}>
              <td>{label}</td>
              <NumberCell>{value === null ? '–' : format(value)}</NumberCell>
              <NumberCell>{low === null || high === null ? '–' : `${format(low)} to ${format(high)}`}</NumberCell>
              <NumberCell>{formatCount(n)}</NumberCell>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}
