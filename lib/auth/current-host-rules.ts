import { parseEnvironment } from '#lib/environment.ts';
import { type Doors, openDoors } from './host-rules.ts';

let doors: Doors | null = null;

/** The doors of this process, from its environment, read once. Throws where the environment is wrong: the start refuses that first. */
export function currentDoors(): Doors {
  doors ??= readDoors();
  return doors;
}

function readDoors(): Doors {
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  return openDoors(environment.value);
}
