/** Whether the last digit is the one that Luhn's rule asks for (ISO/IEC 7812-1). */
export function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, sign, place) => {
      const digit = Number(sign) * (place % 2 === 1 ? 2 : 1);
      return total + (digit > 9 ? digit - 9 : digit);
    }, 0);
  return sum % 10 === 0;
}

/** A number of any length modulo 97. */
export function remainderOf97(digits: string): number {
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0);
}

/** The sum of the digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place] ?? 0), 0);
}
