import { sentInput, typedText } from '#components/case/typed-input.ts';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import type { TypedCase } from '#lib/prompts/playground-schema.ts';

/** Case in the editor, with a value for each variable. `messages` replace the input unless they are null. */
export type CaseDraft = {
  key: number;
  values: Readonly<Record<string, string>>;
  messages: ChatMessage[] | null;
  reference: string;
};

export const FIRST_CASE: CaseDraft = { key: 0, values: {}, messages: null, reference: '' };

/**
 * Returns the variables that a prompt fills in from a case. Without variables, the input is optional and follows the prompt. A chat prompt
 * always gets the input, even without a variable.
 */
export function variablesOf(text: string): { name: string; label: string; isUsed: boolean }[] {
  const found = templateVariables(text).flatMap(({ name, known }) => (known ? [name] : []));
  const sent = messagesOfPrompt(text) === null ? [] : ['input'];
  const known = [...new Set([...sent, ...found].map((name) => (name.startsWith('input.') ? 'input' : name)))];
  if (known.length === 0) return [{ name: 'input', label: 'Input', isUsed: false }];
  return known.map((name) => ({
    name,
    label: name === 'input' ? 'Input' : name.slice('metadata.'.length),
    isUsed: true,
  }));
}

/** Returns variables in the syntax of other tools, `{{question}}`, with the name Hone uses. */
export function externalVariables(text: string): { name: string; as: string }[] {
  return templateVariables(text).flatMap(({ name, known }) =>
    known || name === 'reference' || !/^[\w-]+$/.test(name) ? [] : [{ name, as: `metadata.${name}` }],
  );
}

/** Renames a foreign variable to the name Hone uses. */
export function renameExternalVariable(text: string, { name, as }: { name: string; as: string }): string {
  return text.replaceAll(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, 'g'), `{{${as}}}`);
}

/** Returns the cases to send, with only the variables that the prompt uses and without empty messages. */
export function toTypedCases(drafts: readonly CaseDraft[], text: string): TypedCase[] {
  const names = variablesOf(text).flatMap(({ name, isUsed }) => (isUsed ? [name] : []));
  return drafts.map(({ values, messages, reference }) => {
    const sent = sentInput({ input: values.input ?? '', messages });
    return {
      ...(typeof sent === 'string' ? { input: sent, messages: null } : { input: '', messages: sent }),
      reference: reference === '' ? null : reference,
      metadata: Object.fromEntries(
        names.flatMap((name) =>
          name === 'input' ? [] : [[name.slice('metadata.'.length), values[name] ?? ''] as const],
        ),
      ),
    };
  });
}

/** Converts the cases of a stored run to editable cases. */
export function toCaseDrafts(cases: readonly TypedCase[]): CaseDraft[] {
  return cases.map(({ input, messages, reference, metadata }, key) => ({
    key,
    messages,
    values: {
      input,
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value])),
    },
    reference: reference ?? '',
  }));
}

/** Returns the keys of cases with an empty required input. Running a prompt with `{{input}}` on them would waste money. */
export function emptyInputs(drafts: readonly CaseDraft[], text: string): number[] {
  const asks = variablesOf(text).some(({ name, isUsed }) => name === 'input' && isUsed);
  return asks ? drafts.flatMap((draft) => (isEmptyInput(draft) ? [draft.key] : [])) : [];
}

function isEmptyInput({ values, messages }: CaseDraft): boolean {
  return typedText({ input: values.input ?? '', messages }).trim() === '';
}
