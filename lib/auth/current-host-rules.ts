import { parseEnvironment } from '#lib/environment.ts';
import { type HostRules, openHostRules } from './host-rules.ts';

let doors: HostRules | null = null;

/** The doors of this process, from its environment, read once. Throws where the environment is wrong: the start refuses that first. */
export function currentHostRules(): HostRules {
  doors ??= readDoors();
  return doors;
}

function readDoors(): HostRules {
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  return openHostRules(environment.value);
}
