import { z } from 'zod';
import { calculate } from '#lib/calculator/calculate.ts';
import { FUNCTION_NAMES } from '#lib/calculator/fraction.ts';
import type { Tool } from './toolbox.ts';

const inputSchema = z.object({ expression: z.string() });

/** Calculator tool for models. Exact for fractions and decimals of any length, see `calculate`. */
export const calculatorTool: Tool = {
  definition: {
    name: 'calculator',
    description: `Calculates one expression and returns its value. Operators: + - * / ^, % (remainder, or per cent at the end of a number), !; parentheses; pi, e; ${FUNCTION_NAMES.join(', ')} (angles in radians, log is to base 10, round(x, decimals)). No variables, no units, no commas in numbers. Example: (12.5 + 7) * 3 ^ 2`,
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'What to calculate, such as 3 * (4 + 5) / 2' } },
      required: ['expression'],
      additionalProperties: false,
    },
  },
  timeoutMs: null,
  async run(input) {
    const { expression } = inputSchema.parse(input);
    const calculated = calculate(expression);
    if (!calculated.ok)
      return { status: 'failed', text: `The expression could not be calculated: ${calculated.problem}.` };
    return { status: 'ok', text: calculated.isExact ? calculated.text : `${calculated.text} (rounded)` };
  },
};
