import { HoneError } from './errors.ts';
import { Api } from './generated/api.ts';
import type {
  Batch,
  Created,
  CreatedDataset,
  DatasetListItem,
  Decided,
  DecisionInput,
  Experiment,
  ExperimentInput,
  NewCase,
  Run,
  RunListItem,
  StartInput,
  TriedCriterion,
  TriedRecall,
  TryCriterionInput,
  TryRecallInput,
} from './generated/types.ts';
import { type CallOptions, type HoneOptions, Http, type ServerEvent } from './http.ts';
import { Prompts } from './prompts.ts';
import { pause } from './runtime.ts';
import { runTarget, type TargetFunction, type TargetOptions } from './target.ts';

/** A client of Hone. `api` has every operation; the other members cover the most common ones. */
export class Hone {
  readonly api: Api;
  readonly experiments: Experiments;
  readonly runs: Runs;
  readonly lessons: Lessons;
  readonly prompts: Prompts;
  readonly datasets: Datasets;
  readonly exports: Exports;
  readonly #url: string;

  constructor(options: HoneOptions = {}) {
    const http = new Http(options);
    this.#url = http.url;
    this.api = new Api(http);
    this.experiments = new Experiments(this.api);
    this.runs = new Runs(this.api);
    this.lessons = new Lessons(this.api);
    this.prompts = new Prompts(this.api);
    this.datasets = new Datasets(this.api);
    this.exports = new Exports(this.api);
  }

  /** Scores an output by one criterion. Stores nothing. Without a generator, judges use the default model of Hone. */
  async score(
    input: Omit<TryCriterionInput, 'generator'> & Partial<Pick<TryCriterionInput, 'generator'>>,
    options?: CallOptions,
  ): Promise<TriedCriterion> {
    const generator = input.generator ?? (await this.#defaultGenerator(options));
    return this.api.tryCriterion({ ...input, generator }, options);
  }

  /**
   * Offers a function to Hone and runs it for each job, until the signal is aborted or the process gets SIGTERM or SIGINT. Do not
   * await it in a server: code after the `await` runs when the worker has stopped.
   */
  target<Name extends string = string>(
    name: string,
    run: TargetFunction<Name>,
    options?: TargetOptions<Name>,
  ): Promise<void> {
    return runTarget(this.api, this.#url, name, run, options);
  }

  async #defaultGenerator(options?: CallOptions): Promise<TryCriterionInput['generator']> {
    const { generator } = await this.api.getDefaultModels(options);
    if (generator !== null) return generator;
    const remedy = 'Choose one in Settings > Models, or send generator.';
    throw new HoneError({
      status: 0,
      code: 'invalid',
      message: 'Hone has no default model.',
      field: 'generator',
      remedy,
    });
  }
}

/** The runs to start: one input, a list of cases or a dataset, in an existing or a new experiment. */
export type ExperimentRun = StartInput & { experiment: string | ExperimentInput };

export type FollowOptions = {
  /** Called with each change of the batch. */
  onProgress?: (batch: Batch) => void;
  signal?: AbortSignal;
  /** Polling interval in seconds. Default: 1. */
  pollSeconds?: number;
};

export type ExperimentResult = {
  experimentId: string;
  batchId: string;
  runIds: string[];
  /** The share of solved runs with its 95% confidence interval, over `n` runs. Null if no run has a score. */
  solved: Batch['report']['solvedShare'];
  /** The mean best score over `n` runs. Null if no run has a score. */
  bestScore: Batch['report']['bestScore'];
  costUsd: number;
  batch: Batch;
};

/** Retries while Hone restarts. They take about two minutes. */
const RESTART_RETRIES = 10;

class Experiments {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  create(settings: ExperimentInput, options?: CallOptions): Promise<Created> {
    return this.#api.createExperiment(settings, options);
  }

  get(id: string, options?: CallOptions): Promise<Experiment> {
    return this.#api.getExperiment(id, options);
  }

  /** Starts runs and follows them to the end, including runs that wait for a decision. */
  async run({ experiment, ...start }: ExperimentRun, options: FollowOptions = {}): Promise<ExperimentResult> {
    const call = options.signal === undefined ? {} : { signal: options.signal };
    const experimentId = typeof experiment === 'string' ? experiment : (await this.create(experiment, call)).id;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const { batchId, runIds } = await this.#api.startRuns(experimentId, start, { ...call, headers });
    const batch = await this.follow(batchId, options);
    const { solvedShare: solved, bestScore, costUsd } = batch.report;
    return { experimentId, batchId, runIds, solved, bestScore, costUsd, batch };
  }

  /** Follows a batch to its end. Throws a HoneError with the code `held` if it waits until somebody resumes it. */
  async follow(batchId: string, options: FollowOptions = {}): Promise<Batch> {
    const { onProgress, signal, pollSeconds = 1 } = options;
    let call: CallOptions = signal === undefined ? {} : { signal };
    let seen = '';
    for (;;) {
      const batch = await this.#api.getBatch(batchId, call);
      call = { ...call, retries: RESTART_RETRIES };
      const state = JSON.stringify([batch.status, batch.counts, batch.report]);
      if (state !== seen) onProgress?.(batch);
      seen = state;
      if (batch.status === 'finished') return batch;
      if (batch.held !== null) {
        const { message, remedy } = batch.held;
        throw new HoneError({ status: 409, code: 'held', message, remedy: `${remedy} Then resume batch ${batchId}.` });
      }
      await pause(pollSeconds, signal);
    }
  }
}

const ENDED: Run['status'][] = ['finished', 'failed', 'stopped'];
const RECONNECT_SECONDS = 1;

class Runs {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  get(id: string, options?: CallOptions): Promise<Run> {
    return this.#api.getRun(id, {}, options);
  }

  /** Iterates over all matching runs, newest first. Loads further pages on demand. */
  list(query: Parameters<Api['listRuns']>[0] = {}): AsyncGenerator<RunListItem> {
    return pages((cursor) => this.#api.listRuns({ ...query, ...cursor }));
  }

  /** Decides on a waiting run, gives a score, or overrides one. */
  decide(id: string, decision: DecisionInput, options?: CallOptions): Promise<Decided> {
    return this.#api.decideRun(id, decision, options);
  }

  /** Streams the events of a run from its first until its end. Continues after a lost connection or a restart of Hone. */
  async *events(id: string, options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    const again = { retries: RESTART_RETRIES, ...options };
    const query: { lastEventId?: string } = {};
    for (let isFirst = true, hasEnded = false; ; isFirst = false) {
      try {
        for await (const event of this.#api.streamRunEvents(id, query, isFirst ? options : again)) {
          if (event.id !== null) query.lastEventId = event.id;
          yield event;
        }
      } catch (error) {
        if (!(error instanceof HoneError && error.code === 'interrupted')) throw error;
        hasEnded = false;
      }
      // The stream also ends when Hone stops. After the end of the run, it is read once more for events in between.
      if (hasEnded) return;
      hasEnded = ENDED.includes((await this.#api.getRun(id, {}, again)).status);
      if (!hasEnded) await pause(RECONNECT_SECONDS, options.signal);
    }
  }
}

class Lessons {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Returns the promoted lessons that match an input, and the prompt text that contains them. */
  recall(input: string, query: Omit<TryRecallInput, 'input'> = {}, options?: CallOptions): Promise<TriedRecall> {
    return this.#api.tryRecall({ ...query, input }, options);
  }
}

class Datasets {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Iterates over all datasets, newest first. */
  list(query: Parameters<Api['listDatasets']>[0] = {}): AsyncGenerator<DatasetListItem> {
    return pages((cursor) => this.#api.listDatasets({ ...query, ...cursor }));
  }

  create(name: string, cases: NewCase[], options?: CallOptions): Promise<CreatedDataset> {
    return this.#api.createDataset({ name, cases }, {}, options);
  }

  addCases(id: string, cases: NewCase[], options?: CallOptions): Promise<CreatedDataset> {
    return this.#api.addCases(id, cases, {}, options);
  }

  /** Iterates over all cases of a dataset, given by id or name. */
  async *cases(idOrName: string, query: Parameters<Api['listCases']>[1] = {}) {
    const id = await this.#idOf(idOrName);
    yield* pages((cursor) => this.#api.listCases(id, { ...query, ...cursor }));
  }

  async #idOf(idOrName: string): Promise<string> {
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(idOrName)) return idOrName;
    for await (const { id, name } of this.list({ search: idOrName })) if (name === idOrName) return id;
    throw new HoneError({ status: 404, code: 'not_found', message: `There is no dataset named ${idOrName}.` });
  }
}

class Exports {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Exports the ended runs of an experiment: full histories as JSON Lines, or tables as CSV. */
  runs(experimentId: string, format: 'jsonl' | 'runs' | 'versions' = 'jsonl'): Promise<string> {
    return textOf(this.#api.exportRuns({ experimentId, format }));
  }

  dataset(id: string, format: 'jsonl' | 'csv' = 'jsonl'): Promise<string> {
    return textOf(this.#api.exportDataset(id, { format }));
  }

  /** Exports the lesson library as JSON Lines. */
  lessons(): Promise<string> {
    return textOf(this.#api.exportLessons({ format: 'jsonl' }));
  }

  /** Exports a report of the ended runs as one HTML file. */
  report(experimentId: string): Promise<string> {
    return textOf(this.#api.exportReport(experimentId));
  }
}

async function textOf(response: Promise<Response>): Promise<string> {
  return (await response).text();
}

/** Iterates over the items of all pages of a list. */
async function* pages<Item>(
  read: (cursor: { cursor?: string }) => Promise<{ items: Item[]; nextCursor: string | null }>,
): AsyncGenerator<Item> {
  let next: string | null = null;
  do {
    const page: { items: Item[]; nextCursor: string | null } = await read(next === null ? {} : { cursor: next });
    yield* page.items;
    next = page.nextCursor;
  } while (next !== null);
}
