import type { z } from 'zod';
import { showValue } from '#lib/core/show-value.ts';

/**
 * What a person is told where a schema has no words of its own for a problem: what the field must be and what it is. Follows
 * the field's name: "generator must be an object, got nothing".
 */
export function readableIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const got = `got ${showValue(issue.input)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? `of the kind ${issue.expected}`}, ${got}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}, ${got}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    default:
      return undefined;
  }
}

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const UNITS: Record<string, string> = { string: ' characters long', array: ' entries long' };
