/**
 * How long a provider asks to wait, in milliseconds from `nowMs`: from `retry-after-ms`, else `Retry-After` as seconds or as an
 * HTTP date. Null where it says nothing readable; a moment that has passed is 0.
 */
export function retryAfterMs(headers: Record<string, string> | undefined, nowMs: number): number | null {
  const milliseconds = headers?.['retry-after-ms']?.trim() ?? '';
  if (isDecimal(milliseconds)) return Number(milliseconds);
  const retryAfter = headers?.['retry-after']?.trim() ?? '';
  if (isDecimal(retryAfter)) return Number(retryAfter) * 1000;
  const date = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}
