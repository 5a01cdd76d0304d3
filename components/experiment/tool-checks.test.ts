import { expect, test } from 'vitest';
import { groupTools, type ToolChoice } from './tool-checks.tsx';

const tool = (name: string, server: string | null = null): ToolChoice => ({ name, description: '', server });

test.each([
  { name: 'no tools', offered: [], chosen: [], groups: [] },
  {
    name: 'built-in tools first, then servers in their order',
    offered: [tool('wiki__search', 'wiki'), tool('calculator'), tool('docs__find', 'docs'), tool('wiki__page', 'wiki')],
    chosen: ['calculator'],
    groups: [
      [null, ['calculator']],
      ['wiki', ['wiki__search', 'wiki__page']],
      ['docs', ['docs__find']],
    ],
  },
  {
    name: 'a missing tool can still be removed',
    offered: [tool('calculator')],
    chosen: ['gone__tool', 'calculator'],
    groups: [
      [null, ['calculator']],
      [undefined, ['gone__tool']],
    ],
  },
])('groups tools by server: $name', ({ offered, chosen, groups }) => {
  expect(groupTools(offered, chosen).map(({ server, tools }) => [server, tools.map(({ name }) => name)])).toEqual(
    groups,
  );
});
