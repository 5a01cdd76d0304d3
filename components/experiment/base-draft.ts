import type { BaseSettings, WorkerSettings } from '#lib/core/agents/base-settings.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { linesOf, read, typed } from './draft-entries.ts';

/** How an attempt is made while it is edited; entries of a base that is not chosen stay as they were. */
export type BaseDraft = {
  type: BaseSettings['type'];
  tools: string[];
  approve: string[];
  /** One a line. */
  httpHosts: string;
  maxSteps: string;
  stallAfter: string;
  workers: WorkerDraft[];
};

export type WorkerDraft = {
  key: number;
  name: string;
  description: string;
  instructions: string;
  /** Null: as the supervisor's. */
  model: ModelReference | null;
  tools: string[];
  maxSteps: string;
};

/** A worker without a name; `key` tells it from its neighbours. */
export function newWorker(workers: readonly WorkerDraft[]): WorkerDraft {
  const key = Math.max(-1, ...workers.map((worker) => worker.key)) + 1;
  return { key, name: '', description: '', instructions: '', model: null, tools: [], maxSteps: '6' };
}

/** A draft that holds what a base says. */
export function toBaseDraft(base: BaseSettings): BaseDraft {
  switch (base.type) {
    case 'single':
      return { type: 'single', tools: [], approve: [], httpHosts: '', maxSteps: '10', stallAfter: '3', workers: [] };
    case 'react':
      return { type: 'react', ...usedBy(base), workers: [] };
    case 'supervisor':
      return { type: 'supervisor', ...usedBy(base), workers: base.workers.map(toWorkerDraft) };
  }
}

/** What is sent of a base: only what its type has a use for. */
export function fromBaseDraft(draft: BaseDraft) {
  const agent = {
    tools: draft.tools,
    // What is asked about is offered for chosen tools only; a tick at one that was taken out since means nothing.
    approve: draft.approve.filter((name) => toolsOfDraft(draft).includes(name)),
    httpHosts: linesOf(draft.httpHosts).map((line) => line.trim()),
    maxSteps: read(draft.maxSteps),
    stallAfter: read(draft.stallAfter),
  };
  switch (draft.type) {
    case 'single':
      return { type: draft.type };
    case 'react':
      return { type: draft.type, ...agent };
    case 'supervisor':
      return { type: draft.type, workers: draft.workers.map(fromWorkerDraft), ...agent };
  }
}

/** The tools that any agent of the draft may use, each once. */
export function toolsOfDraft({ type, tools, workers }: BaseDraft): string[] {
  switch (type) {
    case 'single':
      return [];
    case 'react':
      return tools;
    case 'supervisor':
      return [...new Set([...tools, ...workers.flatMap((worker) => worker.tools)])];
  }
}

function usedBy({ tools, approve, httpHosts, maxSteps, stallAfter }: Exclude<BaseSettings, { type: 'single' }>) {
  return {
    tools,
    approve,
    httpHosts: httpHosts.join('\n'),
    maxSteps: typed(maxSteps),
    stallAfter: typed(stallAfter),
  };
}

function toWorkerDraft(worker: WorkerSettings, key: number): WorkerDraft {
  const { name, description, instructions, provider, model, tools, maxSteps } = worker;
  const own = provider === null && model === null ? null : { provider: provider ?? '', model: model ?? '' };
  return { key, name, description, instructions, model: own, tools, maxSteps: typed(maxSteps) };
}

/** What is sent of a worker. */
export function fromWorkerDraft({ name, description, instructions, model, tools, maxSteps }: WorkerDraft) {
  return {
    name,
    description,
    instructions,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    tools,
    maxSteps: read(maxSteps),
  };
}
