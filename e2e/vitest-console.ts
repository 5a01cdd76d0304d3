import { afterEach, beforeEach } from 'vitest';

// Fails a test on unexpected console errors. A test that expects one replaces console.error (`vi.spyOn(console,
// 'error').mockImplementation(…)`).
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
