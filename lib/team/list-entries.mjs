import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEntryFile } from './read-entry-file.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const LIST = 'lib/team/entries.ts';
const WIDTH = 120;

/**
 * Lists every page, route method and server action of the source tree, by name, with what is wrong with them.
 * @returns {{ entries: import('./entries.ts').Entry[], problems: string[] }}
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
    .filter((file) => !file.startsWith('lib/db/generated/'));
}

/** The list as the source text of entries.ts, formatted as Biome formats it. */
export function entriesSource(entries) {
  return `import type { Role } from '#lib/reflection/role.ts';

/**
 * One way into the app. \`path\` is null for actions, which answer on whatever page uses them. \`open\`: in team mode too whoever reaches the
 * app may come in, without a session or token.
 */
export type Entry = {
  name: string;
  kind: 'page' | 'route' | 'action';
  file: string;
  exported: string;
  path: string | null;
  role: Role;
  writes: boolean;
  open?: true;
};

/** Every way into the app. Written by \`node lib/team/list-entries.mjs\`; a test compares it with the code. */
export const ENTRIES: readonly Entry[] = ${entries.length === 0 ? '[]' : `[\n${entries.map(entryLine).join('\n')}\n]`};
`;
}

function entryLine(entry) {
  const fields = Object.entries(entry).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : value}`,
  );
  const line = `  { ${fields.join(', ')} },`;
  return line.length <= WIDTH ? line : `  {\n${fields.map((field) => `    ${field},`).join('\n')}\n  },`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { entries, problems } = listEntries();
  for (const problem of problems) console.error(problem);
  writeFileSync(join(root, LIST), entriesSource(entries));
  console.error(`${LIST}: ${entries.length} entries`);
  if (problems.length > 0) process.exitCode = 1;
}
