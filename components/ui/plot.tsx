'use client';

import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Chart } from './chart.tsx';
import { useElementWidth } from './use-element-width.ts';

/** The chart's inner area with its scales, in pixels. */
export type Plot = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (label: string) => number;
  y: (score: number) => number;
};

type PlotFrame = {
  width: number;
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  /** The points along the chart, in their order. */
  labels: readonly string[];
  /** What stands at its bottom and at its top. */
  domain: readonly [low: number, high: number];
};

/** From the edge of the area to its first and its last point. */
const PADDING = 14;

/** Where things stand in a chart: points at even steps, one alone in the middle. What has no point stands at the left. */
export function plotOf({ width, height, margin, labels, domain: [low, high] }: PlotFrame): Plot {
  const [left, right] = [margin.left, width - margin.right];
  const [top, bottom] = [margin.top, height - margin.bottom];
  const step = labels.length > 1 ? (right - left - 2 * PADDING) / (labels.length - 1) : 0;
  const first = labels.length > 1 ? left + PADDING : (left + right) / 2;
  const places = new Map(labels.map((label, index) => [label, first + index * step]));
  return {
    ...{ left, right, top, bottom },
    x: (label) => places.get(label) ?? left,
    y: (score) => bottom - ((score - low) / (high - low)) * (bottom - top),
  };
}

const PlotContext = createContext<Plot>(
  plotOf({
    width: 0,
    height: 0,
    margin: { top: 0, right: 0, bottom: 0, left: 0 },
    labels: [],
    domain: [0, 1],
  }),
);

/** Where things stand in the chart around. */
export function usePlot(): Plot {
  return useContext(PlotContext);
}

type PlotChartProps = Omit<PlotFrame, 'width'> & {
  /** Its width until it is measured, as on the server. */
  initialWidth: number;
  /** What is shown of the point one is at. */
  tip?: (label: string) => ReactNode;
  /** Makes the chart one that keys reach, with `name` as its name: arrow keys go from point to point; a click or Enter selects one. */
  select?: { name: string; onSelect: (label: string) => void } | undefined;
  children: ReactNode;
};

/** A chart as wide as its place. What is drawn in it finds its scales by `usePlot`. */
export function PlotChart({
  height,
  margin,
  labels,
  domain: [low, high],
  initialWidth,
  tip,
  select,
  children,
}: PlotChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useElementWidth(place, initialWidth);
  const plot = useMemo(
    () => plotOf({ width, height, margin, labels, domain: [low, high] }),
    [width, height, margin, labels, low, high],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = tip !== undefined && chosen !== null && labels.includes(chosen) ? chosen : null;
  const keys: ComponentProps<'svg'> =
    select === undefined
      ? {}
      : {
          ...{ role: 'application', 'aria-label': select.name, tabIndex: 0 },
          onFocus: () => setChosen((current) => current ?? labels.at(0) ?? null),
          onBlur: () => setChosen(null),
          onKeyDown: ({ key }: KeyboardEvent) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
            const at = shown === null ? -1 : labels.indexOf(shown);
            if (by !== undefined) setChosen(labels[Math.max(0, Math.min(labels.length - 1, at + by))] ?? null);
            if (key === 'Enter' && shown !== null) select.onSelect(shown);
          },
          onClick: () => shown !== null && select.onSelect(shown),
        };
  const pointer: ComponentProps<'svg'> = {
    onPointerDown: point,
    onPointerMove: point,
    onPointerLeave: () => setChosen(null),
  };
  function point({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) {
    const box = currentTarget.getBoundingClientRect();
    setChosen(pointAt(plot, labels, clientX - box.left, clientY - box.top));
  }
  return (
    <PlotContext value={plot}>
      <div ref={place} className="relative">
        <Chart
          className="max-w-none"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          {...pointer}
          {...keys}
        >
          {shown === null ? null : (
            <line className="stroke-line-strong" x1={plot.x(shown)} x2={plot.x(shown)} y1={plot.top} y2={plot.bottom} />
          )}
          {children}
        </Chart>
        {shown === null ? null : (
          <div
            className="pointer-events-none absolute z-10 print:hidden"
            style={
              plot.x(shown) < width / 2
                ? { top: plot.top, left: plot.x(shown) + 10 }
                : { top: plot.top, right: width - plot.x(shown) + 10 }
            }
          >
            {tip?.(shown)}
          </div>
        )}
      </div>
    </PlotContext>
  );
}

/** The point that is nearest to a place in the chart; null outside of its area. */
export function pointAt(plot: Plot, labels: readonly string[], x: number, y: number): string | null {
  if (x < plot.left || x > plot.right || y < plot.top || y > plot.bottom) return null;
  const distance = (label: string) => Math.abs(plot.x(label) - x);
  return labels.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** The area between a lower and an upper line, such as an interval around a mean. */
export function PlotBand({ points }: { points: readonly { label: string; low: number; high: number }[] }) {
  const plot = usePlot();
  const at = (label: string, score: number) => `${plot.x(label)},${plot.y(score)}`;
  const corners = [
    ...points.map(({ label, high }) => at(label, high)),
    ...points.toReversed().map(({ label, low }) => at(label, low)),
  ];
  return <polygon className="fill-brand opacity-13" points={corners.join(' ')} aria-hidden />;
}
