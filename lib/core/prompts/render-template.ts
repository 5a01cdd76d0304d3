import type { Case } from '#lib/core/case.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { inputFieldText, KNOWN_VARIABLE, metadataText } from './judge-texts.ts';

/**
 * Fills `{{input}}`, `{{input.field}}` and `{{metadata.name}}` of a user-written prompt from a case. Names without a value are unchanged.
 * Values are not scanned again, so a case cannot inject variables. The reference is not available, because it must not leak.
 */
export function renderTemplate(template: string, task: Case): string {
  return template.replace(KNOWN_VARIABLE, (whole, name: string, path: string | undefined, key: string | undefined) => {
    if (name === 'input') return task.input;
    if (path !== undefined) return inputFieldText(task.input, path) ?? whole;
    return (key === undefined ? null : metadataText(task.metadata, key)) ?? whole;
  });
}

/** Prompt of a model call: the system instructions and the request. */
export type Prompt = Pick<ModelRequest, 'instructions' | 'prompt' | 'messages' | 'closing' | 'files'>;
