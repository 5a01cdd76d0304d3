import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Environment, parseEnvironment } from '#lib/environment.ts';
import { valueOrFail } from './start-failure.ts';

/** What the environment and the project's `.env` say; throws StartFailure, naming every variable that is wrong. */
export function readEnvironment(project: string): Environment {
  if (existsSync(path.join(project, '.env'))) process.loadEnvFile(path.join(project, '.env'));
  return valueOrFail(parseEnvironment(process.env));
}
