/** Rows as a Markdown table. The first is the head. */
export function markdownTable([head = [], ...body]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}
