import type { ScreeningFinding } from '#lib/core/lesson-library.ts';

/** What a screening found that an earlier one did not find: another rule, or the same rule in another text. */
export function newFindings(
  before: readonly ScreeningFinding[],
  after: readonly ScreeningFinding[],
): ScreeningFinding[] {
  return after.filter(
    ({ family, rule, matched }) =>
      !before.some((known) => known.family === family && known.rule === rule && known.matched === matched),
  );
}
