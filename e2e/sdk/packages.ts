import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const PROJECT = path.resolve(import.meta.dirname, '../..');
export const PYTHON_SDK = path.join(PROJECT, 'sdk/python');
const TYPESCRIPT_SDK = path.join(PROJECT, 'sdk/typescript');

const execute = promisify(execFile);

/** The output of a program. Throws with all of it when the program fails. */
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

/** Checks a file in a folder with a TypeScript compiler that knows no setting of this project. */
export function checkTypes(file: string, folder: string): Promise<string> {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  return run(process.execPath, [tool('typescript/bin/tsc'), ...options, file], folder);
}

/** Builds, packs and installs the TypeScript SDK in a new folder, as an app has it. */
export async function installTypescriptSdk(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-sdk-'));
  rmSync(path.join(TYPESCRIPT_SDK, 'dist'), { recursive: true, force: true });
  await run(process.execPath, [tool('typescript/bin/tsc'), '-p', '.'], TYPESCRIPT_SDK);
  await run('npm', ['pack', '--silent', '--pack-destination', folder], TYPESCRIPT_SDK);
  const [tarball = ''] = globSync('hone-sdk-*.tgz', { cwd: folder });
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const options = ['--silent', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  await run('npm', ['install', ...options, tarball], folder);
  for (const name of ['vitest', '@types'])
    symlinkSync(path.join(PROJECT, 'node_modules', name), path.join(folder, 'node_modules', name));
  return folder;
}

function tool(file: string): string {
  return path.join(PROJECT, 'node_modules', file);
}

/** A Python that the SDK supports. Null where this machine has none. */
export const systemPython =
  ['python3', 'python'].find((name) => {
    const oldest = 'import sys; sys.exit(sys.version_info < (3, 10))';
    return spawnSync(name, ['-c', oldest]).status === 0;
  }) ?? null;

export const NO_PYTHON = 'The tests of the Python SDK are skipped: Python 3.10 or later is not installed.';

/** Builds the Python SDK and installs its wheel in a virtual environment with its tools. Answers the Python there. */
export async function installPythonSdk(): Promise<string> {
  const python = await makeEnvironment();
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-wheel-'));
  await run(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], PYTHON_SDK);
  const [wheel = ''] = globSync('*.whl', { cwd: folder });
  await run(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--force-reinstall', path.join(folder, wheel)], folder);
  rmSync(folder, { recursive: true });
  return python;
}

/** The environment is kept until the packages that it needs change. */
async function makeEnvironment(): Promise<string> {
  const project = readFileSync(path.join(PYTHON_SDK, 'pyproject.toml'), 'utf8');
  const packages = [...project.matchAll(/^(?:dependencies|dev) = \[(.*)\]$/gm)].flatMap(([, list = '']) =>
    list.split(', ').map((one) => one.replaceAll('"', '')),
  );
  const name = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  const folder = path.join(PROJECT, 'node_modules/.cache/hone-sdk-python', name);
  const python = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  const finished = path.join(folder, 'finished');
  if (existsSync(finished)) return python;
  await run(systemPython ?? 'python3', ['-m', 'venv', '--clear', folder], PROJECT);
  await run(python, ['-m', 'pip', 'install', '-q', ...packages], PROJECT);
  writeFileSync(finished, '');
  return python;
}
