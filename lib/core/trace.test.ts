import { describe, expect, test } from 'vitest';
import { MAX_TRACE_LENGTH, shownTrace, traceProblem, traceSteps, traceText } from './trace.ts';

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('trace limits', () => {
  test.each([
    ['no trace', undefined, null],
    ['text', 'searched, then answered', null],
    ['50 levels', nested(50), null],
    ['51 levels', nested(51), 'must be nested at most 50 levels deep'],
    ['a million levels', nested(1_000_000), 'must be nested at most 50 levels deep'],
    ['999,998 characters', 'x'.repeat(999_998), null],
    ['999,999 characters', 'x'.repeat(999_999), 'must have at most 1,000,000 characters'],
  ])('%s', (_name, trace, problem) => {
    expect(traceProblem(trace)).toBe(problem);
  });
});

describe('stored trace', () => {
  test.each([
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['text', 'one\ntwo', 'one\ntwo'],
    ['an object', { steps: ['searched'] }, '{"steps":["searched"]}'],
    ['steps', [{ name: 'search', output: 'a\nb' }, 'done'], '{"name":"search","output":"a\\nb"}\n"done"'],
  ])('from %s', (_name, trace, text) => {
    expect(traceText(trace)).toBe(text);
  });

  test('marks truncated texts and stays readable', () => {
    const [step] = traceText([{ name: 'read', input: { page: 'p'.repeat(3_000) }, output: 'o'.repeat(3_000) }]).split(
      '\n',
    );
    const { name, input, output } = JSON.parse(step ?? '');
    expect(name).toBe('read');
    expect(input.page).toBe(`${'p'.repeat(500)} … (cut)`);
    expect(output).toBe(`${'o'.repeat(500)} … (cut)`);
    expect(traceText('x'.repeat(MAX_TRACE_LENGTH + 1))).toBe(`${'x'.repeat(MAX_TRACE_LENGTH)} … (cut)`);
  });

  test('omits steps in the middle and barely exceeds its limit', () => {
    const steps = Array.from({ length: 1_000 }, (_, at) => ({ name: `step ${at}`, output: 'x'.repeat(at) }));
    const lines = traceText(steps).split('\n');
    expect(lines[0]).toContain('step 0');
    expect(lines.at(-1)).toContain('step 999');
    expect(lines.filter((line) => /^… \d+ steps left out …$/.test(line))).toHaveLength(1);
    const odd = [nested(50), Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`key ${at}`, at])), '\ud800'];
    for (const trace of [steps, odd, [odd, odd, odd, odd], { odd }, 'x'.repeat(999_000)])
      expect(traceText(trace).length).toBeLessThan(MAX_TRACE_LENGTH + 200);
  });
});

describe('steps of a stored trace', () => {
  const trace = traceText(
    Array.from({ length: 1_000 }, (_, at) => ({ name: `step ${at + 1}`, output: 'x'.repeat(80) })),
  );

  test('are numbered by their position in the whole trace', () => {
    const steps = traceSteps(trace);
    const named = steps.filter(({ fields }) => fields !== null);
    expect(named.length).toBeLessThan(200);
    for (const { number, fields } of named) expect(fields?.name).toBe(`step ${number}`);
    expect(steps.flatMap(({ omitted }) => omitted ?? [])).toEqual([1_000 - named.length]);
  });

  test('merges omitted steps into one count if a prompt omits more of them', () => {
    const shown = shownTrace(trace, [], 4_000) as (string | { step: number; name: string })[];
    const named = shown.filter((step) => typeof step === 'object');
    expect(shown.filter((step) => typeof step === 'string')).toEqual([`… ${1_000 - named.length} steps left out …`]);
    for (const { step, name } of named) expect(name).toBe(`step ${step}`);
  });
});

describe('trace in a prompt', () => {
  const steps = (...named: { name: string; component?: string; output?: string }[]) => traceText(named);

  test('lists the steps of the improved components first, with their positions', () => {
    const trace = steps(
      { name: 'plan', component: 'planner' },
      { name: 'search', component: 'query' },
      { name: 'answer' },
    );
    expect(shownTrace(trace, ['query'], 8_000)).toEqual([
      { step: 2, name: 'search', component: 'query' },
      { step: 1, name: 'plan', component: 'planner' },
      { step: 3, name: 'answer' },
    ]);
    expect(shownTrace(trace, [], 8_000)).toMatchObject([{ step: 1 }, { step: 2 }, { step: 3 }]);
  });

  test('omits steps of other components first', () => {
    const long = (name: string, component: string) => ({ name, component, output: 'x'.repeat(900) });
    const trace = steps(long('a', 'other'), long('b', 'query'), long('c', 'other'), long('d', 'other'));
    expect(shownTrace(trace, ['query'], 2_200)).toEqual([
      { step: 2, ...long('b', 'query') },
      '… 1 step left out …',
      { step: 3, ...long('c', 'other'), output: `${'x'.repeat(500)} … (cut)` },
      { step: 4, ...long('d', 'other'), output: `${'x'.repeat(500)} … (cut)` },
    ]);
    expect(shownTrace(trace, ['query'], 1_000)).toEqual([expect.objectContaining({ step: 2 }), '… 3 steps left out …']);
  });

  test('uses the step position, not an app field with the same name', () => {
    expect(shownTrace('{"step":9,"name":"a"}\n{"name":"b"}', [], 8_000)).toEqual([
      { step: 1, name: 'a' },
      { step: 2, name: 'b' },
    ]);
  });

  test('marks a truncated long line', () => {
    expect(shownTrace(`${'x'.repeat(9_000)}\nend`, [], 1_000)).toBe(`${'x'.repeat(500)} … (cut)\nend`);
    expect(shownTrace('x'.repeat(9_000), [], 1_000)).toBe(`${'x'.repeat(1_000)} … (cut)`);
  });

  test('is text if it has no steps', () => {
    expect(shownTrace('one\ntwo', ['query'], 8_000)).toBe('one\ntwo');
    expect(String(shownTrace('line\n'.repeat(5_000), [], 8_000))).toMatch(/… \d+ lines left out …/);
  });

  test('uses the whole limit for a single step', () => {
    const [shown] = shownTrace(traceText([{ name: 'a', output: 'x'.repeat(3_000) }]), [], 1_500) as [
      { output: string },
    ];
    expect(shown.output.length).toBeGreaterThan(400);
    expect(String(shownTrace(`{"name":"a","tries":[${'1,'.repeat(3_000)}1]}`, [], 2_000)).length).toBeGreaterThan(
      1_500,
    );
  });

  test('uses most of its length limit and does not exceed it', () => {
    const many = Array.from({ length: 200 }, (_, at) => ({
      name: `${at}`,
      component: at % 2 ? 'a' : 'b',
      output: 'x'.repeat(70),
    }));
    for (const longest of [1_000, 4_000, 8_000]) {
      const { length } = JSON.stringify(shownTrace(traceText(many), ['a'], longest));
      expect(length).toBeGreaterThan(longest / 2);
      expect(length).toBeLessThan(longest + 200);
    }
  });
});
