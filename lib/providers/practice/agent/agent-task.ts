import { listItems, readPrompt } from '../read-prompt.ts';
import type { SeenConversation } from './read-conversation.ts';

/** What an agent works on: the task, and all advice on it. */
export type AgentTask = { task: string; advice: string[] };

/** How a look at its work begins; that it goes on is no advice. */
export const GOES_ON = 'The work goes on';
const PART = '\n\nYour part: ';
const ADVICE = '\n\nAdvice:\n';

/**
 * Reads the task and the advice: lessons and guidance of the prompt, what was said on the way, lessons that a search found, and what a
 * supervisor passed on with a part of a task.
 */
export function agentTask({ prompt, told, uses }: SeenConversation): AgentTask {
  const parts = readPrompt(prompt);
  const whole = (parts.get('task') ?? '').trim();
  const [withPart = '', passedOn = ''] = whole.split(ADVICE, 2);
  const [task = '', part = ''] = withPart.split(PART, 2);
  const found = uses
    .filter(({ tool, isError }) => tool === 'lesson_search' && !isError)
    .map(({ result }) => result ?? '');
  return {
    task,
    advice: [
      ...(['lessons', 'recalled_lessons', 'went_wrong', 'guidance'] as const).flatMap((tag) =>
        listItems(parts.get(tag)),
      ),
      ...listItems(passedOn),
      ...(part === '' ? [] : [part]),
      ...found.flatMap((text) => text.split('\n').filter((line) => /^\d+\. \(/.test(line))),
      ...told
        .flatMap((text) => listItems(readPrompt(text).get('critique')))
        .filter((line) => !line.startsWith(GOES_ON)),
    ],
  };
}

/** A part of a task for a worker, with the advice on it. */
export function taskForWorker({ task, advice }: AgentTask, part: string): string {
  return [
    task,
    ...(part.trim() === '' ? [] : [`${PART}${part.trim()}`]),
    ...(advice.length === 0 ? [] : [ADVICE, advice.map((text) => `- ${text.replace(/\s+/g, ' ').trim()}`).join('\n')]),
  ].join('');
}
