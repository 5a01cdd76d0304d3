/**
 * Whether a word of at least 8 characters looks made by a machine and not by a writer: its letters and digits change about as often as
 * by chance. Names in any case, words joined by hyphens and names with numbers (`gpt-4`, `getUserName2`) do not.
 */
export function looksRandom(word: string): boolean {
  if (/\d{6,}[A-Za-z]|[A-Za-z]\d{6,}/.test(word)) return true;
  const letters = word.match(/[A-Za-z]/g)?.length ?? 0;
  const runs = word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  if (letters < 3 || runs.length < 4) return false;
  const length = runs.reduce((sum, run) => sum + run.length, 0) / runs.length;
  return word.length >= 12 ? length < 3 : word.length >= 8 && length < 2;
}
