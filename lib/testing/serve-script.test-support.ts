import { onTestFinished } from 'vitest';
import { type Answer, type ScriptedServer, startScriptedServer } from './scripted-server.test-support.ts';

/** Starts a scripted server that is closed when the test finishes. */
export async function serveScript(answers: Answer[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(answers);
  onTestFinished(() => server.close());
  return server;
}
