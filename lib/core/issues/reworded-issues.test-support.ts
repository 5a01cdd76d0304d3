/** Five problems of one text, each in the wordings of a judge for successive versions. */
export const REWORDED: readonly (readonly [string, string, string, string])[] = [
  [
    'The guide gives no example of a request that exceeds the limit.',
    'There is still no example of a request over the limit.',
    'An example request that exceeds the limit is missing.',
    'Lacks a concrete example request above the limit.',
  ],
  [
    'The introduction is too long and delays the main point.',
    'An overly long introduction still delays the main point.',
    'The main point comes late because the intro is too long.',
    'The long introduction keeps readers from the main point.',
  ],
  [
    'Retry headers are not explained.',
    'It never explains the retry headers.',
    'No explanation of retry headers is given.',
    'The retry headers still go unexplained.',
  ],
  [
    'The tone is too formal for new users.',
    'For new users the tone remains overly formal.',
    'Too formal a tone for users who are new.',
    'The formal tone does not suit new users.',
  ],
  [
    'The claim that limits improve reliability is not supported by evidence.',
    'No evidence supports the claim that limits improve reliability.',
    'The reliability claim about limits lacks supporting evidence.',
    'Evidence is missing for the claim on reliability and limits.',
  ],
];

/** Five problems of the next version of that text, all different from the five above. */
export const OTHERS: readonly string[] = [
  'The closing paragraph addresses developers in the third person.',
  'Two table rows contradict each other.',
  'A link to the status page is broken.',
  'Quotas are given in minutes and in seconds without need.',
  'The code sample uses a library that is no longer maintained.',
];
