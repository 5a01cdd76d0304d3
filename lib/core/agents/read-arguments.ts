/** The arguments of a use of a tool as the object they must be; null where the text is none. Never throws. */
export function readArguments(text: string): Record<string, unknown> | null {
  try {
    // Some models write nothing at all for a tool that takes nothing.
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
