import type { PlaygroundAnswer, PlaygroundEvent, PlaygroundRun } from '#lib/prompts/playground-schema.ts';

/** State of an output. `stopped`: partial text of a run that was stopped or failed. */
export type TypedAnswer =
  | { state: 'waiting' }
  | { state: 'writing' | 'stopped'; text: string }
  | Extract<PlaygroundAnswer, { state: 'made' }>
  | (Extract<PlaygroundAnswer, { state: 'failed' }> & { text: string });

/** Outputs by model and case. */
export type TypedAnswers = ReadonlyMap<string, TypedAnswer>;

export function answerKey(model: number, index: number): string {
  return `${model} ${index}`;
}

/** Applies an event of a run to the outputs. */
export function withAnswer(answers: TypedAnswers, event: PlaygroundEvent): TypedAnswers {
  if (event.type === 'begin' || event.type === 'end' || event.type === 'kept') return answers;
  const key = answerKey(event.model, event.position);
  const before = answers.get(key);
  const written = before?.state === 'writing' ? before.text : '';
  const cell = { model: event.model, case: event.position };
  switch (event.type) {
    case 'text':
      return new Map(answers).set(key, { state: 'writing', text: written + event.piece });
    case 'failed':
      return new Map(answers).set(key, {
        ...cell,
        ...{ state: 'failed', message: event.message, remedy: event.remedy, text: written },
      });
    case 'proof':
      return new Map(answers).set(key, { ...event.proof, ...cell, state: 'made' });
  }
}

/** Returns the outputs after a run ended early. Partial text is kept. */
export function closeOpenAnswers(answers: TypedAnswers): TypedAnswers {
  return new Map(
    [...answers].flatMap(([key, answer]): [string, TypedAnswer][] => {
      if (answer.state === 'waiting') return [];
      return [[key, answer.state === 'writing' ? { state: 'stopped', text: answer.text } : answer]];
    }),
  );
}

/** Returns true if no output is expected any longer. */
export function areAllSettled(answers: TypedAnswers): boolean {
  return [...answers.values()].every(({ state }) => state === 'made' || state === 'failed');
}

/** Returns the outputs of a stored run. */
export function answersOf({ answers }: Pick<PlaygroundRun, 'answers'>): TypedAnswers {
  return new Map(
    answers.map((answer) => [
      answerKey(answer.model, answer.case),
      answer.state === 'failed' ? { ...answer, text: '' } : answer,
    ]),
  );
}
