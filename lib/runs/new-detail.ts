/**
 * Returns the lines of an evaluation's detail that do not repeat the given texts, such as reasons and issues. A line whose heading, the
 * name of a criterion, was on a repeated line gets that name. Empty if all lines repeat.
 */
export function newDetail(detail: string, shown: readonly string[], criteria: readonly string[]): string {
  const known = new Set(shown.flatMap((text) => text.split('\n').map(withoutMark)));
  const lines: string[] = [];
  let heading = '';
  for (const line of detail.split('\n')) {
    const criterion = criteria.find((name) => line.startsWith(`${name}: `));
    if (criterion !== undefined) heading = `${criterion}: `;
    const text = criterion === undefined ? line : line.slice(heading.length);
    if (known.has(withoutMark(line)) || known.has(withoutMark(text))) continue;
    lines.push(heading + text);
    heading = '';
  }
  return lines.join('\n');
}

/** Returns a line without the sign that makes it an entry of a list. */
function withoutMark(line: string): string {
  return line.replace(/^(?:[-→] )?/, '').trim();
}
