import { expect, test } from 'vitest';
import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { parseInput } from './parse-input.ts';

test.each([[10n], [{ ten: 10n }], [Number.NaN], [Number.POSITIVE_INFINITY], [new Map()], [Symbol.iterator]])(
  'rejects the number %o',
  (times) => {
    const refused = parseInput(z.strictObject({ times: integerBetween(1, 20) }), { times });
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', field: 'times' } });
  },
);
