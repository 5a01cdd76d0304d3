import { BUILT_IN_TOOLS, type BuiltInTool } from '#lib/core/agents/base-settings.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { calculatorTool } from './calculator/calculate.ts';
import { httpGetTool } from './http-get-tool.ts';
import { javascriptTool } from './javascript-tool.ts';
import { lessonSearchTool, type SearchLessons } from './lesson-search-tool.ts';
import type { Tool } from './toolbox.ts';

type BuiltInOptions = {
  httpHosts: readonly string[];
  addresses: AddressRules;
  resolve?: Resolve | undefined;
  searchLessons: SearchLessons;
};

/** Factories of the built-in tools. */
const MAKERS = {
  calculator: () => calculatorTool,
  javascript: () => javascriptTool,
  lesson_search: ({ searchLessons }) => lessonSearchTool(searchLessons),
  http_get: ({ httpHosts, addresses, resolve }) =>
    httpGetTool({ hosts: httpHosts, rules: { ...addresses, neverLoopback: true }, resolve }),
} satisfies Record<BuiltInTool, (options: BuiltInOptions) => Tool>;

/** Returns all built-in tools. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  return BUILT_IN_TOOLS.map((name) => MAKERS[name](options));
}
