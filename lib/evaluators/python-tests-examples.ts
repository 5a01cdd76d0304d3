/** Tests to start from. */
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
