// Plain JavaScript that old versions of Node can read: the starter asks before anything is known of this one.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds everything Hone runs from: the repository, or `dist` of the package. */
export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Whether this is the package that `npm pack` makes. It has the built pages and no sources of them. */
export const isPackage = !existsSync(path.join(project, 'app'));

/** The folder of `.env`. */
export const settingsFolder = isPackage ? process.cwd() : project;

/**
 * What people type to run a command of this installation, for messages.
 * @param {string} [name] without one, what starts the app
 * @param {string} [args]
 * @returns {string}
 */
export function commandLine(name, args) {
  if (isPackage) return ['hone', name, args].filter(Boolean).join(' ');
  if (name === undefined) return 'npm start';
  return args === undefined ? `npm run ${name}` : `npm run ${name} -- ${args}`;
}
