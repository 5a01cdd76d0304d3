import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts';

/** The chart's inner area with its scales, in pixels. */
export type Plot = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (label: string) => number;
  y: (score: number) => number;
};

/** Where things stand in the chart around; null until it is laid out. */
export function usePlot(): Plot | null {
  const area = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!area || !xScale || !yScale) return null;
  return {
    left: area.x,
    right: area.x + area.width,
    top: area.y,
    bottom: area.y + area.height,
    x: (label) => xScale(label) ?? area.x,
    y: (score) => yScale(score) ?? area.y + area.height,
  };
}
