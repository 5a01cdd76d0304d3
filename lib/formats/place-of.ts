/** Line and column (from 1) in a file of what stands at `at` of a text that begins there at `line` and `column`. */
export function placeOf(text: string, at: number, line: number, column: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  const last = before.at(-1) ?? '';
  return { line: line + before.length - 1, column: last.length + (before.length === 1 ? column : 1) };
}
