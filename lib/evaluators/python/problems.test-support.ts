/**
 * A small programming task with tests, a correct solution and one with a common mistake. `fails` is a visible test that the mistake fails.
 */
export type Problem = { name: string; task: string; tests: string; right: string; wrong: string; fails: string };

/** Twenty custom tasks, similar to those of code benchmarks. */
export const PROBLEMS: Problem[] = [
  problem(
    'longest_plateau',
    'Length of the longest run of equal neighbours in a list; 0 for an empty one.',
    'longest_plateau',
    {
      right:
        'def longest_plateau(xs):\n    best = run = 0\n    for i, x in enumerate(xs):\n        run = run + 1 if i and xs[i - 1] == x else 1\n        best = max(best, run)\n    return best',
      wrong:
        'def longest_plateau(xs):\n    best = run = 1\n    for a, b in zip(xs, xs[1:]):\n        run = run + 1 if a == b else 1\n        best = max(best, run)\n    return best',
      visible: ['[1, 1, 2, 2, 2]', '3', '[]', '0'],
      hidden: ['[7]', '1'],
    },
  ),
  problem(
    'initials',
    'The initials of a name in capitals, each with a point; words are parted by any white space.',
    'initials',
    {
      right: "def initials(name):\n    return ''.join(word[0].upper() + '.' for word in name.split())",
      wrong: "def initials(name):\n    return ''.join(word[:1].upper() + '.' for word in name.split(' '))",
      visible: ["'ada lovelace'", "'A.L.'", "'grace  hopper'", "'G.H.'"],
      hidden: ["''", "''"],
    },
  ),
  problem('change', 'Fewest coins for an amount from the given coin values; -1 where it cannot be paid.', 'change', {
    right:
      'def change(amount, coins):\n    best = [0] + [None] * amount\n    for n in range(1, amount + 1):\n        found = [best[n - c] for c in coins if c <= n and best[n - c] is not None]\n        best[n] = min(found) + 1 if found else None\n    return -1 if best[amount] is None else best[amount]',
    wrong:
      'def change(amount, coins):\n    count = 0\n    for c in sorted(coins, reverse=True):\n        count += amount // c\n        amount %= c\n    return -1 if amount else count',
    visible: ['6, [1, 3, 4]', '2', '7, [2, 4]', '-1'],
    hidden: ['0, [5]', '0'],
  }),
  problem('rotate', 'The list turned to the right by k places, whatever k is.', 'rotate', {
    right:
      'def rotate(xs, k):\n    if not xs: return []\n    k %= len(xs)\n    return xs[len(xs) - k:] + xs[:len(xs) - k]',
    wrong: 'def rotate(xs, k):\n    return xs[-k:] + xs[:-k]',
    visible: ['[1, 2, 3], 1', '[3, 1, 2]', '[1, 2, 3], 4', '[3, 1, 2]'],
    hidden: ['[], 2', '[]'],
  }),
  problem('balanced', 'Whether the brackets ()[]{} in a text close in the right order.', 'balanced', {
    right:
      "def balanced(text):\n    pairs, open_ = {')': '(', ']': '[', '}': '{'}, []\n    for c in text:\n        if c in '([{': open_.append(c)\n        elif c in pairs:\n            if not open_ or open_.pop() != pairs[c]: return False\n    return not open_",
    wrong: "def balanced(text):\n    return all(text.count(a) == text.count(b) for a, b in ('()', '[]', '{}'))",
    visible: ["'a(b)[c]'", 'True', "'(]['", 'False', "')('", 'False'],
    hidden: ["'([)]'", 'False'],
  }),
  problem('roman', 'A number from 1 to 3999 as a Roman numeral.', 'roman', {
    right:
      "def roman(n):\n    out = ''\n    for v, s in zip((1000,900,500,400,100,90,50,40,10,9,5,4,1), 'M CM D CD C XC L XL X IX V IV I'.split()):\n        out += s * (n // v)\n        n %= v\n    return out",
    wrong:
      "def roman(n):\n    out = ''\n    for v, s in zip((1000,500,100,50,10,5,1), 'MDCLXVI'):\n        out += s * (n // v)\n        n %= v\n    return out",
    visible: ['12', "'XII'", '4', "'IV'"],
    hidden: ['1994', "'MCMXCIV'"],
  }),
  problem('mode_of', 'The most frequent value; of several the one that stands first.', 'mode_of', {
    right: 'def mode_of(xs):\n    return max(xs, key=xs.count)',
    wrong: 'def mode_of(xs):\n    return max(sorted(xs), key=xs.count)',
    visible: ['[2, 2, 1]', '2', '[3, 1, 3, 1]', '3'],
    hidden: ["['b', 'a']", "'b'"],
  }),
  problem('digits_sum', 'The sum of the digits of a whole number, negative ones too.', 'digits_sum', {
    right: 'def digits_sum(n):\n    return sum(map(int, str(abs(n))))',
    wrong:
      'def digits_sum(n):\n    total = 0\n    while n > 0:\n        total += n % 10\n        n //= 10\n    return total',
    visible: ['123', '6', '-45', '9'],
    hidden: ['0', '0'],
  }),
  problem('merge', 'Overlapping or touching ranges [a, b] joined, in order.', 'merge', {
    right:
      'def merge(rs):\n    out = []\n    for a, b in sorted(rs):\n        if out and a <= out[-1][1]: out[-1][1] = max(out[-1][1], b)\n        else: out.append([a, b])\n    return out',
    wrong:
      'def merge(rs):\n    out = []\n    for a, b in sorted(rs):\n        if out and a <= out[-1][1]: out[-1][1] = b\n        else: out.append([a, b])\n    return out',
    visible: ['[[1, 3], [2, 5]]', '[[1, 5]]', '[[1, 9], [2, 3]]', '[[1, 9]]'],
    hidden: ['[]', '[]'],
  }),
  problem('caesar', 'Letters shifted by k in the alphabet, their case kept, all else as it is.', 'caesar', {
    right:
      "def caesar(t, k):\n    def turn(c):\n        if not (c.isascii() and c.isalpha()): return c\n        base = ord('A' if c.isupper() else 'a')\n        return chr((ord(c) - base + k) % 26 + base)\n    return ''.join(map(turn, t))",
    wrong: "def caesar(t, k):\n    return ''.join(chr((ord(c) - 97 + k) % 26 + 97) if c.isalpha() else c for c in t)",
    visible: ["'xyz', 3", "'abc'", "'Hi!', 1", "'Ij!'"],
    hidden: ["'Zz', -26", "'Zz'"],
  }),
  problem('is_leap', 'Whether a year of the Gregorian calendar is a leap year.', 'is_leap', {
    right: 'def is_leap(y):\n    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)',
    wrong: 'def is_leap(y):\n    return y % 4 == 0',
    visible: ['2024', 'True', '1900', 'False'],
    hidden: ['2000', 'True'],
  }),
  problem('second_largest', 'The second largest different value, None where there is none.', 'second_largest', {
    right: 'def second_largest(xs):\n    s = sorted(set(xs))\n    return s[-2] if len(s) > 1 else None',
    wrong: 'def second_largest(xs):\n    return sorted(xs)[-2] if len(xs) > 1 else None',
    visible: ['[1, 5, 3]', '3', '[4, 4, 2]', '2'],
    hidden: ['[9]', 'None'],
  }),
  problem('transpose', 'The rows of a table as columns.', 'transpose', {
    right: 'def transpose(m):\n    return [list(row) for row in zip(*m)]',
    wrong: 'def transpose(m):\n    return [[m[j][i] for j in range(len(m))] for i in range(len(m))]',
    visible: ['[[1, 2], [3, 4]]', '[[1, 3], [2, 4]]', '[[1, 2, 3]]', '[[1], [2], [3]]'],
    hidden: ['[]', '[]'],
  }),
  problem('primes_below', 'All primes below n in order.', 'primes_below', {
    right:
      'def primes_below(n):\n    return [k for k in range(2, n) if all(k % d for d in range(2, int(k ** 0.5) + 1))]',
    wrong: 'def primes_below(n):\n    return [k for k in range(2, n) if all(k % d for d in range(2, int(k ** 0.5)))]',
    visible: ['8', '[2, 3, 5, 7]', '12', '[2, 3, 5, 7, 11]'],
    hidden: ['2', '[]'],
  }),
  problem('flatten', 'A list of lists of any depth as one list.', 'flatten', {
    right: 'def flatten(xs):\n    return [y for x in xs for y in (flatten(x) if isinstance(x, list) else [x])]',
    wrong: 'def flatten(xs):\n    return [y for x in xs for y in (x if isinstance(x, list) else [x])]',
    visible: ['[1, [2, 3]]', '[1, 2, 3]', '[1, [2, [3]]]', '[1, 2, 3]'],
    hidden: ['[[], [[]]]', '[]'],
  }),
  problem('count_words', 'How often each word occurs, whatever its case, as a dict.', 'count_words', {
    right:
      'def count_words(t):\n    out = {}\n    for w in t.lower().split(): out[w] = out.get(w, 0) + 1\n    return out',
    wrong: 'def count_words(t):\n    out = {}\n    for w in t.split(): out[w] = out.get(w, 0) + 1\n    return out',
    visible: ["'a b a'", "{'a': 2, 'b': 1}", "'The the'", "{'the': 2}"],
    hidden: ["''", '{}'],
  }),
  problem('binary_gap', 'The longest run of zeros between two ones in the binary form of n.', 'binary_gap', {
    right: "def binary_gap(n):\n    return max(map(len, bin(n)[2:].strip('0').split('1')), default=0)",
    wrong: "def binary_gap(n):\n    return max(map(len, bin(n)[2:].split('1')), default=0)",
    visible: ['9', '2', '8', '0'],
    hidden: ['0', '0'],
  }),
  problem('clock_angle', 'The smaller angle in degrees between the hands of a clock.', 'clock_angle', {
    right: 'def clock_angle(h, m):\n    d = abs((h % 12) * 30 + m / 2 - m * 6)\n    return min(d, 360 - d)',
    wrong: 'def clock_angle(h, m):\n    return abs((h % 12) * 30 + m / 2 - m * 6)',
    visible: ['3, 0', '90', '9, 0', '90', '11, 0', '30'],
    hidden: ['12, 30', '165'],
  }),
  problem('median', 'The median of numbers in any order.', 'median', {
    right:
      'def median(xs):\n    s, n = sorted(xs), len(xs)\n    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2',
    wrong: 'def median(xs):\n    return sorted(xs)[len(xs) // 2]',
    visible: ['[3, 1, 2]', '2', '[1, 2, 3, 4]', '2.5'],
    hidden: ['[5]', '5'],
  }),
  problem('compress', 'Runs of letters as letter and count; the text itself where that is not shorter.', 'compress', {
    right:
      "from itertools import groupby\ndef compress(t):\n    s = ''.join(k + str(len(list(g))) for k, g in groupby(t))\n    return s if len(s) < len(t) else t",
    wrong:
      "from itertools import groupby\ndef compress(t):\n    return ''.join(k + str(len(list(g))) for k, g in groupby(t))",
    visible: ["'aaab'", "'aaab'", "'aaaa'", "'a4'"],
    hidden: ["''", "''"],
  }),
];

/** `visible` and `hidden` alternate between arguments and expected results. */
function problem(
  name: string,
  task: string,
  called: string,
  cases: { right: string; wrong: string; visible: string[]; hidden: string[] },
): Problem {
  const test = (prefix: string, values: string[]) =>
    values.flatMap((value, at) =>
      at % 2 === 0 ? [`def ${prefix}_${at / 2 + 1}():\n    assert ${called}(${value}) == ${values[at + 1]}\n`] : [],
    );
  const tests = [...test('test_case', cases.visible), ...test('test_hidden', cases.hidden)].join('\n');
  return { name, task, tests, right: cases.right, wrong: cases.wrong, fails: `assert ${called}(` };
}
