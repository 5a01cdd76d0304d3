import Form from 'next/form';
import Link from 'next/link';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { type CompareState, compareAddress } from './compare-address.ts';

/** Something that can be compared; `name` is what it goes by in addresses, `shared` the cases it has in common with the baseline. */
export type ComparableRow = {
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
  /** What is compared already, in words; the baseline first. */
  chosen: readonly string[];
  search: string;
};

/** Chooses what is compared: experiments with ended runs, those with the same cases first. Works without scripts. */
export function ComparePicker({ rows, state, chosen, search }: ComparePickerProps) {
  const isFirst = state.arms.length < 2;
  return (
    <section className="pane" aria-label="Choose experiments" data-testid="compare-picker">
      <div className="ph">
        <h2>{chosen.length === 0 ? 'What to compare' : `Beside ${chosen.join(', ')}`}</h2>
        <span className="note">two to five in all, over the same cases</span>
        {isFirst ? null : (
          <Link className="link sm end" href={compareAddress(state)}>
            Close
          </Link>
        )}
      </div>
      <Form action="/compare" className="row mb-3" role="search">
        <Kept state={state} />
        <input type="hidden" name="add" value="1" />
        <label className="vh" htmlFor="compare-search">
          Search experiments by name
        </label>
        <input
          key={search}
          id="compare-search"
          name="q"
          className="input max-w-72 min-w-0 flex-1"
          type="search"
          placeholder="Part of a name"
          defaultValue={search}
        />
        <Button type="submit">Search</Button>
      </Form>
      {rows.length === 0 ? (
        <p className="muted">
          {search
            ? `No other experiment with ended runs has “${search}” in its name.`
            : 'No other experiment has ended runs yet.'}{' '}
          <Link className="link" href="/experiments">
            Open the experiments
          </Link>
        </p>
      ) : (
        <form action="/compare">
          <Kept state={state} />
          <ScrollX label="Experiments that can be compared" className="capped">
            <table className="t hover">
              <thead>
                <tr>
                  <th scope="col">Experiment</th>
                  <th scope="col" className="num">
                    {chosen.length === 0 ? 'Cases' : 'Same cases'}
                  </th>
                  <th scope="col" className="num opt">
                    Runs
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.name}>
                    <td>
                      <label className="row gap-2">
                        <input type="checkbox" name="of" value={row.name} className="accent-brand size-[.875rem]" />
                        <span className="wrap-anywhere">
                          <b className="md5">{row.experimentName}</b> <span className="sm faint">v{row.version}</span>{' '}
                          {row.sample ? <Badge tone="plain">sample</Badge> : null}
                          {row.origin === 'made' ? null : <Badge tone="plain">{row.origin}</Badge>}
                        </span>
                      </label>
                    </td>
                    <td className="num nw">
                      {chosen.length === 0
                        ? formatCount(row.cases)
                        : `${formatCount(row.shared)} of ${formatCount(row.cases)}`}
                    </td>
                    <td className="num opt">{formatCount(row.runs)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollX>
          <div className="row mt-3">
            <Button type="submit" variant="primary">
              Compare
            </Button>
            <span className="sm muted">
              {chosen.length === 0
                ? 'The first one that is ticked is the baseline.'
                : `${formatNumberOf(5 - chosen.length, 'more', 'more')} at most.`}
            </span>
          </div>
        </form>
      )}
    </section>
  );
}

/** What is compared already goes along with a form. */
function Kept({ state: { arms, metric } }: { state: CompareState }) {
  return (
    <>
      {arms.length > 0 ? <input type="hidden" name="of" value={arms.join(',')} /> : null}
      {metric === null ? null : <input type="hidden" name="metric" value={metric} />}
    </>
  );
}
