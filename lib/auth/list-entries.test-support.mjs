import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEntryFile } from './read-entry-file.test-support.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Lists every page and server action of the source tree, by name, with their problems.
 * @returns {{ entries: import('./read-entry-file.test-support.mjs').SourceEntry[], problems: string[] }}
 */
export function listEntries() {
  const read = ['app', 'components', 'lib']
    .flatMap(sourceFiles)
    .map((file) => readEntryFile({ file, text: readFileSync(join(root, file), 'utf8') }));
  const entries = read
    .flatMap((file) => file.entries)
    .sort((a, b) => (a.file + a.exported < b.file + b.exported ? -1 : 1));
  const twice = entries.filter((entry, at) => entries.findIndex((other) => other.name === entry.name) !== at);
  const problems = [
    ...read.flatMap((file) => file.problems),
    ...twice.map((entry) => `${entry.file}: ${entry.exported} has the name ${entry.name}, which another entry has`),
  ];
  return { entries, problems };
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(
      (found) => found.isFile() && /\.[cm]?[jt]sx?$/.test(found.name) && !/\.(test|spec)\.|\.d\.ts$/.test(found.name),
    )
    .map((found) => relative(root, join(found.parentPath, found.name)).split(sep).join('/'))
    .filter((file) => !file.startsWith('lib/database/generated/'));
}
