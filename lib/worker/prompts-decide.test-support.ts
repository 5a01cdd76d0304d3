import type { PromptTag } from '#lib/core/prompts/quote.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import { listItems, type PromptParts, readPrompt } from '#lib/providers/practice/read-prompt.ts';
import { type Answer, completion } from '#lib/testing/scripted-server.test-support.ts';

/**
 * Models whose responses depend only on the code words (`KEY-…`) in their prompts. `writer` writes every word in its prompt, except those
 * that only occur in its own earlier text. `deaf-writer` uses only issues and lessons, `task-writer` only the task.
 * `critic` names every word in its prompt, but KEY-B instead of KEY-A if KEY-A was named before. `forgetful-critic` ignores earlier
 * attempts. `mute-critic` names nothing. `judge` requires every word in its prompt outside the candidate and suggests the missing ones.
 * `silent-judge` suggests nothing.
 */
export const answerByWords: Answer = (response, body, request) => {
  const { system, user } = messagesOf(body);
  completion(answerTo(String(body.model), system, user))(response, body, request);
};

type ReceivedPrompt = { system: string; user: string; parts: PromptParts };

function answerTo(model: string, system: string, user: string): string {
  const received = { system, user, parts: readPrompt(user) };
  switch (model) {
    case 'writer':
      return written(wordsIn(system, ...partsBut(received, ['draft', 'prior_version'])));
    case 'deaf-writer':
      return written(wordsIn(...['issues' as const, 'lessons' as const].map((tag) => received.parts.get(tag) ?? '')));
    case 'task-writer':
      return written(wordsIn(received.parts.get('task') ?? ''));
    case 'judge':
    case 'silent-judge':
      return judged(received, model === 'judge');
    case 'critic':
    case 'forgetful-critic':
    case 'mute-critic':
      return criticised(received, model);
    default:
      throw new Error(`there is no model ${model}`);
  }
}

function written(words: string[]): string {
  return `A text with ${words.length === 0 ? 'no word' : words.join(' ')}.`;
}

function judged(prompt: ReceivedPrompt, suggests: boolean): string {
  const wanted = wordsIn(prompt.system, ...partsBut(prompt, ['candidate']));
  const missing = wanted.filter((word) => !prompt.parts.get('candidate')?.includes(word));
  const criteria = listItems(prompt.parts.get('criteria')).map((line) => ({
    name: line.split(':')[0],
    score: wanted.length === 0 ? 1 : 1 - missing.length / wanted.length,
    reason: missing.length === 0 ? 'Nothing is missing.' : 'Something is missing.',
    issues: [],
    suggestions: suggests ? missing.map((word) => `Add ${word}.`) : [],
  }));
  return JSON.stringify({ criteria, confidence: 0.9 });
}

function criticised(prompt: ReceivedPrompt, model: string): string {
  const { parts } = prompt;
  const isTried = ['earlier_versions' as const, 'rejected_proposals' as const].some((tag) => parts.has(tag));
  const first = wordsIn(
    ...partsBut(prompt, ['candidate', 'attempt', 'lessons', 'earlier_versions', 'rejected_proposals']),
  );
  const next = first.map((word) => (word === 'KEY-A' && isTried && model === 'critic' ? 'KEY-B' : word));
  const words = model === 'mute-critic' ? [] : next;
  if (parts.has('current_prompt'))
    return proposed(words.length > 0 || model === 'mute-critic' ? words : tried(isTried));
  if (parts.has('attempt')) return `Next time use ${words.join(' ')}.`;
  const issues = words.map((word) => ({ text: `${word} is missing.`, criterion: null, scope: 'whole' }));
  return JSON.stringify({ summary: 'Look at it again.', issues, suggestions: [] });
}

function proposed(words: string[]): string {
  return `It says too little.\n${PROPOSAL_FENCE}\n{{input}} Use ${words.join(' ')}.\n${PROPOSAL_FENCE}`;
}

/** Returns the words that a reflector tries, one after the other, if its prompt contains none. */
function tried(isTried: boolean): string[] {
  return [isTried ? 'KEY-B' : 'KEY-A'];
}

/** Returns the parts of a prompt except some. */
function partsBut({ parts }: ReceivedPrompt, left: PromptTag[]): string[] {
  return [...parts].flatMap(([tag, text]) => (left.includes(tag) ? [] : [text]));
}

function wordsIn(...texts: string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(/\bKEY-[A-Z]+\b/g) ?? []))].sort();
}

function messagesOf(body: Record<string, unknown>): { system: string; user: string } {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const textOf = (role: string) =>
    messages
      .filter((message) => message.role === role)
      .map((message) => contentOf(message.content))
      .join('\n');
  return { system: textOf('system'), user: textOf('user') };
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => String(part.text ?? '')).join('\n') : '';
}
