/** How much of a refused value is shown, in characters. */
const MOST_SHOWN = 80;

/** A value as a message shows it: JSON, cut short where it is long; "nothing" where it was left out. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}…` : text;
}
