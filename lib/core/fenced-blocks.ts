/** What stands between lines of three backticks, in order. */
export function fencedBlocks(text: string): string[] {
  const found: string[] = [];
  let inside: string[] | null = null;
  for (const line of text.split('\n')) {
    if (!line.trimStart().startsWith('```')) inside?.push(line);
    else if (inside === null) inside = [];
    else {
      found.push(inside.join('\n'));
      inside = null;
    }
  }
  return found;
}
