import { formatChange } from '#lib/format.ts';

/** Shows a score difference with an arrow: `▲ +0.12`, `▼ −0.05`, `= 0`. */
export function ScoreChange({ by }: { by: number }) {
  const text = formatChange(by);
  if (text === '= 0') return <span className="whitespace-nowrap font-medium text-ink-3">{text}</span>;
  return (
    <span className={by > 0 ? 'whitespace-nowrap font-medium text-better' : 'whitespace-nowrap font-medium text-worse'}>
      <span aria-hidden>{by > 0 ? '▲' : '▼'}</span> {text}
    </span>
  );
}
