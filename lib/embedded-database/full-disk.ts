import { statfsSync } from 'node:fs';

/** Free space below which PostgreSQL may fail, in bytes. It needs two files of 16 MB for its log, and room to recover. */
const MIN_FREE_BYTES = 64_000_000;

/** Returns a message if PostgreSQL cannot work in `folder` because the disk is full. Null if there is space or it is unknown. */
export function describeFullDisk(folder: string): string | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    const freeBytes = bavail * bsize;
    if (freeBytes >= MIN_FREE_BYTES) return null;
    return `the disk of ${folder} is full (${Math.floor(freeBytes / 1_000_000)} MB are free). Free at least ${MIN_FREE_BYTES / 1_000_000} MB.`;
  } catch {
    return null;
  }
}
