import { isRecord } from '#lib/core/is-record.ts';
import type { EditedPrompt } from './use-prompt-draft.ts';

/**
 * Parses the prompt from browser storage, whose JSON texts may be incomplete. Null if missing or invalid. Needs no validator library, so
 * that a page reads the prompt before it is edited.
 */
export function readStoredPrompt(stored: string | null): EditedPrompt | null {
  try {
    const value: unknown = JSON.parse(stored ?? '');
    return isEditedPrompt(value) ? value : null;
  } catch {
    return null;
  }
}

function isEditedPrompt(value: unknown): value is EditedPrompt {
  const options = fieldOf(value, 'options');
  const tools = fieldOf(options, 'tools');
  return (
    hasTexts(value, ['text']) &&
    hasTexts(fieldOf(options, 'responseSchema'), ['name', 'schema']) &&
    Array.isArray(tools) &&
    tools.every(
      (tool) => hasTexts(tool, ['name', 'description', 'parameters']) && typeof fieldOf(tool, 'key') === 'number',
    )
  );
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof fieldOf(value, name) === 'string');
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
