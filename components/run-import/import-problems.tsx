import { TriangleAlert } from 'lucide-react';
import { noticeVariants } from '#components/ui/notice.tsx';
import type { LineProblem } from '#lib/exchange/run-import.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';

/** What is wrong with an import, line by line; nothing of it is stored. */
export function ImportProblems({ problems }: { problems: readonly LineProblem[] }) {
  const count =
    problems.length >= MOST
      ? `At least ${formatCount(MOST)} lines are`
      : `${formatNumberOf(problems.length, 'line')} ${problems.length === 1 ? 'is' : 'are'}`;
  return (
    <section
      className={noticeVariants({ tone: 'worse' })}
      aria-label="What is wrong"
      role="alert"
      data-testid="import-problems"
    >
      <TriangleAlert className="size-3.25" aria-hidden />
      <div className="min-w-0">
        <p className="font-semibold">{count} wrong. Nothing is stored while a line is wrong.</p>
        <ul className="mt-1 flex flex-col gap-1">
          {problems.map(({ line, column, message }) => (
            <li key={`${line} ${message}`} className="wrap-anywhere">
              <b className="font-medium">
                Line {formatCount(line)}
                {column === null ? '' : `, column ${formatCount(column)}`}:
              </b>{' '}
              {message}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** So many are told at most. */
const MOST = 20;
