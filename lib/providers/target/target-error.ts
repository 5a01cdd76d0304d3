import type { ModelFailure } from '../call/model-caller.ts';

/** A target sent an invalid answer or reported an error. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly failed: Pick<ModelFailure, 'kind' | 'message' | 'remedy'> & { again: boolean };
  constructor(failed: TargetError['failed']) {
    super(failed.message);
    this.failed = failed;
  }
}
