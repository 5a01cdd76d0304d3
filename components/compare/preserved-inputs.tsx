import type { CompareState } from './compare-address.ts';

/** Hidden inputs that keep the chosen arms and the metric when a form is submitted. */
export function PreservedInputs({ state: { arms, metric } }: { state: CompareState }) {
  return (
    <>
      {arms.length > 0 ? <input type="hidden" name="of" value={arms.join(',')} /> : null}
      {metric === null ? null : <input type="hidden" name="metric" value={metric} />}
    </>
  );
}
