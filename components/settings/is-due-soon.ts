const SOON_MS = 60_000;

/** Whether the next scheduled backup is looked for at once, give or take a minute; null: none is scheduled. */
export function isDueSoon(next: string | null, now: string): boolean {
  return next !== null && Date.parse(next) - Date.parse(now) < SOON_MS;
}
