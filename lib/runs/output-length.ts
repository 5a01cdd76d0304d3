/** The longest output that a person may write, in characters (UTF-16 units). */
export const LONGEST_OUTPUT = 2_000_000;
