import { Button } from '#components/ui/button.tsx';
import { Input, Select } from '#components/ui/field.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SPLIT_LABELS } from './split-labels.ts';

type CaseFiltersProps = { path: string; search: string; split: string | null; version: number | null };

/** Which cases are shown, by words and by side: a form that needs no scripts, its state in the address. */
export function CaseFilters({ path, search, split, version }: CaseFiltersProps) {
  return (
    <Pane asChild className="flex flex-wrap items-center gap-2 border-b-0 pb-0">
      <form action={path} aria-label="Filter of the cases">
        <Input
          className="w-60 max-w-full"
          type="search"
          name="find"
          defaultValue={search}
          placeholder="Text or tag of a case"
          aria-label="Search in these"
        />
        <Select className="w-auto" name="split" defaultValue={split ?? ''} aria-label="Side">
          <option value="">all sides</option>
          {Object.entries(SPLIT_LABELS).map(([side, words]) => (
            <option key={side} value={side}>
              {words}
            </option>
          ))}
        </Select>
        {version === null ? null : <input type="hidden" name="version" value={version} />}
        <Button type="submit" size="small">
          Show
        </Button>
      </form>
    </Pane>
  );
}
