import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { formatCount, formatList } from '#lib/format.ts';
import type { ImportPreview } from './use-import-preview.ts';

/** What would spoil a measurement, or should not be stored. None of it is in the way of the import. */
export function ImportChecks({ preview }: { preview: ImportPreview }) {
  const { leaks, answersInside, secrets, noReference } = preview.checks;
  const partly = secrets.looked < preview.ready ? ` in the first ${formatCount(secrets.looked)} cases` : '';
  return (
    <Pane data-testid="import-checks">
      <PaneHeader>
        <h2>Checks</h2>
      </PaneHeader>
      <ul className="flex flex-col gap-1.5 text-sm">
        <CheckLine isFine={leaks.count === 0}>
          {leaks.count === 0
            ? 'No new input is in another dataset’s held-out cases'
            : `${inputs(leaks.count)} held out in ${formatList(leaks.datasets)}: tuning on ${leaks.count === 1 ? 'it' : 'them'} spoils what is measured there (${linesOf(leaks)})`}
        </CheckLine>
        <CheckLine isFine={answersInside.count === 0}>
          {answersInside.count === 0
            ? 'No reference stands inside its own input'
            : `${formatCount(answersInside.count)} ${answersInside.count === 1 ? 'reference stands' : 'references stand'} inside the input: the answer is given away (${linesOf(answersInside)})`}
        </CheckLine>
        <CheckLine isFine={secrets.count === 0}>
          {secrets.count === 0
            ? `No secrets or card numbers found${partly}`
            : `${formatCount(secrets.count)} ${secrets.count === 1 ? 'case holds' : 'cases hold'} what looks like ${formatList(secrets.kinds)}${partly} (${linesOf(secrets)})`}
        </CheckLine>
        {noReference > 0 ? (
          <CheckLine isFine={false}>
            {formatCount(noReference)} of {formatCount(preview.ready)} {noReference === 1 ? 'has' : 'have'} no
            reference: only a judge can score {noReference === 1 ? 'it' : 'them'}
          </CheckLine>
        ) : null}
      </ul>
    </Pane>
  );
}

function CheckLine({ isFine, children }: { isFine: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <span className={isFine ? 'text-better' : 'text-wait'}>
        {isFine ? (
          <Check className="mt-0.5 size-3.25" aria-hidden />
        ) : (
          <TriangleAlert className="mt-0.5 size-3.25" aria-hidden />
        )}
        <span className="sr-only">{isFine ? 'Fine: ' : 'Look at it: '}</span>
      </span>
      <span className="wrap-anywhere min-w-0">{children}</span>
    </li>
  );
}

function inputs(count: number): string {
  return count === 1 ? '1 input is' : `${formatCount(count)} inputs are`;
}

function linesOf({ lines, count }: { lines: number[]; count: number }): string {
  const named = lines.slice(0, 5).map((line) => formatCount(line));
  const rest = count - named.length;
  return `${lines.length === 1 ? 'line' : 'lines'} ${named.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}
