import { expect, test } from 'vitest';
import { readNumber } from './read-number.ts';

test.each<[string, string, number | null]>([
  ['a number', '42', 42],
  ['surrounding white space', ' 42\n', 42],
  ['a decimal', '3.25', 3.25],
  ['no leading zero', 'about .5', 0.5],
  ['a hyphen as minus sign', '-7', -7],
  ['a Unicode minus sign', '−7', -7],
  ['a minus sign with a space', 'It is - 7', -7],
  ['the last number of a difference', '12-7', 7],
  ['a hyphen within a word', 'GPT-4', 4],
  ['thousands separators', '1,234,567', 1234567],
  ['thousands separators and decimals', '1,234.5', 1234.5],
  ['a list of numbers without thousands', '1, 2, 3', 3],
  ['a currency amount', '$1,200', 1200],
  ['a negative currency amount', '-$5', -5],
  ['a percentage', '85%', 85],
  ['an exponent', '6.02e23', 6.02e23],
  ['a negative exponent', '1e-3', 0.001],
  ['a trailing full stop', 'The answer is 42.', 42],
  ['the last of several numbers', '17 × 23 = 391', 391],
  ['a number in brackets', 'Finish[395]', 395],
  ['a unit with a power', 'The area is 25 m2.', 25],
  ['a unit with a power in TeX', 'The area is $50\\,\\text{cm}^{2}$.', 50],
  ['a compound unit', '12 kg/m^3', 12],
  ['a digit of a name is a number', 'GPT4', 4],
  ['thousands in TeX', '\\boxed{1{,}234.50}', 1234.5],
  ['thousands with a thin space in TeX', '12\\,500', 12500],
  ['thousands with a narrow space', '10\u202f000 €', 10000],
  ['thousands with spaces', 'Soit 1 234 567 €', 1234567],
  ['thousands with apostrophes', "CHF 1'234", 1234],
  ['separate numbers with spaces', '1 2 300', 300],
  ['a decimal comma', 'etwa 3,14', 3.14],
  ['a decimal comma after thousands', '1.234,56 €', 1234.56],
  ['a list without spaces', '1,2,3', 3],
  ['a power of ten', '3 × 10^8', 3e8],
  ['a power of ten in TeX', '$6.02 \\times 10^{23}$', 6.02e23],
  ['a negative power of ten', '2.5 \\cdot 10^{-3}', 0.0025],
  ['a power of ten alone', '10^6', 1e6],
  ['a fraction', 'The probability is 3/4.', 0.75],
  ['a fraction in TeX', '\\boxed{\\frac{3}{8}}', 0.375],
  ['the final answer of MATH before a check', 'So \\boxed{72}. Check: 48 + 24 are 2 terms', 72],
  ['the last of several boxes', '\\boxed{1}, then \\boxed{-\\frac{1}{2}} for 3 apples', -0.5],
  ['a box without a number', '\\boxed{\\text{none}} of 4', 4],
  ['an open box', '\\boxed{5 of 6', 6],
  ['the final answer of GSM8K before a remark', '48 + 24 = 72\n#### 72\nThat is 3 dozen twice.', 72],
  ['a final answer with a currency', 'It costs $1,234.50.\n#### $1,234.50\nSold in 2 months.', 1234.5],
  ['the final answer of GSM8K on the last line', '48 + 24 = 72\n#### 72 \n\n', 72],
  ['a heading of Markdown that is a number', '#### 2024\nRevenue was 50', 50],
  ['a heading of Markdown after text', 'Revenue by year:\n\n#### 2024\n\nIt was 50', 50],
  ['a heading of Markdown', '#### 1. Add\nIt is 7', 7],
  ['numbered headings of Markdown', '#### 1.\nAdd.\n#### 2.\nIt is 7', 7],
  ['many open boxes', `${'\\boxed{'.repeat(20_000)}8`, 8],
  ['thousands with repeated dots', 'etwa 1.000.000 Euro.', 1_000_000],
  ['one dot', '1.000', 1],
  ['a time', 'It leaves at 8:30.', 8.5],
  ['a full hour', '14:00', 14],
  ['a range with spaces', '10 - 20', 20],
  ['a range of amounts', '$10 - $20', 20],
  ['a difference with a negative number', '10 -20', -20],
  ['a power', '2^{10}', 1024],
  ['a power in raised characters', '5²', 25],
  ['a negative power in raised characters', '10⁻²', 0.01],
  ['a power of thousands', '1,000^2', 1_000_000],
  ['the power of a variable', 'x² = 9', 9],
  ['a coefficient', '5x²', 5],
  ['a unit with a raised power', '25 m²', 25],
  ['a square root in TeX', '\\boxed{2\\sqrt{3}}', 2 * Math.sqrt(3)],
  ['a fraction with a square root in TeX', '\\frac{\\sqrt{3}}{2}', Math.sqrt(3) / 2],
  ['a square root', 'about √16', 4],
  ['a multiple of π', '$9\\pi$', 9 * Math.PI],
  ['a fraction with π', '\\frac{3\\pi}{4}', (3 * Math.PI) / 4],
  ['a fraction of π', '\\frac{\\pi}{4}', Math.PI / 4],
  ['the name of π after an answer', 'It is 78.5, with π rounded.', 78.5],
  ['a negative fraction', '-1/2', -0.5],
  ['a mixed number', 'about 1 1/2 cups', 1.5],
  ['a mixed number in TeX', '\\boxed{2\\frac{1}{2}}', 2.5],
  ['a mixed number with a space in TeX', '$-3\\,\\dfrac{3}{4}$', -3.75],
  ['a mixed number with thousands', '1,234 1/4', 1234.25],
  ['a mixed number with hundreds', 'about 1 100/200', 1.5],
  ['a mixed number with thousandths', '12 125/1000', 12.125],
  ['a negative mixed number with hundreds', '−3 250/500', -3.5],
  ['thousands with a space in a quotient', '1 200/100', 12],
  ['thousands in a quotient', '1,200/100', 12],
  ['a number before an improper fraction', '2 3/2', 1.5],
  ['a fraction as one character', 'about ½', 0.5],
  ['a mixed number with a fraction as one character', '2¾ cups', 2.75],
  ['a mixed number with a space and a fraction as one character', '-3 ⅜', -3.375],
  ['a fraction slash', '1⁄4', 0.25],
  ['a fraction without braces in TeX', '\\frac12', 0.5],
  ['a mixed number without braces in TeX', '3\\frac14', 3.25],
  ['a fraction with braces only below in TeX', '\\frac1{72}', 1 / 72],
  ['a negative fraction in TeX', '-\\frac{1}{2}', -0.5],
  ['a name before a fraction', 'GPT4 1/2', 0.5],
  ['a date after a number', '3 5/1/2024', 2024],
  ['a date is no fraction', '5/1/2024', 2024],
  ['a division by zero', '1/0', 0],
  ['no number', 'no number', null],
  ['empty text', '', null],
  ['a number that is too large', '1e9999', null],
])('%s', (_name, text, expected) => {
  expect(readNumber(text)).toBe(expected);
});

test('parses hostile texts quickly', () => {
  const startedAt = process.threadCpuUsage();
  readNumber('1,'.repeat(200_000));
  readNumber('1'.repeat(400_000));
  readNumber(`${'1,111'.repeat(100_000)}x`);
  readNumber('$ '.repeat(200_000));
  readNumber('1 111'.repeat(100_000));
  readNumber('1.111'.repeat(100_000));
  readNumber('1/'.repeat(200_000));
  readNumber('1 1/2'.repeat(100_000));
  readNumber('1\\frac{1}{2}'.repeat(50_000));
  readNumber('1\\frac12'.repeat(50_000));
  readNumber('1½'.repeat(100_000));
  readNumber('1 100/200'.repeat(50_000));
  readNumber('10^'.repeat(100_000));
  readNumber('2√'.repeat(100_000));
  readNumber('1.111.'.repeat(100_000));
  readNumber(`${'1 '.repeat(200_000)}\n#### 7\nand 8`);
  // About 900 ms in linear time. One text in quadratic time takes longer than the limit.
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(4_000);
});
