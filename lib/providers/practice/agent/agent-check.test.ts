import { describe, expect, test } from 'vitest';
import { critiqueResponseSchema } from '#lib/core/prompts/critique-prompt.ts';
import { quote } from '#lib/core/prompts/quote.ts';
import { answer } from '../answer.ts';
import { draft } from '../draft.ts';
import { exactTask } from '../exact-task.ts';
import { mentionedFlaws } from '../flaws.ts';

const COURSE = quote('trajectory', 'Turn 1: I begin.\nAction: calculator {}\nObservation: 4');
const SAMPLE = 'Explain our rate limits to a new user';

function check(task: string) {
  return critiqueResponseSchema.parse(JSON.parse(answer('reflect', `${quote('task', task)}\n\n${COURSE}`, true)));
}

describe("the check of an agent's work", () => {
  test('suggests fixing one flaw, which the draft of the model then fixes', () => {
    const { issues, suggestions } = check(SAMPLE);
    expect(issues).toEqual([]);
    expect(suggestions).toHaveLength(1);
    expect(mentionedFlaws(suggestions.join()).length).toBeGreaterThan(0);
    expect(draft(SAMPLE, suggestions)).not.toBe(draft(SAMPLE, []));
  });

  test('suggests nothing for a correct sum and one fix for a wrong one', () => {
    const tasks = Array.from(
      { length: 20 },
      (_, at) => `What is ${5 + at} + ${12 + at} × 3? Answer as Finish[number].`,
    );
    for (const task of tasks) {
      const exact = exactTask(task);
      const isRight = exact?.judge(exact.attempt([])).issues.length === 0;
      expect(check(task).suggestions).toHaveLength(isRight ? 0 : 1);
    }
  });
});

test("the lesson from an agent's attempt is one sentence, even with a trajectory in the prompt", () => {
  const prompt = [quote('task', SAMPLE), COURSE, quote('attempt', draft(SAMPLE, [])), quote('feedback', 'score 0.3')];
  expect(answer('lesson', prompt.join('\n\n'), false)).toMatch(/^Next time, .+\.$/);
});
