import { BUILT_IN_TOOLS, type BuiltInTool } from '#lib/core/agents/base-settings.ts';
import type { AddressRules, Resolve } from '#lib/outgoing/outgoing-address.ts';
import { calculatorTool } from './calculator-tool.ts';
import { httpGetTool } from './http-get-tool.ts';
import { javascriptTool } from './javascript-tool.ts';
import { lessonSearchTool, type SearchLessons } from './lesson-search-tool.ts';
import type { Tool } from './toolbox.ts';

export type BuiltInOptions = {
  httpHosts: readonly string[];
  addresses: AddressRules;
  resolve?: Resolve | undefined;
  searchLessons: SearchLessons;
};

/** Hone's own tools, all of them. */
export function builtInTools(options: BuiltInOptions): Tool[] {
  return BUILT_IN_TOOLS.map((name) => builtInTool(name, options));
}

function builtInTool(name: BuiltInTool, { httpHosts, addresses, resolve, searchLessons }: BuiltInOptions): Tool {
  switch (name) {
    case 'calculator':
      return calculatorTool;
    case 'javascript':
      return javascriptTool;
    case 'lesson_search':
      return lessonSearchTool(searchLessons);
    case 'http_get':
      return httpGetTool({ hosts: httpHosts, rules: { ...addresses, neverLoopback: true }, resolve });
  }
}
