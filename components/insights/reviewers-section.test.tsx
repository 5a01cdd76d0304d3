import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Judgement, reviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import { ReviewersSection } from './reviewers-section.tsx';

/** Each letter is the judgement of an item by a person: yes or no. */
function agreementOf(words: Record<string, string>) {
  const judgements = Object.entries(words).flatMap(([name, letters]) =>
    Array.from(letters, (letter, index): Judgement => {
      return { thing: `${index}`, person: name, name, says: letter === 'y' ? 'yes' : 'no' };
    }),
  );
  return reviewerAgreement(judgements);
}

const NONE = agreementOf({});

test.each([
  ['one reviewer always chose the same side', 'yyyyyyyy', '0.00, no interval', 'one of the two always gave the same'],
  ['both always agree', 'yynyynyy', '1.00, no interval', 'both always gave the same answer'],
])('explains why kappa has no interval if %s', (_name, ada, value, words) => {
  const preferences = agreementOf({ Ada: ada, Bo: 'yynyynyy' });
  const html = renderToStaticMarkup(<ReviewersSection reviewers={{ opinions: NONE, scores: NONE, preferences }} />);
  expect(html).toContain(value);
  expect(html.split(words)).toHaveLength(2);
});
