import { Pane } from './pane.tsx';

const BAR = 'block h-[0.7rem] rounded-1 bg-hover motion-safe:animate-pulse';

/** Placeholder bars in the shape of the content. Shown after 200 ms, with a label for screen readers. */
export function Skeleton({ label, rows = 6 }: { label: string; rows?: number }) {
  const lines = Array.from({ length: rows }, (_, index) => index);
  return (
    <Pane className="animate-appear">
      <p className="text-ink-2 text-sm" role="status">
        {label}
      </p>
      <div aria-hidden className="mt-3 grid grid-cols-[3rem_1fr_4rem_5rem] gap-4">
        {lines.flatMap((line) => [
          <span key={`${line}-number`} className={BAR} />,
          <span key={`${line}-name`} className={BAR} style={{ width: `${52 + ((line * 17) % 40)}%` }} />,
          <span key={`${line}-score`} className={BAR} />,
          <span key={`${line}-cost`} className={BAR} />,
        ])}
      </div>
    </Pane>
  );
}
