'use client';

import {
  type ComponentType,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Chart } from './chart.tsx';
import type { LivePlotProps } from './live-plot.tsx';
import { PlotContext, type PlotFrame, plotOf, pointAt, usePlot } from './plot.ts';
import { useElementWidth } from './use-element-width.ts';

type PlotChartProps = PlotFrame & {
  /** Width until measured, also used on the server. */
  initialWidth: number;
  /** Tooltip of the active point. Receives `active` and `label`. */
  tip: ReactElement;
  /** Makes the chart focusable, with `name` as its accessible name. A click, or Enter after the arrow keys, selects a point. */
  select?: { name: string; onSelect: (label: string) => void } | undefined;
  children: ReactNode;
};

/**
 * Chart that fills its container. Its content reads the scales with `usePlot`. The server renders plain SVG. The chart library, which shows
 * details of a point, loads on the first interaction and replaces the SVG without a visible change.
 */
export function PlotChart(props: PlotChartProps) {
  const {
    height,
    margin,
    labels,
    domain: [low, high],
    initialWidth,
    tip,
    select,
    children,
  } = props;
  const container = useRef<HTMLDivElement>(null);
  const still = useRef<SVGSVGElement>(null);
  const width = useElementWidth(container, initialWidth);
  const frame = useMemo<PlotFrame>(
    () => ({ height, margin, labels, domain: [low, high] }),
    [height, margin, labels, low, high],
  );
  const plot = useMemo(() => plotOf(frame, width), [frame, width]);
  const Live = useLivePlot();
  const [isLive, setLive] = useState(false);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (isLive && hadFocus.current) container.current?.querySelector<SVGSVGElement>('.recharts-surface')?.focus();
  }, [isLive]);

  function choose({ clientX, clientY, currentTarget }: MouseEvent<SVGSVGElement>) {
    const box = currentTarget.getBoundingClientRect();
    const label = pointAt(plot, labels, clientX - box.left, clientY - box.top);
    if (label !== null) select?.onSelect(label);
  }
  return (
    <div ref={container} className="relative">
      {isLive ? null : (
        <Chart
          ref={still}
          className="max-w-none"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          {...(select ? { role: 'application', 'aria-label': select.name, tabIndex: 0, onClick: choose } : {})}
        >
          <PlotContext value={plot}>{children}</PlotContext>
        </Chart>
      )}
      {Live === null ? null : (
        <div className={isLive ? undefined : 'invisible absolute inset-0'}>
          <Live
            frame={frame}
            width={width}
            tip={tip}
            select={select}
            onReady={() => {
              hadFocus.current = still.current !== null && still.current === document.activeElement;
              setLive(true);
            }}
          >
            {children}
          </Live>
        </div>
      )}
    </div>
  );
}

/** Events that count as the first interaction. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Returns the interactive part of the chart. Null until the first interaction has loaded it. */
function useLivePlot(): ComponentType<LivePlotProps> | null {
  const [Live, setLive] = useState<ComponentType<LivePlotProps> | null>(null);
  useEffect(() => {
    const ended = new AbortController();
    const load = () => {
      for (const sign of SIGNS) removeEventListener(sign, load);
      // If loading fails, the chart is still shown and its points can be clicked.
      import('./live-plot.tsx').then(
        ({ LivePlot }) => ended.signal.aborted || setLive(() => LivePlot),
        () => undefined,
      );
    };
    for (const sign of SIGNS) addEventListener(sign, load, { passive: true, signal: ended.signal });
    return () => ended.abort();
  }, []);
  return Live;
}

/** Fills the area between a lower and an upper line, such as an interval around a mean. */
export function PlotBand({ points }: { points: readonly { label: string; low: number; high: number }[] }) {
  const plot = usePlot();
  const at = (label: string, score: number) => `${plot.x(label)},${plot.y(score)}`;
  const corners = [
    ...points.map(({ label, high }) => at(label, high)),
    ...points.toReversed().map(({ label, low }) => at(label, low)),
  ];
  return <polygon className="fill-brand opacity-13" points={corners.join(' ')} aria-hidden />;
}
