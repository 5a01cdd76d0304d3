import { GitCompareArrows } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';

const FORM = 'compare-chosen';

/** A box that takes an experiment of a list into a comparison; `CompareChosen` stands somewhere on the same page. */
export function CompareTick({ experimentId, name }: { experimentId: string; name: string }) {
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

/** Compares the experiments that are ticked, the first of them being the baseline; with fewer than two the page asks for more. */
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
