/**
 * Settings as lines to be compared: JSON, but that texts of several lines (prompts, code) stand on lines of their own, so that
 * a change shows where it was made.
 */
export function settingsText(settings: unknown): string {
  return JSON.stringify(settings, null, 2)
    .split('\n')
    .map((line) => {
      const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
      return line.replace(/\\(.)/g, (whole, escaped: string) => (escaped === 'n' ? `\n${indent}` : whole));
    })
    .join('\n');
}
