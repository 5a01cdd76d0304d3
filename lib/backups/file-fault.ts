import { statSync } from 'node:fs';

const ANOTHER = 'Copy it again from where it was made, or take another backup';
const OTHER_PROGRAM = 'Name a file that Hone made (npm run backup, or Settings, Backup and retention)';

/** Why a file could not be read as a backup to its end, and what to do about it: for a person, without an end of the sentence. */
export function fileFault(file: string, error: unknown): { what: string; remedy: string } {
  const what = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case 'ENOENT':
      return { what: 'there is no such file', remedy: 'Look for its right name and folder' };
    case 'EISDIR':
      return { what: 'it is a folder', remedy: 'Name the file of a backup, for example one that lies in it' };
    case 'Z_BUF_ERROR':
      return { what: isEmpty(file) ? 'it is empty' : 'it ends in the middle', remedy: ANOTHER };
    case 'Z_DATA_ERROR':
      return what === 'incorrect header check'
        ? { what: 'it is a file of another program', remedy: OTHER_PROGRAM }
        : { what: `it is damaged (${what})`, remedy: ANOTHER };
    case null:
      return what.startsWith('Invalid tar header')
        ? { what: 'it is an archive of another program, or damaged', remedy: `${OTHER_PROGRAM}, or copy it again` }
        : { what, remedy: ANOTHER };
    default:
      return { what: `it can not be read (${what})`, remedy: 'Mend that, or take another backup' };
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function isEmpty(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0;
}
