import { Button } from '#components/ui/button.tsx';
import { SPLIT_WORDS } from './split-words.ts';

type CaseFiltersProps = { path: string; search: string; split: string | null; version: number | null };

/** Which cases are shown, by words and by side: a form that needs no scripts, its state in the address. */
export function CaseFilters({ path, search, split, version }: CaseFiltersProps) {
  return (
    <form action={path} className="pane row wrap border-b-0 pb-0" aria-label="Filter of the cases">
      <input
        className="input w-60 max-w-full"
        type="search"
        name="find"
        defaultValue={search}
        placeholder="Text or tag of a case"
        aria-label="Search in these"
      />
      <select className="input w-auto" name="split" defaultValue={split ?? ''} aria-label="Side">
        <option value="">all sides</option>
        {Object.entries(SPLIT_WORDS).map(([side, words]) => (
          <option key={side} value={side}>
            {words}
          </option>
        ))}
      </select>
      {version === null ? null : <input type="hidden" name="version" value={version} />}
      <Button type="submit" size="small">
        Show
      </Button>
    </form>
  );
}
