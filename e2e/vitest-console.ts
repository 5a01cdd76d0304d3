import { afterEach, beforeEach } from 'vitest';

// An error on the console that the test did not expect fails it. A test that expects one replaces console.error itself
// (`vi.spyOn(console, 'error').mockImplementation(…)`).
const original = console.error;
let printed: string[] = [];

beforeEach(() => {
  printed = [];
  console.error = (...values: unknown[]) => {
    printed.push(values.map(String).join(' '));
    original(...values);
  };
});

afterEach(() => {
  console.error = original;
  if (printed.length > 0) throw new Error(`the test printed to console.error:\n${printed.join('\n')}`);
});
