import { CRITERION_REMEDY, defineCriterion } from './definition.ts';

export const PYTHON_TESTS_EXAMPLES: readonly { name: string; code: string }[] = [
  {
    name: 'functions',
    code: `def test_adds():
    assert add(2, 3) == 5


def test_hidden_negative():
    assert add(-2, -3) == -5
`,
  },
  {
    name: 'unittest',
    code: `import unittest

import solution


class TestAdd(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(solution.add(2, 3), 5)

    def test_refuses_text(self):
        with self.assertRaises(TypeError):
            solution.add(2, "3")
`,
  },
  {
    name: 'tests of each case',
    code: `# metadata.tests of each case holds its own tests
{{metadata.tests}}
`,
  },
];

/**
 * Scored by Python unit tests: the share that passes. Tests whose name starts with `test_hidden` are never shown to models.
 * `{{metadata.x}}` inserts a text of the case, so that each case may have its own tests.
 */
export const pythonTestsCriterion = defineCriterion({
  kind: 'python_tests',
  label: 'Python tests',
  name: 'Python tests',
  summary: () => 'scored by Python tests',
  longText: ({ tests }) => tests,
  fields: {
    tests: {
      type: 'code',
      language: 'python',
      label: 'Python tests',
      help: 'Functions named test_… with assert, or unittest.TestCase. Names of the output are available directly, or with import solution',
      examples: PYTHON_TESTS_EXAMPLES,
    },
    timeoutMs: { type: 'number', label: 'Timeout (ms)', help: '100 to 60,000. Default: 5,000' },
  },
  note: () =>
    'The score is the share of tests that pass. Models see which tests failed and why. They see nothing of tests whose name begins with `test_hidden` or whose class begins with `TestHidden`. The code is the Python code block of the output, or the whole output if there is none. Use `{{metadata.tests}}` to give each case its own tests.',
  knowsAnswer: () => 'always',
  runsPython: true,
  remedy: CRITERION_REMEDY,
});
