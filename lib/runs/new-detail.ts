/**
 * Returns the lines of an evaluation's detail that do not repeat the given texts, such as reasons and issues. A line whose heading, the
 * name of a criterion, was on a repeated line gets that name. Empty if all lines repeat.
 */
export function newDetail(detail: string, shown: readonly string[], criteria: readonly string[]): string {
  const headingOf = (line: string) => criteria.map((name) => `${name}: `).find((start) => line.startsWith(start)) ?? '';
  const known = new Set(
    shown
      .flatMap((text) => text.split('\n'))
      .flatMap((line) => [withoutMark(line), withoutMark(line.slice(headingOf(line).length))]),
  );
  const lines: string[] = [];
  let heading = '';
  for (const line of detail.split('\n')) {
    const own = headingOf(line);
    if (own !== '') heading = own;
    const text = line.slice(own.length);
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
