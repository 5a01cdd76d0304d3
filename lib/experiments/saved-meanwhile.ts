import { formatMoment } from '#lib/format.ts';

/** A version that somebody saved; `createdAt` is a moment. What is not known of it is null. */
type SavedVersion = { number: number; createdBy: string | null; createdAt: string; message: string | null };

/** Tells whoever wanted to save on an older version of the newest one: who saved it and when, and what to do. */
export function savedMeanwhile({ number, createdBy, createdAt, message }: SavedVersion): string {
  const who = createdBy === null ? '' : ` by ${createdBy}`;
  const said = message === null ? '' : ` ("${message}")`;
  return `Version ${number} was saved meanwhile${who} at ${formatMoment(createdAt)}${said}. Look at what it changed, then save yours as the next one.`;
}
