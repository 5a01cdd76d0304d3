import { describe, expect, test } from 'vitest';
import { readScore } from './read-score.ts';

describe('readScore', () => {
  test.each<[string, string, number | null]>([
    ['a labelled decimal', 'score: 0.85', 0.85],
    ['capitals', 'SCORE: 0.85', 0.85],
    ['no space after the colon', 'Score:0.85', 0.85],
    ['an equals sign', 'Score = 0.85', 0.85],
    ['a word between', 'The score is 0.85', 0.85],
    ['score of at the line start', 'Score of 0.85', 0.85],
    ['a dash between', 'Score - 0.85', 0.85],
    ['an arrow', 'Score → 0.85', 0.85],
    ['a full stop behind', 'Score: 0.85.', 0.85],
    ['a reason in brackets behind', 'Score: 0.85 (clear and complete)', 0.85],
    ['a reason after a dash', 'Score: 0.85 - clear, but 2 steps are missing', 0.85],
    ['a reason after a comma', 'Score: 0.85, because of 3 slips', 0.85],
    ['a comma decimal', 'score: 0,85', 0.85],
    ['no leading zero', 'score: .85', 0.85],
    ['one', 'score: 1', 1],
    ['one point nought', 'score: 1.0', 1],
    ['nought', 'score: 0', 0],
    ['out of ten with a slash', 'Score: 8/10', 0.8],
    ['out of ten with spaces', 'Score: 8 / 10', 0.8],
    ['a decimal out of ten', 'Score: 8.5/10', 0.85],
    ['a comma decimal out of ten', 'Score: 8,5/10', 0.85],
    ['out of ten in words', 'Score: 7 out of 10', 0.7],
    ['out of five', 'Score: 4/5', 0.8],
    ['out of a hundred', 'Score: 85/100', 0.85],
    ['out of one', 'Score: 0.85/1', 0.85],
    ['out of one point nought', 'Score: 0.85/1.0', 0.85],
    ['the top of the scale', 'Score: 10/10', 1],
    ['percent', 'Score: 85%', 0.85],
    ['percent with a space', 'Score: 85 %', 0.85],
    ['percent in words', 'Score: 85 percent', 0.85],
    ['decimal percent', 'Score: 87.5%', 0.875],
    ['the scale beside the label', 'Score (out of 10): 7', 0.7],
    ['the range beside the label', 'Score (0-1): 0.7', 0.7],
    ['the range to a hundred beside the label', 'Score (0-100): 70', 0.7],
    ['a bold label', '**Score:** 0.85', 0.85],
    ['a bold line', '**Score: 0.85**', 0.85],
    ['a bold value', 'Score: **0.85**', 0.85],
    ['a heading', '## Score: 0.85', 0.85],
    ['a bullet', '- Score: 0.85', 0.85],
    ['a numbered line', '1. Score: 0.85', 0.85],
    ['a quoted line', '> Score: 0.85', 0.85],
    ['a table row', '| Score | 0.85 |', 0.85],
    ['code marks', '`score: 0.85`', 0.85],
    ['a JSON line', '"score": 0.85,', 0.85],
    ['prose before', 'The text has 3 flaws and 12 sentences.\nScore: 0.4', 0.4],
    ['prose behind', 'Score: 0.4\nIt has 3 flaws and scores low on 2 of 5 points.', 0.4],
    ['the same score twice', 'Score: 0.4\nSo: it is fair.\nScore: 0.4', 0.4],
    ['a final score beats the others', 'Score: 0.4\nScore: 0.6\nFinal score: 0.5', 0.5],
    ['an overall score', 'Overall score: 0.5', 0.5],
    ['my final rating', 'My final rating: 4/5', 0.8],
    ['Windows line ends', 'Fine.\r\nScore: 0.4\r\n', 0.4],
    ['nothing but a decimal', '0.85', 0.85],
    ['nothing but a decimal and white space', '\n  0.85 \n', 0.85],
    ['nothing but a ratio', '8/10', 0.8],
    ['nothing but out of', '7 out of 10', 0.7],
    ['nothing but percent', '85%', 0.85],
    ['nothing but one', '1', 1],
    ['a line that is only a ratio', 'Good work.\n8/10\nKeep it up.', 0.8],
    ['a line that is only a decimal', 'Good work.\n\n0.85', 0.85],

    ['above one', 'score: 1.2', null],
    ['a whole number without a scale', 'score: 7', null],
    ['eighty-five without a scale', 'score: 85', null],
    ['below nought', 'score: -0.2', null],
    ['more than all', 'score: 11/10', null],
    ['more than all percent', 'score: 120%', null],
    ['a scale of nought', 'score: 8/0', null],
    ['a range', 'score: 0.8-0.9', null],
    ['a range with spaces', 'score: 0.8 - 0.9', null],
    ['a range in words', 'score: 0.8 to 0.9', null],
    ['a date', 'score: 8/10/2024', null],
    ['a version number', 'score: 0.8.5', null],
    ['points without a scale', 'score: 1 point', null],
    ['words', 'score: five', null],
    ['not applicable', 'score: N/A', null],
    ['nothing behind the label', 'score:', null],
    ['two different scores', 'Score: 0.4\nScore: 0.6', null],
    ['two different lines of scores', '0.4\n0.6', null],
    ['numbers in prose', 'It has 3 flaws in 12 sentences, 0.5 at best.', null],
    ['a ratio in prose', '8/10 readers would stop here.', null],
    ['percent in prose', '85% of it is fine.', null],
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
    ['signs of patterns in the name', 'C++ (style): 0.7', 'C++ (style)', 0.7],
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
