import { type ScriptedProvider, type ScriptedRequest, startScriptedProvider } from '../scripted-provider.ts';

/** Task that is solved at attempt `solvedAt` (from 1; null = never), given the lessons of all earlier attempts. */
export type LearningTask = { question: string; answer: string; solvedAt: number | null };

/** Fake provider that learns only from the lessons in its prompt and counts its calls by model. */
export type LearningProvider = ScriptedProvider & { actorCalls(): number; lessonCalls(): number };

/**
 * Starts a provider with the models `actor` and `reflector`. With lessons 1 to n-1 in its prompt, the actor makes attempt n. The reflector
 * writes the lesson for the given attempt. A loop that loses a lesson therefore never progresses.
 */
export async function startLearningProvider(tasks: LearningTask[], latencyMs: () => number): Promise<LearningProvider> {
  let actorCalls = 0;
  let lessonCalls = 0;
  const provider = await startScriptedProvider((request) => {
    const { task, number } = taskOf(tasks, request);
    const delayMs = latencyMs();
    if (request.model === 'reflector') {
      lessonCalls++;
      const attempt = Number(/attempt (\d+)/.exec(between(request.prompt, 'attempt'))?.[1] ?? 0);
      return { text: lessonOf(number, attempt), delayMs };
    }
    actorCalls++;
    let attempt = 1;
    while (request.prompt.includes(lessonOf(number, attempt))) attempt++;
    const right = task.solvedAt !== null && attempt >= task.solvedAt;
    return { text: `This is attempt ${attempt}.\nFinish[${right ? task.answer : `guess ${attempt}`}]`, delayMs };
  });
  return { ...provider, actorCalls: () => actorCalls, lessonCalls: () => lessonCalls };
}

function taskOf(tasks: LearningTask[], request: ScriptedRequest): { task: LearningTask; number: number } {
  const number = tasks.findIndex((task) => request.prompt.includes(task.question));
  const task = tasks[number];
  if (task === undefined) throw new Error('the prompt holds no known question');
  return { task, number };
}

function lessonOf(task: number, attempt: number): string {
  return `Lesson ${attempt} of task ${task}: look again at what attempt ${attempt} omitted.`;
}

function between(prompt: string, tag: string): string {
  return prompt.slice(prompt.indexOf(`<${tag}>`), prompt.indexOf(`</${tag}>`));
}

/** Returns the number of tasks solved by attempt 1, 2, …, `maxAttempts`. */
export function expectedCurve(tasks: LearningTask[], maxAttempts: number): number[] {
  return Array.from(
    { length: maxAttempts },
    (_, position) => tasks.filter((task) => task.solvedAt !== null && task.solvedAt <= position + 1).length,
  );
}

/** Returns the number of attempts over all tasks if none is repeated. */
export function expectedAttempts(tasks: LearningTask[], maxAttempts: number): number {
  return tasks.reduce((sum, task) => sum + Math.min(task.solvedAt ?? maxAttempts, maxAttempts), 0);
}
