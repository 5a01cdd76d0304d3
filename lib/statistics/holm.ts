/**
 * P values adjusted for being several: by Holm's step-down method the chance that any of the true "no difference" is called different
 * stays below the level each is then held against. In the order given; null stays null and counts as no test. Source: Holm 1979.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const ranked = pValues
    .flatMap((p, place) => (p === null ? [] : [{ p, place }]))
    .sort((one, other) => one.p - other.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let atLeast = 0;
  ranked.forEach(({ p, place }, rank) => {
    atLeast = Math.max(atLeast, Math.min(1, p * (ranked.length - rank)));
    adjusted[place] = atLeast;
  });
  return adjusted;
}
