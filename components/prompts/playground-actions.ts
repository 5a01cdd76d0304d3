import type { Result } from '#lib/core/problem.ts';

/** What the page of a prompt can have done, bound to the prompt's name. */
export type PlaygroundActions = {
  saveVersion: (input: {
    text: string;
    message: string;
    parent: number;
    latest: number;
  }) => Promise<Result<{ name: string; version: number }>>;
  changeSetup: (setup: unknown) => Promise<Result<unknown>>;
};
