// Plain JavaScript that old Node versions can parse, because the starter loads it before the Node version is checked.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of Hone's code: the repository, or `dist` of the package. */
export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** True in the package made by `npm pack`, which has the built pages but not their sources. */
export const isPackage = !existsSync(path.join(project, 'app'));

/** The folder that contains `.env`. */
export const settingsFolder = isPackage ? process.cwd() : project;

/**
 * Returns the command line that runs a command of this installation, for messages.
 * @param {string} [name] without it, the command that starts the app
 * @param {string} [args]
 * @returns {string}
 */
export function commandLine(name, args) {
  if (isPackage) return ['hone', name, args].filter(Boolean).join(' ');
  if (name === undefined) return 'npm start';
  return args === undefined ? `npm run ${name}` : `npm run ${name} -- ${args}`;
}
