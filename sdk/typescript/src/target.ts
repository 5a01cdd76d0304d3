import { HoneError } from './errors.ts';
import type { Api } from './generated/api.ts';
import type { TargetJobResult, TargetJobs } from './generated/types.ts';
import { backOffSeconds, type CallOptions } from './http.ts';
import { nodeProcess, pause, type Signals } from './runtime.ts';
import { type ReportStep, Steps } from './steps.ts';

type Claimed = TargetJobs['jobs'][number];

/** What Hone asks for: one output for one case. `Name` is a component that the app has. */
export type TargetJob<Name extends string = string> = Omit<
  Claimed['input'],
  'target' | 'callbackUrl' | 'components'
> & {
  /** The texts to use, by name. */
  components: Record<Name, string> & Record<string, string>;
  /** From 1: how many times the job was handed out. */
  attempt: number;
  /** Aborted when Hone no longer waits for the job. */
  signal: AbortSignal;
  /** Runs a function and reports it as a step of the trace. Reported steps are not sent if your function returns a `trace`. */
  step: ReportStep;
};

export type TargetOutput = {
  output: string;
  usage?: { inputTokens: number; outputTokens: number; costUsd?: number };
  /** What the app did: text, or any JSON-serializable value. Default: the reported steps. */
  trace?: unknown;
  /** A score of the app's own, from 0 to 1. */
  score?: number;
  feedback?: string;
};

export type TargetFunction<Name extends string = string> = (
  job: TargetJob<Name>,
) => Promise<string | TargetOutput> | string | TargetOutput;

export type TargetOptions<Name extends string = string> = {
  /** Texts that Hone may change, by name, with the text that the app begins with. */
  components?: Record<Name, { text: string; description?: string }>;
  /** Jobs at a time. Default: 4. */
  concurrency?: number;
  /** Stops the worker when it is aborted. */
  signal?: AbortSignal;
  /** How long jobs may go on after the stop, in seconds. Then they are given back. Default: 30. */
  graceSeconds?: number;
  /**
   * Stops on SIGTERM and SIGINT. If the app does not listen to the signal, it then ends the process, and code after the worker does not run.
   * Default: true.
   */
  stopOnSignals?: boolean;
  /** Name of this process. Default: made up. */
  worker?: string;
  /** Called with what your function throws and what else goes wrong while the worker goes on. Default: printed to the console. */
  onError?: (error: unknown) => void;
  /** Suppresses the message on connect. */
  quiet?: boolean;
};

/** Thrown by a target function: the job failed, and another attempt may succeed. */
export class RetryableError extends Error {
  override name = 'RetryableError';
}

type Result = Omit<TargetJobResult, 'worker'>;
type Held = { id: string; leaseSeconds: number; abort: AbortController; done: Promise<void> };

const CLAIM_WAIT_SECONDS = 20;
const CLAIM_MOST = 50;
const ANSWER_SECONDS = 15;
const SIGN_OFF_SECONDS = 3;
/** Characters of an error that Hone takes. */
const LONGEST_MESSAGE = 5_000;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Number of workers in this process. */
let working = 0;
/** Stops each worker that stops on signals. */
const stops = new Set<() => void>();
/** The signal that ends this process after its workers. */
let endedBy: Signals | null = null;

/** Registers a target, then claims and runs jobs until the worker is stopped. Throws if Hone refuses the worker. */
export async function runTarget(
  api: Api,
  url: string,
  name: string,
  run: TargetFunction,
  options: TargetOptions = {},
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  options.signal?.addEventListener('abort', end);
  if (options.signal?.aborted) end();
  working += 1;
  if (options.stopOnSignals ?? true) stopOnSignals(end);
  try {
    await new Worker(api, url, name, run, options, stop.signal).work();
  } finally {
    options.signal?.removeEventListener('abort', end);
    working -= 1;
    stops.delete(end);
    if (stops.size === 0) for (const signal of SIGNALS) nodeProcess?.off?.(signal, stopAll);
    if (working === 0 && endedBy !== null) endProcess(endedBy);
  }
}

function stopOnSignals(end: () => void): void {
  // First, so that listeners that the app added with `once` are still there to count.
  if (stops.size === 0) for (const signal of SIGNALS) nodeProcess?.prependOnceListener?.(signal, stopAll);
  stops.add(end);
}

function stopAll(signal: Signals): void {
  if (nodeProcess?.listenerCount(signal) === 0) endedBy = signal;
  for (const end of stops) end();
}

/** Ends the process as the signal would have without workers. */
function endProcess(signal: Signals): void {
  nodeProcess?.kill(nodeProcess.pid, signal);
  // Process 1 of a container ignores signals without a listener.
  nodeProcess?.exit(signal === 'SIGINT' ? 130 : 143);
}

class Worker {
  readonly #api: Api;
  readonly #url: string;
  readonly #name: string;
  readonly #run: TargetFunction;
  readonly #options: TargetOptions;
  readonly #stop: AbortSignal;
  readonly #stopped: Promise<unknown>;
  readonly #id: string;
  readonly #held = new Map<string, Held>();
  /** Ends the delivery of results and heartbeats for good. */
  readonly #over = new AbortController();

  constructor(api: Api, url: string, name: string, run: TargetFunction, options: TargetOptions, stop: AbortSignal) {
    this.#api = api;
    this.#url = url;
    this.#name = name;
    this.#run = run;
    this.#options = options;
    this.#stop = stop;
    this.#stopped = new Promise((resolve) => stop.addEventListener('abort', resolve));
    this.#id = options.worker ?? `${nodeProcess?.pid ?? 'browser'}-${crypto.randomUUID()}`;
  }

  async work(): Promise<void> {
    const beating = this.#beat();
    let isConnected = false;
    try {
      await this.#persist(() => this.#register(), this.#stop);
      isConnected = true;
      if (!this.#options.quiet) console.error(`hone: connected to Hone at ${this.#url} as ${this.#name}`);
      while (!this.#stop.aborted) await this.#fill();
    } catch (error) {
      if (!this.#stop.aborted) throw error;
    } finally {
      await this.#drain();
      // If Hone is unreachable or has no sign-off route, the worker times out there after a minute.
      if (isConnected) await this.#signOff().catch(() => {});
      this.#over.abort();
      await beating;
    }
  }

  #register(): Promise<unknown> {
    const { components = {} } = this.#options;
    return this.#api.saveTarget(this.#name, { kind: 'sdk', components }, once(this.#stop));
  }

  #signOff(): Promise<unknown> {
    const options = { ...once(this.#over.signal), timeoutSeconds: SIGN_OFF_SECONDS };
    return this.#api.signOffTargetWorker(this.#name, { worker: this.#id }, options);
  }

  /** Claims as many jobs as there is room for, and starts them. */
  async #fill(): Promise<void> {
    const room = (this.#options.concurrency ?? 4) - this.#held.size;
    if (room <= 0) {
      await Promise.race([this.#stopped, ...[...this.#held.values()].map(({ done }) => done)]);
      return;
    }
    const jobs = await this.#persist(() => this.#claim(Math.min(room, CLAIM_MOST)), this.#stop);
    for (const job of jobs) this.#start(job);
  }

  async #claim(max: number): Promise<Claimed[]> {
    try {
      const body = { worker: this.#id, max, waitSeconds: CLAIM_WAIT_SECONDS };
      return (await this.#api.claimTargetJobs(this.#name, body, once(this.#stop, CLAIM_WAIT_SECONDS))).jobs;
    } catch (error) {
      if (!(error instanceof HoneError && error.status === 404)) throw error;
      // The target was deleted in Hone.
      await this.#register();
      return [];
    }
  }

  #start({ id, attempt, leaseSeconds, input }: Claimed): void {
    this.#held.get(id)?.abort.abort();
    const abort = new AbortController();
    const held: Held = { id, leaseSeconds, abort, done: Promise.resolve() };
    const components = this.#withOwn(input.components);
    const steps = new Steps();
    const job = { ...input, components, attempt, signal: abort.signal, step: steps.report };
    held.done = this.#finish(held, job, steps);
    this.#held.set(id, held);
  }

  async #finish(held: Held, job: TargetJob, steps: Steps): Promise<void> {
    const { result, failure } = await this.#perform(job, steps);
    await this.#deliver(held, result).catch((error: unknown) => this.#report(error));
    if (failure !== undefined && !job.signal.aborted) this.#report(failure.error, true);
    if (this.#held.get(held.id) === held) this.#held.delete(held.id);
  }

  /** The texts of a job. Those that the experiment does not name are the app's own. */
  #withOwn(components: Record<string, string>): Record<string, string> {
    const own = Object.entries(this.#options.components ?? {}).map(([name, { text }]) => [name, text]);
    return { ...Object.fromEntries(own), ...components };
  }

  async #perform(job: TargetJob, steps: Steps): Promise<{ result: Result; failure?: { error: unknown } }> {
    try {
      const output = await this.#run(job);
      const made: TargetOutput = typeof output === 'string' ? { output } : { ...output };
      const trace = made.trace ?? steps.trace();
      return { result: trace === undefined ? made : { ...made, trace } };
    } catch (error) {
      const retry = error instanceof RetryableError;
      return { result: { error: { message: describe(error), retry } }, failure: { error } };
    }
  }

  /** Sends a result until Hone has it, or no longer wants it. One that Hone refuses ends the job: it would be refused again. */
  async #deliver({ id, abort }: Held, result: Result): Promise<void> {
    const signal = AbortSignal.any([abort.signal, this.#over.signal]);
    const send = (sent: Result) =>
      this.#persist(
        () => this.#api.answerTargetJob(this.#name, id, { worker: this.#id, ...sent }, once(signal)),
        signal,
      );
    try {
      await send(result);
    } catch (error) {
      if (signal.aborted) return;
      const isGone = error instanceof HoneError && error.status === 404;
      if (isGone || 'error' in result) throw error;
      this.#report(error);
      await send({ error: { message: messageOf(error), retry: false } });
    }
  }

  /** Tells Hone which jobs are still worked on, at a third of their lease. */
  async #beat(): Promise<void> {
    for (;;) {
      const leases = [...this.#held.values()].map(({ leaseSeconds }) => leaseSeconds);
      await pause(leases.length === 0 ? 1 : Math.min(...leases) / 3, this.#over.signal).catch(() => {});
      if (this.#over.signal.aborted) return;
      const jobs = [...this.#held.keys()];
      if (jobs.length === 0) continue;
      try {
        const body = { worker: this.#id, jobs };
        const { lost } = await this.#api.renewTargetJobs(this.#name, body, once(this.#over.signal));
        for (const id of lost) this.#held.get(id)?.abort.abort(new Error('Hone no longer waits for this job.'));
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** Waits for the jobs that are held, and gives back those that take too long. */
  async #drain(): Promise<void> {
    const all = Promise.all([...this.#held.values()].map(({ done }) => done));
    const grace = pause(this.#options.graceSeconds ?? 30, this.#over.signal).catch(() => {});
    await Promise.race([all, grace]);
    const left = [...this.#held.values()];
    for (const { abort } of left) abort.abort(new Error('The worker stops.'));
    const result = { worker: this.#id, error: { message: 'The worker was stopped.', retry: true } };
    const back = left.map(({ id }) => this.#api.answerTargetJob(this.#name, id, result, once(this.#over.signal)));
    await Promise.allSettled(back);
  }

  /** Repeats a request while Hone is away or busy. */
  async #persist<Answer>(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        if (signal.aborted || !(error instanceof HoneError && error.isTemporary)) throw error;
        this.#report(error);
        await pause(error.retryAfterSeconds ?? backOffSeconds(attempt), signal);
      }
    }
  }

  /** An error of the app's own function is printed with its stack trace. */
  #report(error: unknown, isOfFunction = false): void {
    if (this.#over.signal.aborted) return;
    const { onError } = this.#options;
    const print = (text: string) => console.error(`hone: target ${this.#name}: ${text}`);
    if (onError !== undefined)
      (async () => onError(error))().catch((fault) => print(`onError failed: ${traceOf(fault)}`));
    else if (isOfFunction && !(error instanceof RetryableError)) print(`your function failed: ${traceOf(error)}`);
    else print(messageOf(error));
  }
}

/** The stack traces of an error and its cause. Other properties can hold secrets, such as the headers of a request. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const trace = error.stack ?? String(error);
  return error.cause instanceof Error ? `${trace}\nCaused by: ${error.cause.stack}` : trace;
}

/** Options of a request that the worker itself repeats. */
function once(signal: AbortSignal, waitSeconds = 0): CallOptions {
  return { signal, timeoutSeconds: waitSeconds + ANSWER_SECONDS, retries: 0 };
}

/** The message of an error of the app's function, with its type if that says more than `Error`. */
function describe(error: unknown): string {
  const hasType = error instanceof Error && error.name !== 'Error' && !(error instanceof RetryableError);
  return hasType ? `${error.name}: ${error.message}`.slice(0, LONGEST_MESSAGE) : messageOf(error);
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, LONGEST_MESSAGE) || 'The function failed without a message.';
}
