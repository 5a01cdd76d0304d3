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
const GIVEN_BACK = { message: 'The worker was stopped.', retry: true };

const TYPESCRIPT = `import { Hone, RetryableError } from 'hone-sdk';

await new Hone().target(
  'greeter/en',
  async ({ case: { input }, components, signal, step }) => {
    if (input === 'steps') {
      const found = ['page 1'];
      const circular: unknown[] = [];
      circular.push(circular);
      await step('search', () => found, { component: 'system_prompt', input: { query: input } });
      found.push('later');
      await step('read', () => { throw new Error('No page.'); }).catch(() => {});
      await step('long', () => 'x'.repeat(20_000));
      await step('circular', () => circular);
      return input;
    }
    if (input === 'odd-steps') {
      const bare = Object.create(null) as never;
      await step(7 as never, () => 'seven', { component: 8 as never });
      await step(bare, () => 'bare', { component: bare });
      await step('fail', () => { throw bare; }).catch((error) => { if (error !== bare) throw error; });
      return input;
    }
    if (input === 'many') {
      for (let at = 0; at < 3_000; at += 1) await step('read', () => '"'.repeat(9_000));
      return input;
    }
    if (input === 'own-trace') {
      await step('search', () => 'page 1');
      return { output: input, trace: 'its own' };
    }
    if (input === 'fail')
      throw Object.assign(new Error('It broke.', { cause: new Error('No route.') }), { headers: 'CANARY' });
    if (input === 'nothing') return undefined as never;
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
`;

const PYTHON_FUNCTION = `import asyncio, signal, sys, threading, time
from hone import AsyncHone, Hone, RetryableError, TargetAnswer, TargetJob

def answer(job: TargetJob) -> TargetAnswer | None:
    text = job.case["input"]
    if text == "steps":
        found = ["page 1"]
        circular: list[object] = []
        circular.append(circular)
        with job.step("search", component="system_prompt", input={"query": text}) as step:
            step.output = found
        found.append("later")
        try:
            with job.step("read"):
                raise ValueError("No page.")
        except ValueError:
            pass
        with job.step("long") as step:
            step.output = "x" * 20_000
        with job.step("circular") as step:
            step.output = circular
        return text
    if text == "odd-steps":
        class Odd:
            def __str__(self) -> str:
                raise RuntimeError("No text.")
        class OddError(Exception):
            def __str__(self) -> str:
                raise RuntimeError("No text.")
        with job.step(7, component=8) as step: # type: ignore[arg-type]
            step.output = "seven"
        with job.step(Odd(), component=Odd()) as step: # type: ignore[arg-type]
            step.output = "bare"
        try:
            with job.step("fail"):
                raise OddError()
        except OddError:
            pass
        return text
    if text == "many":
        for _ in range(3_000):
            with job.step("read") as step:
                step.output = '"' * 9_000
        return text
    if text == "own-trace":
        with job.step("search") as step:
            step.output = "page 1"
        return {"output": text, "trace": "its own"}
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

stop = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stop.set())
asyncio.run(AsyncHone().target("greeter/en", run, stop=stop, **settings))
print("stopped", flush=True)
`;

/** Server that does not await its workers and handles no signals. */
const TYPESCRIPT_SERVER = `import { createServer } from 'node:http';
import { Hone } from 'hone-sdk';

for (const worker of ['w', 'x'])
  new Hone().target('greeter/en', ({ case: { input } }) => input, { worker });
createServer().listen(0);
`;

/** Server that takes some time to close after its worker has ended. */
const CLOSING_SERVER = `${TYPESCRIPT_SERVER}
process.once('SIGTERM', () => setTimeout(() => process.exit(7), 1_300));
`;

/** Two workers that stop on signals, and one that does not. */
const PARTIAL_SERVER = `${TYPESCRIPT_SERVER}
const stop = new AbortController();
new Hone().target('greeter/en', () => '', { worker: 'y', stopOnSignals: false, signal: stop.signal });
process.stdin.on('end', () => stop.abort()).resume();
`;

const ASYNC_FUNCTION = `import asyncio, signal
from hone import AsyncHone

async def run(job):
    await asyncio.sleep(60 if job.case["input"].startswith("hang") else 0.3)
    return job.case["input"]

components = {}
`;

/** Server with the worker of the guide and with signal handlers of the event loop. */
const PYTHON_SERVER = `${ASYNC_FUNCTION}
${guideSample('how-to/connect-your-app', 'lifespan')}
async def main() -> None:
    ended = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(one, ended.set)
    async with lifespan(None):
        await ended.wait()

asyncio.run(main())
`;

/** Server that exits without waiting for its worker. */
const LEAVING_SERVER = `${ASYNC_FUNCTION}
async def main() -> None:
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    worker = asyncio.create_task(AsyncHone().target("greeter/en", run, worker="w"))
    await ended.wait()

asyncio.run(main())
`;

/** App with a signal handler that raises. */
const EXITING_PYTHON = `import signal, sys, time
from hone import Hone

def run(job):
    time.sleep(0.3)
    return job.case["input"]

signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
Hone().target("greeter/en", run, worker="w")
`;

/** App whose main thread has ended, so that Python starts no more threads. */
const ENDED_PYTHON = `import threading, time
from hone import Hone

worker = {"target": Hone().target, "args": ("greeter/en", lambda job: ""), "kwargs": {"worker": "w"}}
threading.Thread(**worker, daemon=True).start()
threading.Thread(target=time.sleep, args=(60,)).start()
`;

/** App that sets a context variable, like `with dspy.context(lm=lm)`. */
const CONTEXT_PYTHON = `from contextvars import ContextVar
from hone import Hone

model = ContextVar("model", default="none")

def run(job):
    before = model.get()
    model.set("changed by a job")
    return before

model.set("small")
Hone().target("greeter/en", run, worker="w", concurrency=1)
`;

describe.each<{
  language: string;
  file: string;
  program: string;
  /** Programs of single tests, by file name prefix. */
  others: Record<string, string>;
  guide: DocPath | null;
}>([
  {
    language: 'TypeScript',
    file: 'worker.ts',
    program: TYPESCRIPT,
    others: { server: TYPESCRIPT_SERVER, closing: CLOSING_SERVER, partial: PARTIAL_SERVER },
    guide: 'how-to/use-the-typescript-sdk',
  },
  {
    language: 'Python',
    file: 'worker.py',
    program: PYTHON,
    others: { exiting: EXITING_PYTHON, ended: ENDED_PYTHON, context: CONTEXT_PYTHON },
    guide: 'how-to/use-the-python-sdk',
  },
  {
    language: 'asynchronous Python',
    file: 'worker.py',
    program: ASYNC_PYTHON,
    others: { server: PYTHON_SERVER, leaving: LEAVING_SERVER },
    guide: null,
  },
])('a target in $language', ({ language, file, program, others, guide }) => {
  const isPython = language.includes('Python');
  const quiet = isPython ? '    "quiet": True,\n' : '    quiet: true,\n';
  const throwing = isPython ? '    "on_error": lambda error: {}["log"],\n' : "    onError: () => JSON.parse('log'),\n";
  const isSkipped = isPython && systemPython === null;
  /** Expected exit code and signal of a worker after SIGTERM. */
  const stopped = isPython ? [0, null] : [null, 'SIGTERM'];
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
    writeFileSync(path.join(folder, `throwing-${file}`), program.replace(/^.*on_?error.*\n/im, throwing));
    for (const [name, text] of Object.entries(others)) writeFileSync(path.join(folder, `${name}-${file}`), text);
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

  function start(started = file, user = ''): void {
    const own = { HONE_URL: `http://${user}127.0.0.1:${port}`, HONE_API_TOKEN: '' };
    worker = spawn(command, [started], {
      cwd: folder,
      env: { ...process.env, ...env, ...own },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [worker.stdout, worker.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
  }

  async function startWorking(started = file, claims = 1): Promise<void> {
    await server.listen(port);
    start(started);
    await vi.waitFor(() => expect(server.claims.length, output).toBeGreaterThanOrEqual(claims), WAIT);
  }

  const result = (id: string) =>
    vi.waitFor(() => {
      const found = server.results.get(id);
      expect(found, output).toBeDefined();
      return found;
    }, WAIT);

  test.skipIf(isSkipped)('registers its components and returns text, details or an error', async () => {
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

  test.skipIf(isSkipped)('reports steps within Hone’s limits', async () => {
    for (const input of ['steps', 'many', 'own-trace']) server.add(input);
    await startWorking();
    expect(await result('job-steps')).toEqual({
      worker: 'w',
      output: 'steps',
      trace: [
        { name: 'search', component: 'system_prompt', input: { query: 'steps' }, output: ['page 1'] },
        { name: 'read', error: expect.stringContaining('Error: No page.') },
        { name: 'long', output: `${'x'.repeat(10_000)} … (cut)` },
        { name: 'circular', output: '(not JSON-serializable)' },
      ],
    });
    const { trace: many = [] } = (await result('job-many')) ?? {};
    expect(JSON.stringify(many).length).toBeLessThan(1_000_000);
    expect(many.length).toBeGreaterThan(20);
    expect(Array.from(many).at(-1)).toEqual({ name: `… ${3_001 - many.length} more steps not sent …` });
    expect(await result('job-own-trace')).toEqual({ worker: 'w', output: 'own-trace', trace: 'its own' });
  });

  test.skipIf(isSkipped)('reports steps with non-string names and errors', async () => {
    server.add('odd-steps');
    await startWorking();
    const none = '(cannot be converted to text)';
    expect(await result('job-odd-steps')).toEqual({
      worker: 'w',
      output: 'odd-steps',
      trace: [
        { name: '7', component: '8', output: 'seven' },
        { name: none, component: none, output: 'bare' },
        { name: 'fail', error: isPython ? `OddError: ${none}` : none },
      ],
    });
  });

  test.skipIf(isSkipped)('prints the stack trace of an error in its function and sends the error type', async () => {
    for (const input of ['flaky', 'type', 'fail']) server.add(input);
    await startWorking(`plain-${file}`);
    const { error } = (await result('job-type')) ?? {};
    expect(error?.message).toMatch(isPython ? /^KeyError: 'ticket_id'$/ : /^TypeError: .*ticket_id/);
    await result('job-fail');
    await vi.waitFor(() => expect(output).toMatch(/Error: It broke\./), WAIT);
    const lines = output.split('\n').filter((line) => /^\s+(at .*|File .*, line )/.test(line));
    expect(lines.join('\n')).toContain(`plain-${file}`);
    expect(output.match(/target greeter\/en: your function failed/g)).toHaveLength(2);
    expect(output).toContain('target greeter/en: Try again.\n');
    if (!isPython) expect(output).toContain('No route.');
    expect(output).not.toContain('CANARY');
  });

  test.skipIf(isSkipped)('completes jobs even if the error callback throws', async () => {
    server.add('fail');
    await startWorking(`throwing-${file}`);
    expect(await result('job-fail')).toMatchObject({ error: { retry: false } });
    await vi.waitFor(() => expect(output).toMatch(/on_?Error failed/i), WAIT);
    server.add('hello');
    await result('job-hello');
  });

  test.skipIf(isPython)('reports an error if the function returns nothing', async () => {
    await startWorking();
    server.refused.push({ path: '/result', status: 400, times: 1 });
    server.add('nothing');
    expect(await result('job-nothing')).toEqual({ worker: 'w', error: { message: 'Not now.', retry: false } });
  });

  test.skipIf(isSkipped)('prints the URL once on connect', async () => {
    server.refused.push({ path: '/claim', status: 404, times: 1 });
    server.add('hello');
    // `fetch` rejects URLs with a password.
    await server.listen(port);
    start(file, isPython ? 'user:secret@' : '');
    await result('job-hello');
    expect(server.registrations).toHaveLength(2);
    expect(output).toBe(`hone: connected to Hone at http://127.0.0.1:${port} as greeter/en\n`);
  });

  test.skipIf(isSkipped)('prints nothing in quiet mode', async () => {
    server.add('hello');
    await startWorking(`quiet-${file}`);
    await result('job-hello');
    expect(output).toBe('');
  });

  const hasNo = (name: string) => isSkipped || !Object.hasOwn(others, name);

  test.skipIf(hasNo('server'))('stops with its server on SIGTERM and signs off', async () => {
    server.add('hello');
    await startWorking(`server-${file}`, isPython ? 2 : 3);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual(stopped);
    expect(server.results.get('job-hello')).toMatchObject({ output: 'hello' });
    expect(server.signedOff.toSorted()).toEqual(isPython ? [expect.any(String)] : ['w', 'x']);
  });

  test.skipIf(hasNo('closing'))('lets an app with a SIGTERM listener end the process', async () => {
    await startWorking(`closing-${file}`, 2);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([7, null]);
    expect(server.signedOff.toSorted()).toEqual(['w', 'x']);
  });

  test.skipIf(hasNo('partial'))('waits for a worker that does not stop on signals', async () => {
    await startWorking(`partial-${file}`, 3);
    worker.kill('SIGTERM');
    await vi.waitFor(() => expect(server.signedOff.toSorted()).toEqual(['w', 'x']), WAIT);
    worker.stdin?.end();
    expect(await once(worker, 'exit')).toEqual([null, 'SIGTERM']);
    expect(server.signedOff.toSorted()).toEqual(['w', 'x', 'y']);
  });

  test.skipIf(hasNo('exiting'))('finishes its jobs before a signal handler of the app raises', async () => {
    server.add('hello');
    await startWorking(`exiting-${file}`, 2);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([3, null]);
    expect(server.results.get('job-hello')).toEqual({ worker: 'w', output: 'hello' });
    expect(server.signedOff).toEqual(['w']);
  });

  test.skipIf(hasNo('ended'))('returns a job claimed after Python can start no more threads', async () => {
    await startWorking(`ended-${file}`);
    server.add('hello');
    expect(await result('job-hello')).toEqual({ worker: 'w', error: GIVEN_BACK });
    await vi.waitFor(() => expect(server.signedOff).toEqual(['w']), WAIT);
  });

  test.skipIf(hasNo('context'))('runs each job with a copy of the context variables of the app', async () => {
    for (const input of ['hello', 'own']) server.add(input);
    await startWorking(`context-${file}`);
    expect(await result('job-hello')).toEqual({ worker: 'w', output: 'small' });
    expect(await result('job-own')).toEqual({ worker: 'w', output: 'small' });
  });

  test.skipIf(hasNo('leaving'))('returns its jobs and signs off if its event loop ends', async () => {
    server.add('hang-1');
    await startWorking(`leaving-${file}`, 2);
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
    expect(server.results.get('job-hang-1')).toEqual({ worker: 'w', error: GIVEN_BACK });
    expect(server.signedOff).toEqual(['w']);
  });

  test.skipIf(isSkipped)('exits without an error if Hone has no sign-off route', async () => {
    server.refused.push({ path: '/sign-off', status: 404, times: 1 });
    await startWorking();
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual(stopped);
    expect(server.refused.map(({ times }) => times)).toEqual([0]);
    expect(output).not.toContain('Not now.');
  });

  test.skipIf(isSkipped || guide === null)('completes a job with the sample from its guide', async () => {
    server.add('Ada');
    await server.listen(port);
    start(`guide-${file}`);
    expect(await result('job-Ada')).toMatchObject({ output: 'Hello Ada! (Be brief.)' });
  });

  test.skipIf(isSkipped)('claims no more jobs than its concurrency limit', async () => {
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

  test.skipIf(isSkipped)('waits while Hone is unavailable and retries to deliver a result', async () => {
    start();
    await vi.waitFor(() => expect(output).toContain('Hone does not respond'), WAIT);
    server.refused.push({ path: '/result', status: 503, times: 1 }, { path: '/result', status: 0, times: 1 });
    server.add('hello');
    await server.listen(port);
    expect(await result('job-hello')).toMatchObject({ output: 'Be brief. hello' });
    expect(server.refused.map(({ times }) => times)).toEqual([0, 0]);
  });

  test.skipIf(isSkipped)('reports the reason if Hone rejects a result, so that the job is not repeated', async () => {
    await startWorking();
    server.refused.push({ path: '/result', status: 400, times: 1 });
    server.add('hello');
    expect(await result('job-hello')).toEqual({ worker: 'w', error: { message: 'Not now.', retry: false } });
    expect(output).toContain('Not now.');
  });

  test.skipIf(isSkipped)('registers again after its target was deleted in Hone', async () => {
    await startWorking();
    server.refused.push({ path: '/claim', status: 404, times: 1 });
    server.add('hello');
    await result('job-hello');
    server.add('more');
    await result('job-more');
    expect(server.registrations).toHaveLength(2);
  });

  test.skipIf(isSkipped)('finishes its jobs on SIGTERM and returns those that take too long', async () => {
    server.add('short');
    server.add('hang-1');
    await startWorking();
    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual(stopped);
    expect(await result('job-short')).toMatchObject({ output: 'Be brief. short' });
    expect(await result('job-hang-1')).toEqual({ worker: 'w', error: GIVEN_BACK });
    if (isPython) expect(output).toContain('stopped');
    expect(server.signedOff).toEqual(['w']);
  });

  test.skipIf(isSkipped)('returns all jobs on SIGTERM if it has no free slot', async () => {
    for (const input of ['hang-1', 'hang-2']) server.add(input);
    await startWorking();
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    expect([...server.results.keys()].toSorted()).toEqual(['job-hang-1', 'job-hang-2']);
  });

  test.skipIf(isSkipped)('exits with the error if Hone rejects it', async () => {
    server.refused.push({ path: '', status: 403, times: 1 });
    await server.listen(port);
    start();
    const [code] = await once(worker, 'exit');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('Not now.') });
  });
});
