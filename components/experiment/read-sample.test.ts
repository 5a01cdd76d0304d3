import { describe, expect, test } from 'vitest';
import { NO_SAMPLE, readSample } from './read-sample.ts';

describe('readSample', () => {
  test.each([
    {
      name: 'an empty sample',
      sample: {},
      sent: { earlier: null, case: { input: '', reference: null, metadata: {} } },
    },
    {
      name: 'a complete sample',
      sample: { output: 'o', input: 'i', reference: 'r', metadata: ' {"a": [1]} ', earlier: 'e' },
      sent: { output: 'o', earlier: 'e', case: { input: 'i', reference: 'r', metadata: { a: [1] } } },
    },
  ])('$name', ({ sample, sent }) => {
    expect(readSample({ ...NO_SAMPLE, ...sample })).toMatchObject({ ok: true, value: sent });
  });

  test.each(['{', '[1]', '7', 'null', '"text"'])('rejects the metadata %s under its field', (metadata) => {
    expect(readSample({ ...NO_SAMPLE, metadata })).toMatchObject({ ok: false, problem: { field: 'case.metadata' } });
  });
});
