import type { ShownChange } from '#components/compare/compare-address.ts';
import { type ArmName, readArmName, writeArmName } from '#lib/compare/arm-name.ts';
import { CASE_CHANGES, MAX_ARMS } from '#lib/compare/schema.ts';
import { COMPARED_METRICS, type ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import { searchParam } from '../search-param.ts';

/** Parsed URL parameters of a comparison. `ignored`: number of arms that were unreadable or exceed the maximum. */
export type CompareParams = {
  arms: ArmName[];
  ignored: number;
  metric: ComparedMetric | null;
  shown: ShownChange | null;
  caseKey: string | null;
  offset: number;
  isAdding: boolean;
  search: string;
};

const SHOWN_CHANGE_PATTERN = /^([b-e])-(\w+)$/;
const CASE_KEY = /^[0-9a-f]{32}$/;

/** Parses the URL parameters of a comparison and drops invalid ones. `of` may repeat, each time with several comma-separated names. */
export function readCompareParams(params: Record<string, string | string[] | undefined>): CompareParams {
  const named = [params.of ?? []].flat().flatMap((part) => part.split(',').filter((name) => name.trim() !== ''));
  const read = named.flatMap((name) => readArmName(name) ?? []);
  const unique = [...new Map(read.map((arm) => [writeArmName(arm), arm])).values()];
  const arms = unique.slice(0, MAX_ARMS);
  const metric = searchParam(params.metric);
  const caseKey = searchParam(params.case);
  return {
    arms,
    ignored: named.length - read.length + unique.length - arms.length,
    metric: COMPARED_METRICS.find((known) => known === metric) ?? null,
    shown: parseShownChange(searchParam(params.show), arms.length),
    caseKey: caseKey !== null && CASE_KEY.test(caseKey) ? caseKey : null,
    offset: /^\d{1,7}$/.test(searchParam(params.cursor) ?? '') ? Number(searchParam(params.cursor)) : 0,
    isAdding: searchParam(params.add) !== null,
    search: (searchParam(params.q) ?? '').slice(0, 200),
  };
}

function parseShownChange(text: string | null, arms: number): ShownChange | null {
  const [, letter = '', word = ''] = SHOWN_CHANGE_PATTERN.exec(text ?? '') ?? [];
  const index = ' bcde'.indexOf(letter);
  const kind = CASE_CHANGES.find((known) => known === word);
  return index < 1 || index >= arms || kind === undefined ? null : { armIndex: index, kind };
}
