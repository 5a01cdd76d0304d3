/** Returns the path of a prompt's page. Slashes in the name are encoded as %2F. */
export function promptPath(name: string): string {
  return `/prompts/${encodeURIComponent(name)}`;
}

/** Returns the path of the diff of two versions. */
export function promptDiffPath(name: string, from: number, to: number): string {
  return `${promptPath(name)}/diff?from=${from}&to=${to}`;
}
