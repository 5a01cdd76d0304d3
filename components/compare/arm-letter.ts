const LETTERS = 'ABCDE';

/** The letter an arm goes by on the page: the baseline, at place 0, is A. */
export function armLetter(place: number): string {
  return LETTERS[place] ?? '?';
}
