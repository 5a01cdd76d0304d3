import { describe, expect, test } from 'vitest';
import { decided, decisionOf, historyOf, settingsOf } from '#lib/core/history-of.test-support.ts';
import { readReflection } from '#lib/core/lesson-form.ts';
import { endReflectionPrompt } from '#lib/core/prompts/end-reflection-prompt.ts';
import { answer } from '#lib/providers/practice/answer.ts';
import { readRetrospective, retrospectivePrompt } from './retrospective-prompt.ts';

const TASK = { input: 'Explain our rate limits to a new user', reference: null, tags: [], metadata: {} };
const settings = settingsOf();

function issue(text: string) {
  return { criterion: null, text };
}

const STEPS = issue('The steps to take are missing.');
const EXAMPLE = issue('There is no example.');
const history = historyOf(settings, [
  { score: 0.5, issues: [STEPS, EXAMPLE] },
  { score: 0.7, issues: [EXAMPLE] },
]);
const nothing = historyOf(settings, [{ score: 0.9 }]);

describe('reflections and retrospectives of the practice model', () => {
  test.each(['failure', 'partial', 'success'] as const)('writes a %s reflection from the issues of the run', (kind) => {
    const [version, evaluation] = [history.versions[1], history.evaluations[1]];
    if (version === undefined || evaluation === undefined) throw new Error('no version');
    const { prompt } = endReflectionPrompt(settings, TASK, history, { kind, version, evaluation });
    const read = readReflection(kind, answer('lesson', prompt, true));
    if (!read.ok) throw new Error(read.reason);
    expect(read.text).toContain(kind === 'success' ? 'The steps to take are missing.' : 'There is no example.');
    expect(read.text).toContain('0.70');
  });

  test.each([true, false])('returns typed lessons from fixed and remaining issues; as JSON: %s', (asJson) => {
    const { prompt } = retrospectivePrompt(settings, TASK, history, {
      reason: 'plateau',
      success: false,
      asText: !asJson,
    });
    const read = readRetrospective(answer('lesson', prompt, asJson));
    if (!read.ok) throw new Error(read.reason);
    const { lessons, leftOut } = read.value;
    expect(leftOut).toBe(0);
    expect(new Set(lessons.map(({ kind }) => kind))).toEqual(
      new Set(['skill_card', 'failure_pattern', 'tool_policy', 'episodic_case', 'principle', 'procedure']),
    );
    expect(lessons.find(({ kind }) => kind === 'skill_card')?.text).toContain('The steps to take are missing.');
    expect(lessons.find(({ kind }) => kind === 'failure_pattern')?.fields.whatHappened).toBe('There is no example.');
    expect(lessons.find(({ kind }) => kind === 'skill_card')?.text).toContain('{topic}');
  });

  test('returns decisions and preferences of people from their guidance', () => {
    const guided = decided(history, decisionOf('revise', { version: 1, guidance: 'Give an example in Kotlin.' }));
    const { prompt } = retrospectivePrompt(settings, TASK, guided, { reason: null, success: false, asText: false });
    const read = readRetrospective(answer('lesson', prompt, true));
    if (!read.ok) throw new Error(read.reason);
    for (const kind of ['decision', 'user_preference'])
      expect(read.value.lessons.find((lesson) => lesson.kind === kind)?.text).toContain('Kotlin');
  });

  test('returns no lessons if the run has no issues', () => {
    const { prompt } = retrospectivePrompt(settings, TASK, nothing, {
      reason: 'quality_met',
      success: true,
      asText: false,
    });
    expect(readRetrospective(answer('lesson', prompt, true))).toEqual({ ok: true, value: { lessons: [], leftOut: 0 } });
  });
});
