import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelRole } from '#lib/reflection/settings.ts';
export function createPracticeModel(_role: ModelRole, _paceMs: number): LanguageModelV4 {
  throw new Error('todo');
}
