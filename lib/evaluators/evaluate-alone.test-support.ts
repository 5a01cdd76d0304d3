import type { Evaluate } from '#lib/core/evaluate-request.ts';
import { evaluateOutput } from './evaluate-output.ts';
import { NO_SERVICES } from './evaluator.ts';

/** The evaluators for a loop outside of an installation: what needs one (its webhooks) stays unscored and says so. */
export const evaluateAlone: Evaluate = (request) => evaluateOutput({ ...request, ...NO_SERVICES });
