import { useEffect, useRef } from 'react';
import { useActiveTooltipLabel } from 'recharts';
import type { Trajectory } from './trajectory.ts';

/** Selects the version one points at by click, or by Enter after the arrow keys. */
export function SelectByChart({
  trajectory,
  onSelect,
}: {
  trajectory: Trajectory;
  onSelect: (version: number) => void;
}) {
  const label = useActiveTooltipLabel();
  const anchor = useRef<SVGGElement>(null);
  const version = trajectory.points.find((point) => point.label === label)?.version;
  useEffect(() => {
    const chart = anchor.current?.closest('.recharts-wrapper');
    if (!chart || version === undefined) return;
    const choose = () => onSelect(version);
    const chooseByKey = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key === 'Enter') onSelect(version);
    };
    chart.addEventListener('click', choose);
    chart.addEventListener('keydown', chooseByKey);
    return () => {
      chart.removeEventListener('click', choose);
      chart.removeEventListener('keydown', chooseByKey);
    };
  }, [version, onSelect]);
  return <g ref={anchor} />;
}
