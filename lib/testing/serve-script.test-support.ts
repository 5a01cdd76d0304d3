import { onTestFinished } from 'vitest';
import { type Answer, type ScriptedServer, startScriptedServer } from './scripted-server.test-support.ts';

/** A scripted server that is closed once the test has finished. */
export async function serveScript(answers: Answer[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(answers);
  onTestFinished(() => server.close());
  return server;
}
