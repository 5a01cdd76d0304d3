import path from 'node:path';
import type { Environment } from '#lib/environment.ts';
import { getLog } from '#lib/log/log.ts';
import { project } from '#lib/system/installation.mjs';
import { prepareDataFolder, readEnvironment } from './environment-files.ts';
import { type Ending, handleSignals, waitWithAbortLimit } from './handle-signals.ts';
import { describeSystemError, StartFailure, valueOrFail } from './start-failure.ts';

export type CommandContext = {
  project: string;
  environment: Environment;
  dataFolder: string;
  ending: Ending;
  log(line: string): void;
};

/** Runs a command beside the app (such as backup) with its signal handling and shutdown. The process exits with 0, or with 1 on failure. */
export async function runCommand(work: (context: CommandContext) => Promise<void>): Promise<never> {
  const log = (line: string) => console.log(`hone: ${line}`);
  const ending = handleSignals(log);
  try {
    const environment = readEnvironment();
    const dataFolder = valueOrFail(prepareDataFolder(environment.dataFolder));
    await waitWithAbortLimit(work({ project, environment, dataFolder, ending, log }), ending.signal, 3000);
  } catch (error) {
    const message = error instanceof StartFailure ? error.message : describeSystemError(error);
    if (message !== null) console.error(`\n${message}\n`);
    else if (!ending.signal.aborted) getLog().error('the command failed', error);
    return ending.finish(1);
  }
  return ending.finish(ending.signal.aborted ? 1 : 0);
}

/** Resolves a command-line path against the folder in which the user ran the command. */
export function commandLinePath(file: string): string {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), file);
}
