/** The address of a prompt's page; a slash in its name is written %2F. */
export function promptPath(name: string): string {
  return `/prompts/${encodeURIComponent(name)}`;
}

/** The address of the difference of two versions. */
export function promptDiffPath(name: string, from: number, to: number): string {
  return `${promptPath(name)}/diff?from=${from}&to=${to}`;
}
