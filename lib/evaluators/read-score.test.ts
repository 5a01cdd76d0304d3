import { describe, expect, test } from 'vitest';
import { readScore } from './read-judge-response.ts';

describe('readScore', () => {
  test.each<[string, string, number | null]>([
    ['a labelled decimal', 'score: 0.85', 0.85],
    ['upper case', 'SCORE: 0.85', 0.85],
    ['no space after the colon', 'Score:0.85', 0.85],
    ['an equals sign', 'Score = 0.85', 0.85],
    ['a word in between', 'The score is 0.85', 0.85],
    ['score of at the line start', 'Score of 0.85', 0.85],
    ['a dash in between', 'Score - 0.85', 0.85],
    ['an arrow', 'Score → 0.85', 0.85],
    ['a trailing full stop', 'Score: 0.85.', 0.85],
    ['a reason in brackets after it', 'Score: 0.85 (clear and complete)', 0.85],
    ['a reason after a dash', 'Score: 0.85 - clear, but 2 steps are missing', 0.85],
    ['a reason after a comma', 'Score: 0.85, because of 3 slips', 0.85],
    ['a decimal comma', 'score: 0,85', 0.85],
    ['no leading zero', 'score: .85', 0.85],
    ['one', 'score: 1', 1],
    ['1.0', 'score: 1.0', 1],
    ['zero', 'score: 0', 0],
    ['out of ten with a slash', 'Score: 8/10', 0.8],
    ['out of ten with spaces', 'Score: 8 / 10', 0.8],
    ['a decimal out of ten', 'Score: 8.5/10', 0.85],
    ['a decimal comma out of ten', 'Score: 8,5/10', 0.85],
    ['out of ten in words', 'Score: 7 out of 10', 0.7],
    ['out of five', 'Score: 4/5', 0.8],
    ['out of a hundred', 'Score: 85/100', 0.85],
    ['out of one', 'Score: 0.85/1', 0.85],
    ['out of 1.0', 'Score: 0.85/1.0', 0.85],
    ['the maximum of the scale', 'Score: 10/10', 1],
    ['a percentage', 'Score: 85%', 0.85],
    ['a percentage with a space', 'Score: 85 %', 0.85],
    ['a percentage in words', 'Score: 85 percent', 0.85],
    ['a decimal percentage', 'Score: 87.5%', 0.875],
    ['the scale next to the label', 'Score (out of 10): 7', 0.7],
    ['the range next to the label', 'Score (0-1): 0.7', 0.7],
    ['the range to 100 next to the label', 'Score (0-100): 70', 0.7],
    ['a bold label', '**Score:** 0.85', 0.85],
    ['a bold line', '**Score: 0.85**', 0.85],
    ['a bold value', 'Score: **0.85**', 0.85],
    ['a heading', '## Score: 0.85', 0.85],
    ['a bullet', '- Score: 0.85', 0.85],
    ['a numbered line', '1. Score: 0.85', 0.85],
    ['a quoted line', '> Score: 0.85', 0.85],
    ['a table row', '| Score | 0.85 |', 0.85],
    ['inline code', '`score: 0.85`', 0.85],
    ['a JSON line', '"score": 0.85,', 0.85],
    ['prose before', 'The text has 3 flaws and 12 sentences.\nScore: 0.4', 0.4],
    ['prose after', 'Score: 0.4\nIt has 3 flaws and scores low on 2 of 5 points.', 0.4],
    ['the same score twice', 'Score: 0.4\nSo: it is fair.\nScore: 0.4', 0.4],
    ['a final score takes precedence', 'Score: 0.4\nScore: 0.6\nFinal score: 0.5', 0.5],
    ['an overall score', 'Overall score: 0.5', 0.5],
    ['my final rating', 'My final rating: 4/5', 0.8],
    ['Windows line endings', 'Fine.\r\nScore: 0.4\r\n', 0.4],
    ['only a decimal', '0.85', 0.85],
    ['only a decimal and white space', '\n  0.85 \n', 0.85],
    ['only a ratio', '8/10', 0.8],
    ['only "out of"', '7 out of 10', 0.7],
    ['only a percentage', '85%', 0.85],
    ['only 1', '1', 1],
    ['a line that is only a ratio', 'Good work.\n8/10\nKeep it up.', 0.8],
    ['a line that is only a decimal', 'Good work.\n\n0.85', 0.85],

    ['above 1', 'score: 1.2', null],
    ['a whole number without a scale', 'score: 7', null],
    ['85 without a scale', 'score: 85', null],
    ['below 0', 'score: -0.2', null],
    ['above the scale', 'score: 11/10', null],
    ['above 100%', 'score: 120%', null],
    ['a scale of 0', 'score: 8/0', null],
    ['a range', 'score: 0.8-0.9', null],
    ['a range with spaces', 'score: 0.8 - 0.9', null],
    ['a range in words', 'score: 0.8 to 0.9', null],
    ['a date', 'score: 8/10/2024', null],
    ['a version number', 'score: 0.8.5', null],
    ['points without a scale', 'score: 1 point', null],
    ['words', 'score: five', null],
    ['not applicable', 'score: N/A', null],
    ['nothing after the label', 'score:', null],
    ['two different scores', 'Score: 0.4\nScore: 0.6', null],
    ['two lines with different scores', '0.4\n0.6', null],
    ['numbers in prose', 'It has 3 flaws in 12 sentences, 0.5 at best.', null],
    ['a ratio in prose', '8/10 readers would stop here.', null],
    ['a percentage in prose', '85% of it is fine.', null],
    ['a score within a sentence', 'Compared with a score of 0.4 before, it is better.', null],
    ['an earlier score within a sentence', 'The previous score: 0.4 was too low.', null],
    ['a longer word', 'underscore: 0.5', null],
    ['scores of something else', 'Scores: 0.5', null],
    ['a list number alone on its line', 'Flaws:\n1\n2', null],
    ['a year', '2024', null],
    ['empty', '', null],
    ['only white space', ' \n ', null],
    ['infinity', 'score: Infinity', null],
    ['not a number', 'score: NaN', null],
  ])('%s', (_name, text, expected) => {
    const read = readScore(text);
    if (expected === null) expect(read).toBeNull();
    else expect(read).toBeCloseTo(expected, 10);
  });

  test.each<[string, string, string, number | null]>([
    ['a name', 'Clarity: 7 out of 10', 'clarity', 0.7],
    ['a name with score', 'clarity score: 0.7', 'clarity', 0.7],
    ['an underscore as a space', 'Edge cases: 0.7', 'edge_cases', 0.7],
    ['a name in bold', '- **edge_cases**: 0.7', 'edge_cases', 0.7],
    ['pattern characters in the name', 'C++ (style): 0.7', 'C++ (style)', 0.7],
    ['another name', 'Tone: 0.7', 'clarity', null],
    ['one of several', 'clarity: 0.7\ntone: 0.9', 'tone', 0.9],
    ['a name within prose', 'For clarity: 0.7 seems right', 'clarity', null],
    ['an unnamed score', '0.7', 'clarity', null],
    ['a longer name', 'clarity of tone: 0.7', 'clarity', null],
    ['letters of other scripts', 'Klarheit für Laien: 0,7', 'klarheit für laien', 0.7],
  ])('named: %s', (_name, text, label, expected) => {
    expect(readScore(text, label)).toBe(expected);
  });

  test('reads a long hostile line quickly', () => {
    const started = performance.now();
    expect(readScore(`score${' '.repeat(200_000)}x`)).toBeNull();
    expect(readScore(`${'*_'.repeat(100_000)}score: 0.5`)).not.toBe(0.4);
    expect(readScore('score: '.repeat(50_000))).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
