/** The cosine of the angle between two vectors of one length, −1 to 1; 0 where one of them is all noughts. */
export function cosineSimilarity(one: number[], other: number[]): number {
  let product = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (const [at, value] of one.entries()) {
    const there = other[at] ?? 0;
    product += value * there;
    oneSquared += value * value;
    otherSquared += there * there;
  }
  const lengths = Math.sqrt(oneSquared) * Math.sqrt(otherSquared);
  return lengths === 0 ? 0 : product / lengths;
}
