import { GitCompareArrows } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';

const FORM = 'compare-chosen';

/** Checkbox that selects an experiment for comparison. Requires `CompareChosen` on the same page. */
export function CompareCheckbox({ experimentId, name }: { experimentId: string; name: string }) {
  return (
    <input
      type="checkbox"
      form={FORM}
      name="of"
      value={experimentId}
      className="mt-[.2rem] size-[.875rem] accent-brand"
      aria-label={`Compare ${name}`}
    />
  );
}

/** Compares the selected experiments. The first is the baseline. With fewer than two, the page lets the user add more. */
export function CompareChosen() {
  return (
    <form id={FORM} action="/compare">
      <Button type="submit" variant="ghost" title="Compare selected experiments">
        <GitCompareArrows />
        Compare
      </Button>
    </form>
  );
}
