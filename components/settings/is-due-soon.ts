const SOON_MS = 60_000;

/** True if the next scheduled backup is due within a minute. False for null, when none is scheduled. */
export function isDueSoon(next: string | null, now: string): boolean {
  return next !== null && Date.parse(next) - Date.parse(now) < SOON_MS;
}
