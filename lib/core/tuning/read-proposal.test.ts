import { expect, test } from 'vitest';
import { readProposal } from './read-proposal.ts';

const FENCED = 'It says too little.\n\n~~~~\nSort it: {{input}}\n~~~~';

test.each<{ name: string; text: string; prompt: string; diagnosis?: string; problem?: string; cut?: boolean }>([
  { name: 'diagnosis and prompt', text: FENCED, prompt: 'Sort it: {{input}}', diagnosis: 'It says too little.' },
  { name: 'text after the prompt', text: `${FENCED}\nThat is all.`, prompt: 'Sort it: {{input}}' },
  { name: 'Windows line endings', text: FENCED.replaceAll('\n', '\r\n'), prompt: 'Sort it: {{input}}' },
  {
    name: 'a longer fence with an info string',
    text: '~~~~~text\nA {{input}}\n  ~~~~~',
    prompt: 'A {{input}}',
    diagnosis: '',
  },
  { name: 'a fence within the prompt', text: '~~~~\nA\n~~~~\nB\n~~~~', prompt: 'A\n~~~~\nB', diagnosis: '' },
  { name: 'an escaped closing tag', text: '~~~~\nEnd with <\u200b/task>\n~~~~', prompt: 'End with </task>' },
  { name: 'no fence', text: 'I would leave it.', prompt: '', diagnosis: 'I would leave it.', problem: 'unreadable' },
  { name: 'an empty response', text: '', prompt: '', diagnosis: '', problem: 'unreadable' },
  { name: 'an empty prompt', text: 'So.\n~~~~\n  \n~~~~', prompt: '', problem: 'empty' },
  { name: 'an unclosed fence', text: 'So.\n~~~~\nSort it', prompt: 'Sort it', problem: 'truncated' },
  { name: 'truncated before the prompt', text: 'It says', prompt: '', problem: 'truncated', cut: true },
  {
    name: 'truncated, although it looks complete',
    text: FENCED,
    prompt: 'Sort it: {{input}}',
    problem: 'truncated',
    cut: true,
  },
])('$name', ({ text, prompt, diagnosis, problem, cut }) => {
  const read = readProposal(text, cut ? 'length' : 'stop');
  expect(read.prompt).toBe(prompt);
  expect(read.problem?.kind ?? null).toBe(problem ?? null);
  if (diagnosis !== undefined) expect(read.diagnosis).toBe(diagnosis);
});
