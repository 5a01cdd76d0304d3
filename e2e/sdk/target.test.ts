import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DocPath } from '#lib/docs/navigation.ts';
import { freePort } from '../free-port.ts';
import { guideSample } from './guide-sample.ts';
import { installPythonSdk, installTypescriptSdk, systemPython } from './packages.ts';
import { ScriptedTargets } from './scripted-targets.ts';

const WAIT = { timeout: 15_000, interval: 20 };

const TYPESCRIPT = `import { Hone, RetryableError } from 'hone-sdk';

await new Hone().target(
  'greeter/en',
  async ({ case: { input }, components, signal }) => {
    if (input === 'fail') throw new Error('It broke.');
    if (input === 'type') return (JSON.parse('{}') as { ticket: { ticket_id: string } }).ticket.ticket_id;
    if (input === 'flaky') throw new RetryableError('Try again.');
    if (input === 'details') return { output: input, usage: { inputTokens: 3, outputTokens: 4 }, score: 0.5 };
    if (input === 'short') await new Promise((resolve) => setTimeout(resolve, 300));
    if (input.startsWith('hang')) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      console.log('aborted', input);
    }
    return \`\${components.system_prompt} \${input}\`;
  },
  {
    components: { system_prompt: { text: 'Be kind.', description: 'How to greet.' } },
    concurrency: 2,
    graceSeconds: 1,
    worker: 'w',
    onError: (error) => console.error(String(error)),
  },
);
console.log('stopped');
`;

const PYTHON_FUNCTION = `import asyncio, sys, time
from hone import AsyncHone, Hone, RetryableError, TargetAnswer, TargetJob

def answer(job: TargetJob) -> TargetAnswer | None:
    text = job.case["input"]
    if text == "fail":
        raise ValueError("It broke.")
    if text == "type":
        return {}["ticket_id"]
    if text == "flaky":
        raise RetryableError("Try again.")
    if text == "details":
        return {"output": text, "usage": {"inputTokens": 3, "outputTokens": 4}, "score": 0.5}
    if text.startswith("hang"):
        return None
    return f"{job.components['system_prompt']} {text}"

settings = {
    "components": {"system_prompt": {"text": "Be kind.", "description": "How to greet."}},
    "concurrency": 2,
    "grace": 1,
    "worker": "w",
    "on_error": lambda error: print(error, file=sys.stderr, flush=True),
}
`;

const PYTHON = `${PYTHON_FUNCTION}
def run(job: TargetJob) -> TargetAnswer:
    if job.case["input"] == "short":
        time.sleep(0.3)
    answered = answer(job)
    if answered is None:
        job.cancelled.wait()
        print("aborted", job.case["input"], flush=True)
        return ""
    return answered

Hone().target("greeter/en", run, **settings)
print("stopped", flush=True)
`;

const ASYNC_PYTHON = `${PYTHON_FUNCTION}
async def run(job: TargetJob) -> TargetAnswer:
    if job.case["input"] == "short":
        await asyncio.sleep(0.3)
    answered = answer(job)
    if answered is None:
        try:
            await asyncio.sleep(60)
        finally:
            print("aborted", job.case["input"], flush=True)
        return ""
    return answered

asyncio.run(AsyncHone().target("greeter/en", run, **settings))
print("stopped", flush=True)
`;

/** A server that does not await its worker, and that knows nothing of signals. */
const TYPESCRIPT_SERVER = `import { createServer } from 'node:http';
import { Hone } from 'hone-sdk';

new Hone().target('greeter/en', ({ case: { input } }) => input, { worker: 'w' });
createServer().listen(0);
`;

/** A server that handles signals itself, as uvicorn does. */
const PYTHON_SERVER = `import asyncio, signal
from hone import AsyncHone

async def main() -> None:
    ended = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda *_: ended.set())
    worker = asyncio.create_task(AsyncHone().target("greeter/en", lambda job: job.case["input"], worker="w"))
    await ended.wait()
    await worker

asyncio.run(main())
`;

describe.each<{ language: string; file: string; program: string; inServer: string | null; guide: DocPath | null }>([
  {
    language: 'TypeScript',
    file: 'worker.ts',
    program: TYPESCRIPT,
    inServer: TYPESCRIPT_SERVER,
    guide: 'how-to/use-the-typescript-sdk',
  },
  { language: 'Python', file: 'worker.py', program: PYTHON, inServer: null, guide: 'how-to/use-the-python-sdk' },
  { language: 'asynchronous Python', file: 'worker.py', program: ASYNC_PYTHON, inServer: PYTHON_SERVER, guide: null },
])('a target in $language', ({ language, file, program, inServer, guide }) => {
  const isPython = language.includes('Python');
  const quiet = isPython ? '    "quiet": True,\n' : '    quiet: true,\n';
  const isSkipped = isPython && systemPython === null;
  let folder: string;
  let command: string;
  let env: Record<string, string> = {};
  let server: ScriptedTargets;
  let port: number;
  let worker: ChildProcess;
  let output = '';

  beforeAll(async () => {
    if (isSkipped) return;
    if (isPython) ({ folder, python: command, env } = await installPythonSdk());
    else [folder, command] = [await installTypescriptSdk(), process.execPath];
    writeFileSync(path.join(folder, file), program);
    writeFileSync(path.join(folder, `plain-${file}`), program.replace(/^.*on_?error.*\n/im, ''));
    writeFileSync(path.join(folder, `quiet-${file}`), program.replace(/^.*on_?error.*\n/im, quiet));
    if (inServer !== null) writeFileSync(path.join(folder, `server-${file}`), inServer);
    if (guide !== null) writeFileSync(path.join(folder, `guide-${file}`), guideSample(guide, 'target'));
  }, 180_000);
  afterAll(() => {
    if (!isSkipped) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    server = new ScriptedTargets();
    port = await freePort();
    output = '';
  });
  afterEach(() => {
    worker?.kill('SIGKILL');
    server.close();
  });

  function start(started = file): void {
    const own = { HONE_URL: `http://127.0.0.1:${port}`, HONE_API_TOKEN: '' };
    worker = spawn(command, [started], {
      cwd: folder,
      env: { ...process.env, ...env, ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [worker.stdout, worker.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
  }

  async function startWorking(started = file): Promise<void> {
    await server.listen(port);
    start(started);
    await vi.waitFor(() => expect(server.claims.length, output).toBeGreaterThan(0), WAIT);
  }

  const result = (id: string) =>
    vi.waitFor(() => {
      const found = server.results.get(id);
      expect(found, output).toBeDefined();
      return found;
    }, WAIT);

  test.skipIf(isSkipped)('registers its components, and answers with a text, details or an error', async () => {
    for (const input of ['hello', 'own', 'details', 'fail', 'flaky']) server.add(input);
    await startWorking();
    expect(server.registrations).toEqual([
      {
        name: 'greeter/en',
        body: { kind: 'sdk', components: { system_prompt: { text: 'Be kind.', description: 'How to greet.' } } },
      },
    ]);
    expect(await result('job-hello')).toEqual({ worker: 'w', output: 'Be brief. hello' });
    expect(await result('job-own')).toMatchObject({ output: 'Be kind. own' });
    const usage = { inputTokens: 3, outputTokens: 4 };
    expect(await result('job-details')).toEqual({ worker: 'w', output: 'details', usage, score: 0.5 });
    const message = isPython ? 'ValueError: It broke.' : 'It broke.';
    expect(await result('job-fail')).toEqual({ worker: 'w', error: { message, retry: false } });
    expect(await result('job-flaky')).toEqual({ worker: 'w', error: { message: 'Try again.', retry: true } });
  });

  test.skipIf(isSkipped)('prints the stack trace of an error of its function, and sends its type', async () => {
    for (const input of ['type', 'fail']) server.add(input);
    await startWorking(`plain-${file}`);
    const { error } = (await result('job-type')) ?? {};
    expect(error?.message).toMatch(isPython ? /^KeyError: 'ticket_id'$/ : /^TypeError: .*ticket_id/);
    await result('job-fail');
    await vi.waitFor(() => expect(output).toMatch(/Error: It broke\./), WAIT);
    const lines = output.split('\n').filter((line) => /^\s+(at .*|File .*, line )/.test(line));
    expect(lines.join('\n')).toContain(`plain-${file}`);
    expect(output).toContain('target greeter/en: your function failed');
  });

  test.skipIf(isSkipped)('prints once where it has connected', async () => {
    server.refused.push({ path: '/claim', status: 404, times: 1 });
    server.add('hello');
    await startWorking();
    await result('job-hello');
    expect(server.registrations).toHaveLength(2);
    expect(output).toBe(`hone: connected to Hone at http://127.0.0.1:${port} as greeter/en\n`);
  });

  test.skipIf(isSkipped)('prints nothing if it is quiet', async () => {
    server.add('hello');
    await startWorking(`quiet-${file}`);
    await result('job-hello');
    expect(output).toBe('');
  });

  test.skipIf(isSkipped || inServer === null)('in a server ends with it on SIGTERM, and signs off', async () => {
    await startWorking(`server-${file}`);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
    expect(server.signedOff).toEqual(['w']);
  });

  test.skipIf(isSkipped)('ends without complaint where Hone knows no sign-off', async () => {
    server.refused.push({ path: '/sign-off', status: 404, times: 1 });
    await startWorking();
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
    expect(server.refused.map(({ times }) => times)).toEqual([0]);
    expect(output).not.toContain('Not now.');
  });

  test.skipIf(isSkipped || guide === null)('in its guide answers a job', async () => {
    server.add('Ada');
    await server.listen(port);
    start(`guide-${file}`);
    expect(await result('job-Ada')).toMatchObject({ output: 'Hello Ada! (Be brief.)' });
  });

  test.skipIf(isSkipped)('claims no more jobs than it may run at a time', async () => {
    for (const input of ['hang-1', 'hello', 'hang-2', 'more']) server.add(input, 0.6);
    await startWorking();
    await result('job-hello');
    await vi.waitFor(() => expect(server.beats.at(-1)?.jobs).toEqual(['job-hang-1', 'job-hang-2']), WAIT);
    expect(server.claims.map(({ max }) => max)).toEqual([2, 1]);
    server.lost.add('job-hang-1');
    await result('job-more');
    expect(output).toContain('aborted hang-1');
    expect(server.results.has('job-hang-1')).toBe(false);
  });

  test.skipIf(isSkipped)('waits for a Hone that is away, and delivers a result until it is there', async () => {
    start();
    await vi.waitFor(() => expect(output).toContain('Hone does not answer'), WAIT);
    server.refused.push({ path: '/result', status: 503, times: 1 }, { path: '/result', status: 0, times: 1 });
    server.add('hello');
    await server.listen(port);
    expect(await result('job-hello')).toMatchObject({ output: 'Be brief. hello' });
    expect(server.refused.map(({ times }) => times)).toEqual([0, 0]);
  });

  test.skipIf(isSkipped)('says why where Hone does not take a result, so that the job is not done again', async () => {
    await startWorking();
    server.refused.push({ path: '/result', status: 400, times: 1 });
    server.add('hello');
    expect(await result('job-hello')).toEqual({ worker: 'w', error: { message: 'Not now.', retry: false } });
    expect(output).toContain('Not now.');
  });

  test.skipIf(isSkipped)('registers again after it was deleted in Hone', async () => {
    await startWorking();
    server.refused.push({ path: '/claim', status: 404, times: 1 });
    server.add('hello');
    await result('job-hello');
    server.add('more');
    await result('job-more');
    expect(server.registrations).toHaveLength(2);
  });

  test.skipIf(isSkipped)('finishes what it holds on SIGTERM, and gives back what takes too long', async () => {
    server.add('short');
    server.add('hang-1');
    await startWorking();
    worker.kill('SIGTERM');
    const [code] = await once(worker, 'exit');
    expect(await result('job-short')).toMatchObject({ output: 'Be brief. short' });
    const error = { message: 'The worker was stopped.', retry: true };
    expect(await result('job-hang-1')).toEqual({ worker: 'w', error });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('stopped') });
    expect(server.signedOff).toEqual(['w']);
  });

  test.skipIf(isSkipped)('gives back all on SIGTERM where it has no room for more', async () => {
    for (const input of ['hang-1', 'hang-2']) server.add(input);
    await startWorking();
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    expect([...server.results.keys()].toSorted()).toEqual(['job-hang-1', 'job-hang-2']);
  });

  test.skipIf(isSkipped)('ends with the error if Hone refuses it', async () => {
    server.refused.push({ path: '', status: 403, times: 1 });
    await server.listen(port);
    start();
    const [code] = await once(worker, 'exit');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Not now.') });
  });
});
