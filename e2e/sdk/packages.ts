import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import { readSdkPackage } from '#lib/api/sdk-packages.ts';

export const PROJECT = path.resolve(import.meta.dirname, '../..');
export const PYTHON_SDK = path.join(PROJECT, 'sdk/python');

const execute = promisify(execFile);

/** Returns the output of a program. Throws with the full output if the program fails. */
export async function run(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${path.basename(program)} ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
}

/** Type-checks a file in a folder without this project's compiler settings. */
export function checkTypes(file: string, folder: string): Promise<string> {
  const options = [
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--types',
    'node',
  ];
  return run(process.execPath, [tool('typescript/bin/tsc'), ...options, file], folder);
}

/** Installs the TypeScript SDK, as served by Hone, in a new folder. */
export async function installTypescriptSdk(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-sdk-'));
  const tarball = 'hone-sdk.tgz';
  writeFileSync(path.join(folder, tarball), (await readSdkPackage(tarball)) ?? '');
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const options = ['--silent', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await run('npm', ['install', ...options, tarball], folder);
  for (const name of ['vitest', '@types'])
    symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(folder, 'node_modules', name));
  return folder;
}

export function tool(file: string): string {
  return path.join(PROJECT, 'node_modules', file);
}

/** Dependencies of the SDK and its tests. */
const PYTHON_PACKAGES = [
  ...readFileSync(path.join(PYTHON_SDK, 'pyproject.toml'), 'utf8').matchAll(/^(?:dependencies|dev) = \[(.*)\]$/gm),
].flatMap(([, list = '']) => list.split(', ').map((one) => one.replaceAll('"', '')));

/** Returns the path of a cached virtual environment, which changes with the Python version and the packages. */
function environmentOf(python: string): string {
  const version = spawnSync(python, ['--version']).stdout.toString();
  const name = createHash('sha256')
    .update([version, ...PYTHON_PACKAGES].join())
    .digest('hex')
    .slice(0, 12);
  return path.join(PROJECT, 'node_modules/.cache/hone-sdk-python', name);
}

/** Python that the SDK supports and that can create virtual environments. */
const supportedPython =
  ['python3', 'python'].find((name) => {
    const check = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
    return spawnSync(name, ['-c', check]).status === 0;
  }) ?? null;

/** True if the packages that the tests need are installed or can be installed. */
function canInstall(python: string): boolean {
  if (existsSync(environmentOf(python))) return true;
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-pip-'));
  const options = ['-q', '--no-deps', '--retries', '1', '--timeout', '15', '-d', folder];
  const { status } = spawnSync(python, ['-m', 'pip', 'download', ...options, 'httpx']);
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** Python that runs the SDK tests, or null if they are skipped. */
export const systemPython = supportedPython !== null && canInstall(supportedPython) ? supportedPython : null;

export const NO_PYTHON = `The tests of the Python SDK are skipped: ${
  supportedPython === null ? 'Python 3.10 or later with venv is not installed' : 'pip reaches no package registry'
}.`;

export type PythonSdk = { python: string; folder: string; env: { PYTHONPATH: string } };

/** Installs the Python SDK, as served by Hone, in a new folder. `python` has the dependencies of the SDK and its tests. */
export async function installPythonSdk(): Promise<PythonSdk> {
  const python = await makeEnvironment();
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-python-'));
  const installed = path.join(folder, 'installed');
  const sources = 'hone-sdk.tar.gz';
  writeFileSync(path.join(folder, sources), (await readSdkPackage(sources)) ?? '');
  const options = ['-q', '--no-deps', '--no-build-isolation', '--target', installed];
  await run(python, ['-m', 'pip', 'install', ...options, sources], folder);
  return { python, folder, env: { PYTHONPATH: installed } };
}

/** Type-checks Python files in strict mode. All checks share a cache, because checking the imports takes most of the time. */
export function checkPythonTypes(
  { python, env }: Pick<PythonSdk, 'python'> & Partial<PythonSdk>,
  files: string[],
  folder: string,
): Promise<string> {
  const cache = path.join(path.dirname(python), '../mypy');
  return run(python, ['-m', 'mypy', '--strict', '--cache-dir', cache, ...files], folder, env);
}

/** Creates the virtual environment if it does not exist. */
async function makeEnvironment(): Promise<string> {
  const system = systemPython ?? 'python3';
  const folder = environmentOf(system);
  if (existsSync(folder)) return pythonOf(folder);
  // Uses a unique folder, because other tests may create the environment at the same time.
  const own = `${folder}-${process.pid}-${threadId}`;
  await run(system, ['-m', 'venv', own], PROJECT);
  await run(pythonOf(own), ['-m', 'pip', 'install', '-q', ...PYTHON_PACKAGES], PROJECT);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
  return pythonOf(folder);
}

function pythonOf(environment: string): string {
  return path.join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
}
