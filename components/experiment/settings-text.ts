/** Returns settings as JSON lines for a diff. Multi-line texts (prompts, code) are split into lines, so that a diff locates each change. */
export function settingsText(settings: unknown): string {
  return JSON.stringify(settings, null, 2)
    .split('\n')
    .map((line) => {
      const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
      return line.replace(/\\(.)/g, (whole, escaped: string) => (escaped === 'n' ? `\n${indent}` : whole));
    })
    .join('\n');
}
