import { HoneError } from './errors.ts';
import type { Api } from './generated/api.ts';
import type { TargetJobResult, TargetJobs } from './generated/types.ts';
import { backOffSeconds, type CallOptions } from './http.ts';
import { nodeProcess, pause, type Signals } from './runtime.ts';
import { type ReportStep, Steps } from './steps.ts';

type Claimed = TargetJobs['jobs'][number];

/** A job of a target: one output for one case. `Name` is a component of the app. */
export type TargetJob<Name extends string = string> = Omit<
  Claimed['input'],
  'target' | 'callbackUrl' | 'components'
> & {
  /** The texts to use, by name. */
  components: Record<Name, string> & Record<string, string>;
  /** Number of the attempt at this job, from 1. */
  attempt: number;
  /** Aborted when Hone no longer waits for the job. */
  signal: AbortSignal;
  /** Runs a function and reports it as a step of the trace. Reported steps are not sent if your function returns a `trace`. */
  step: ReportStep;
};

export type TargetOutput = {
  output: string;
  usage?: { inputTokens: number; outputTokens: number; costUsd?: number };
  /** Trace of the app: text, or any JSON-serializable value. Default: the reported steps. */
  trace?: unknown;
  /** A score of the app's own, from 0 to 1. */
  score?: number;
  feedback?: string;
};

export type TargetFunction<Name extends string = string> = (
  job: TargetJob<Name>,
) => Promise<string | TargetOutput> | string | TargetOutput;

export type TargetOptions<Name extends string = string> = {
  /** Texts that Hone may change, by name, with the initial text of the app. */
  components?: Record<Name, { text: string; description?: string }>;
  /** Maximum number of concurrent jobs. Default: 4. */
  concurrency?: number;
  /** Stops the worker when aborted. */
  signal?: AbortSignal;
  /** Seconds that jobs may continue after the stop before they are released. Default: 30. */
  graceSeconds?: number;
  /**
   * Stops on SIGTERM and SIGINT. The process then exits without running code after the worker, unless the app listens to the signal.
   * Default: true.
   */
  stopOnSignals?: boolean;
  /** Name of this process. Default: generated. */
  worker?: string;
  /** Called with errors of your function and other errors that do not stop the worker. Default: printed to the console. */
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
/** Maximum characters of an error message. */
const LONGEST_MESSAGE = 5_000;

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Number of workers in this process. */
let working = 0;
/** Callbacks that stop the workers that stop on signals. */
const stops = new Set<() => void>();
/** The signal that ends this process after its workers stop. */
let endedBy: Signals | null = null;

/** Registers a target, then claims and runs jobs until the worker is stopped. Throws if Hone rejects the worker. */
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
  // Runs first, while listeners that the app added with `once` can still be counted.
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
  /** Stops the delivery of results and heartbeats permanently. */
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
      // If Hone is unreachable or has no sign-off route, the worker times out in Hone after a minute.
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

  /** Claims as many jobs as the concurrency allows and starts them. */
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
    const lease: Held = { id, leaseSeconds, abort, done: Promise.resolve() };
    const components = this.#withOwn(input.components);
    const steps = new Steps();
    const job = { ...input, components, attempt, signal: abort.signal, step: steps.report };
    lease.done = this.#finish(lease, job, steps);
    this.#held.set(id, lease);
  }

  async #finish(lease: Held, job: TargetJob, steps: Steps): Promise<void> {
    const { result, failure } = await this.#perform(job, steps);
    await this.#deliver(lease, result).catch((error: unknown) => this.#report(error));
    if (failure !== undefined && !job.signal.aborted) this.#report(failure.error, true);
    if (this.#held.get(lease.id) === lease) this.#held.delete(lease.id);
  }

  /** Returns the texts of a job, with the text of the app for components that the experiment does not set. */
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

  /** Sends a result until Hone accepts it or no longer needs it. A rejected result ends the job, because it would be rejected again. */
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
      const isDeleted = error instanceof HoneError && error.status === 404;
      if (isDeleted || 'error' in result) throw error;
      this.#report(error);
      await send({ error: { message: messageOf(error), retry: false } });
    }
  }

  /** Sends heartbeats for the jobs in progress, at a third of their lease. */
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

  /** Waits for the claimed jobs, and releases those that exceed the grace period. */
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

  /** Retries a request while Hone is unavailable or busy. */
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

  /** Prints errors of the function of the app with their stack trace. */
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

/** Returns the stack traces of an error and its cause. Omits other properties, which can hold secrets such as request headers. */
function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return messageOf(error);
  const trace = error.stack ?? String(error);
  return error.cause instanceof Error ? `${trace}\nCaused by: ${error.cause.stack}` : trace;
}

/** Returns the options of a request that the worker retries itself. */
function once(signal: AbortSignal, waitSeconds = 0): CallOptions {
  return { signal, timeoutSeconds: waitSeconds + ANSWER_SECONDS, retries: 0 };
}

/** Returns the message of an error of the function, with its type if that is more specific than `Error`. */
function describe(error: unknown): string {
  const hasType = error instanceof Error && error.name !== 'Error' && !(error instanceof RetryableError);
  return hasType ? `${error.name}: ${error.message}`.slice(0, LONGEST_MESSAGE) : messageOf(error);
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, LONGEST_MESSAGE) || 'The function failed without a message.';
}
