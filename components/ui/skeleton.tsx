/** Grey bars in the shape of what comes, shown after 200 ms, with a word for screen readers. */
export function Skeleton({ label, rows = 6 }: { label: string; rows?: number }) {
  const lines = Array.from({ length: rows }, (_, index) => index);
  return (
    <div className="pane late">
      <p className="sm muted" role="status">
        {label}
      </p>
      <div aria-hidden className="mt-3 grid grid-cols-[3rem_1fr_4rem_5rem] gap-4">
        {lines.flatMap((line) => [
          <span key={`${line}-number`} className="sk" />,
          <span key={`${line}-name`} className="sk" style={{ width: `${52 + ((line * 17) % 40)}%` }} />,
          <span key={`${line}-score`} className="sk" />,
          <span key={`${line}-cost`} className="sk" />,
        ])}
      </div>
    </div>
  );
}
