import { startInterpreter } from './interpreter.ts';

let made: Promise<Buffer> | null = null;

/**
 * The memory of an interpreter that has just been loaded, about 30 MB: one that begins with it is ready in a tenth of the time.
 * Made once in this process, and again where that failed.
 */
export function interpreterMemory(): Promise<Buffer> {
  made ??= make().catch((error: unknown) => {
    made = null;
    throw error;
  });
  return made;
}

function make(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = startInterpreter('make');
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`the Python interpreter ended with ${code}`)),
    );
  });
}
