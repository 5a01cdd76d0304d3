import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { type CompareState, compareAddress } from './compare-address.ts';
import { CompareSearchInPage } from './lazy-search.tsx';
import { PreservedInputs } from './preserved-inputs.tsx';

/** A selectable arm. `name`: its name in URLs. `shared`: number of cases it shares with the baseline. */
type ComparableRow = {
  name: string;
  experimentName: string;
  version: number;
  origin: string;
  sample: boolean;
  cases: number;
  shared: number;
  runs: number;
};

type ComparePickerProps = {
  rows: readonly ComparableRow[];
  state: CompareState;
  /** Display names of the arms chosen so far, baseline first. */
  chosen: readonly string[];
  search: string;
};

/** Selects arms from the experiments with ended runs, those with the same cases first. Works without JavaScript. */
export function ComparePicker({ rows, state, chosen, search }: ComparePickerProps) {
  const isFirst = state.arms.length < 2;
  const other = chosen.length === 0 ? '' : 'other ';
  return (
    <Pane aria-label="Choose experiments" data-testid="compare-picker">
      <PaneHeader
        title={chosen.length === 0 ? 'Choose experiments' : `Compare with ${chosen.join(', ')}`}
        note="2 to 5 experiments with the same cases"
      >
        {isFirst ? null : (
          <TextLink className="ml-auto text-sm" href={compareAddress(state)}>
            Close
          </TextLink>
        )}
      </PaneHeader>
      <CompareSearchInPage state={state} search={search} />
      {rows.length === 0 ? (
        <p className="text-ink-2">
          {search
            ? `No ${other}experiment with ended runs matches “${search}”.`
            : `No ${other}experiment has ended runs yet.`}{' '}
          <TextLink href="/experiments">Open the experiments</TextLink>
        </p>
      ) : (
        <form action="/compare">
          <PreservedInputs state={state} />
          <Table scrollLabel="Experiments that can be compared" isCapped hasHover>
            <TableHead>
              <ColumnHead>Experiment</ColumnHead>
              <NumberHead>{chosen.length === 0 ? 'Cases' : 'Same cases'}</NumberHead>
              <NumberHead className="max-narrow:hidden">Runs</NumberHead>
            </TableHead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <td>
                    <label className="flex items-center gap-2">
                      <input
                        type="checkbox"
                        name="of"
                        value={row.name}
                        className="size-[.875rem] shrink-0 accent-brand"
                      />
                      <span className="wrap-anywhere">
                        <b className="font-medium">{row.experimentName}</b>{' '}
                        <span className="text-ink-3 text-sm">v{row.version}</span>{' '}
                        {row.sample ? <Badge tone="plain">sample</Badge> : null}
                        {row.origin === 'made' ? null : <Badge tone="plain">{row.origin}</Badge>}
                      </span>
                    </label>
                  </td>
                  <NumberCell>
                    {chosen.length === 0
                      ? formatCount(row.cases)
                      : `${formatCount(row.shared)} of ${formatCount(row.cases)}`}
                  </NumberCell>
                  <NumberCell className="max-narrow:hidden">{formatCount(row.runs)}</NumberCell>
                </tr>
              ))}
            </tbody>
          </Table>
          <div className="mt-3 flex items-center gap-2">
            <Button type="submit" variant="primary">
              Compare
            </Button>
            <span className="text-ink-2 text-sm">
              {chosen.length === 0
                ? 'Select at least two. The topmost one is the baseline.'
                : chosen.length === 1
                  ? 'Select 1 to 4 more.'
                  : `${formatNumberOf(5 - chosen.length, 'more', 'more')} at most.`}
            </span>
          </div>
        </form>
      )}
    </Pane>
  );
}
