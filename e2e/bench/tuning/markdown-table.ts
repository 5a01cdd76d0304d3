/** Formats rows as a Markdown table. The first row is the header. */
export function markdownTable([head = [], ...body]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
