import { type ReactElement, type ReactNode, useEffect, useMemo, useRef } from 'react';
import {
  Line,
  LineChart,
  Tooltip,
  useActiveTooltipLabel,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts';
import { CHART } from './chart.tsx';
import { PLOT_PADDING, PlotContext, type PlotFrame } from './plot.ts';

export type LivePlotProps = {
  frame: PlotFrame;
  width: number;
  tip: ReactElement;
  select: { name: string; onSelect: (label: string) => void } | undefined;
  /** Called once the chart is laid out. */
  onReady: () => void;
  children: ReactNode;
};

/** Chart that shows details of the point under the pointer or selected by arrow keys. */
export function LivePlot({ frame, width, tip, select, onReady, children }: LivePlotProps) {
  const { height, margin, labels, domain } = frame;
  const data = useMemo(() => labels.map((label) => ({ label, middle: (domain[0] + domain[1]) / 2 })), [labels, domain]);
  return (
    <LineChart
      className={CHART}
      width={width}
      height={height}
      data={data}
      margin={margin}
      accessibilityLayer={select !== undefined}
      {...(select ? { title: select.name } : {})}
    >
      <XAxis dataKey="label" hide padding={{ left: PLOT_PADDING, right: PLOT_PADDING }} scale="point" />
      <YAxis domain={[...domain]} hide allowDataOverflow />
      <Line dataKey="middle" stroke="none" fill="none" dot={false} activeDot={false} isAnimationActive={false} />
      <Scaled onReady={onReady}>{children}</Scaled>
      <Tooltip isAnimationActive={false} cursor={{ stroke: 'var(--line-strong)', strokeWidth: 1 }} content={tip} />
      {select ? <SelectPoint onSelect={select.onSelect} /> : null}
    </LineChart>
  );
}

/** Renders the content of the chart with its scales. */
function Scaled({ onReady, children }: Pick<LivePlotProps, 'onReady' | 'children'>) {
  const area = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  const isReady = Boolean(area && xScale && yScale);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady, onReady]);
  if (!area || !xScale || !yScale) return null;
  const plot = {
    left: area.x,
    right: area.x + area.width,
    top: area.y,
    bottom: area.y + area.height,
    x: (label: string) => xScale(label) ?? area.x,
    y: (score: number) => yScale(score) ?? area.y + area.height,
  };
  return <PlotContext value={plot}>{children}</PlotContext>;
}

/** Selects the active point on click, or on Enter after the arrow keys. */
function SelectPoint({ onSelect }: { onSelect: (label: string) => void }) {
  const label = useActiveTooltipLabel();
  const anchor = useRef<SVGGElement>(null);
  useEffect(() => {
    const chart = anchor.current?.closest('.recharts-wrapper');
    if (!chart || label === undefined) return;
    const choose = () => onSelect(String(label));
    const chooseByKey = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key === 'Enter') onSelect(String(label));
    };
    chart.addEventListener('click', choose);
    chart.addEventListener('keydown', chooseByKey);
    return () => {
      chart.removeEventListener('click', choose);
      chart.removeEventListener('keydown', chooseByKey);
    };
  }, [label, onSelect]);
  return <g ref={anchor} />;
}
