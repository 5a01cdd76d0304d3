// The command line. Plain JavaScript that old Node versions can parse, so that it can report the required version.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandLine, isPackage, project } from '#lib/system/installation.mjs';
import { keepCompiled } from './compile-cache.mjs';
import { restartProcess } from './restart-process.mjs';

/** The commands, each with its help text and function. Modules are loaded when their command runs. */
const COMMANDS = {
  start: { help: 'serve the app and perform runs (the default)', run: (flags) => start(flags) },
  worker: { help: 'only perform runs, next to other processes on one database', run: () => start(['--worker']) },
  demo: { help: 'run the sample loop in the terminal', run: () => start(['--demo']) },
  gate: { help: 'compare two experiments in CI', run: gate },
  backup: { help: 'write a backup', run: async (args) => (await import('./backup.ts')).backup(args) },
  restore: { help: 'restore a backup', run: restore },
  'password-link': {
    help: 'print a link that sets a new password',
    run: async (args) => (await import('./owner-link.ts')).passwordLink(args),
  },
  upgrade: {
    help: 'move the data to a new major version of PostgreSQL',
    run: async (args) => (await import('./upgrade.ts')).upgrade(args),
  },
};

const HELP = `Usage: hone [command] [options]

Commands
${Object.entries(COMMANDS)
  .map(([name, { help }]) => `  ${name.padEnd(15)} ${help}`)
  .join('\n')}

Options
  --data <folder>  data directory (default: HONE_DATA_DIR, else ./data)
  --port <number>  port of the web server (default: PORT, else 3000)
  --version        print the version
  --help           print this help

Settings are environment variables or in a file .env in the current folder.`;

/** Flags that exist only in the repository, for `npm run` scripts. */
const REPOSITORY_FLAGS = {
  worker: { type: 'boolean' },
  demo: { type: 'boolean' },
  dev: { type: 'boolean' },
  build: { type: 'boolean' },
};

const given = process.argv.slice(2);
const name = given[0] !== undefined && !given[0].startsWith('-') ? given[0] : 'start';
const args = name === given[0] ? given.slice(1) : given;
await main();

async function main() {
  const problem = findProblem();
  if (problem !== null) return refuse(problem);
  const { readArguments, refuseArguments } = await import('#lib/system/read-arguments.ts');
  if (!Object.hasOwn(COMMANDS, name)) return refuseArguments(`There is no command "${name}".`, HELP);
  if (args.includes('--version'))
    return console.log(JSON.parse(readFileSync(`${project}/package.json`, 'utf8')).version);
  const folder = takeOption('--data', refuseArguments);
  if (folder !== null) process.env.HONE_DATA_DIR = path.resolve(process.env.INIT_CWD ?? '.', folder);
  const port = takeOption('--port', refuseArguments);
  if (port !== null) process.env.PORT = port;
  if (['start', 'worker', 'demo'].includes(name)) {
    const misplaced = args.find((arg) => Object.hasOwn(COMMANDS, arg));
    if (misplaced !== undefined) refuseArguments(`Put the command first: hone ${misplaced} [options].`, HELP);
    readArguments(HELP, { options: isPackage || name !== 'start' ? {} : REPOSITORY_FLAGS }, args);
  }
  await COMMANDS[name].run(args);
}

async function start(flags) {
  restartProcess();
  // A build empties the folder that contains the cache.
  if (!flags.includes('--build')) keepCompiled(project);
  const { start: begin } = await import('./start.ts');
  await begin(flags);
}

async function restore(options) {
  const { generateClient } = await import('./generate-client.mjs');
  if (!isPackage) await generateClient();
  const { restore: begin } = await import('./restore.ts');
  await begin(options);
}

/** Runs the gate. Every error exits with 2, because other exit codes could be mistaken for a regression. */
async function gate(options) {
  try {
    const { runGate } = await import('#lib/gate/run-gate.ts');
    const { exitCode, text } = await runGate(options, process.env);
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    console.error(error);
    process.exitCode = 2;
  }
}

/** Removes `--option value` from the arguments and returns the value. Null if the option is not given. */
function takeOption(option, refuseArguments) {
  const at = args.indexOf(option);
  if (at === -1) return null;
  const [, value] = args.splice(at, 2);
  return value === undefined || value.startsWith('--') ? refuseArguments(`${option} needs a value.`, HELP) : value;
}

function refuse(message) {
  console.error(message);
  process.exitCode = name === 'gate' ? 2 : 1;
}

/** Returns a message about a problem that must be fixed before anything can start, or null. */
function findProblem() {
  const installed = existsSync(path.join(project, 'node_modules/next/package.json'));
  const ownNode = existsSync(path.join(project, 'node_modules/.bin/node'));
  if (!installed) return 'The packages are not installed. Run this first:\n\n  npm ci\n';
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return null;
  const typed = commandLine(name === 'start' ? undefined : name);
  const found = `Hone needs Node 22.18 or newer, but this is Node ${process.versions.node}.`;
  if (ownNode) return `${found} \`npm ci\` installed Node 24, and npm scripts use it:\n\n  ${typed}\n`;
  const install = isPackage ? 'npm install' : 'npm ci';
  return `${found} Let npm install Node 24 in this folder:\n\n  ${install} --include=optional --ignore-scripts=false\n\nor install Node 24 from https://nodejs.org, then run \`${typed}\` again.\n`;
}
