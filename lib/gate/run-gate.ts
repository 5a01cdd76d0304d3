import { z } from 'zod';
import { type Comparison, comparisonSchema, writeArmName } from '#lib/compare/schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { GATE_USAGE, type GateOptions, readGateOptions } from './gate-options.ts';
import { EXIT_CODES, type GateVerdict, judgeGate } from './judge-gate.ts';

/** What the gate says, and what its process ends with: 0 no regression, 1 regression, 2 it can't tell. */
export type GateReport = { exitCode: number; text: string };

/** Asks a running Hone how an experiment stands against its baseline, and judges that. Never throws: what goes wrong is told, with 2. */
export async function runGate(args: readonly string[], env: Record<string, string | undefined>): Promise<GateReport> {
  const options = readGateOptions(args, env);
  if (!options.ok) return { exitCode: EXIT_CODES.unclear, text: `${options.problem.message}\n\n${GATE_USAGE}` };
  if (options.value === 'help') return { exitCode: EXIT_CODES.passed, text: GATE_USAGE };
  const asked = options.value;
  const compared = await fetchComparison(asked);
  if (!compared.ok) {
    const verdict = { outcome: 'unclear', reason: compared.problem.message, result: null } as const;
    return report(verdict, asked, null);
  }
  return report(judgeGate(compared.value, asked), asked, compared.value);
}

const LIMIT_MS = 60_000;
const refusal = z.object({ error: z.object({ message: z.string() }) });

async function fetchComparison(options: GateOptions): Promise<Result<Comparison>> {
  const query = new URLSearchParams({ experimentIds: namesOf(options), limit: '1' });
  if (options.metric !== null) query.set('metric', options.metric);
  try {
    const response = await fetch(`${options.address}/api/v1/compare?${query}`, {
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) {
      const comparison = comparisonSchema.safeParse(body);
      return comparison.success
        ? succeed(comparison.data)
        : fail('unavailable', `What answered at ${options.address} is no Hone of this version.`);
    }
    const refused = refusal.safeParse(body);
    return fail(
      'invalid',
      refused.success ? refused.data.error.message : `Hone at ${options.address} answered with ${response.status}.`,
    );
  } catch {
    return fail(
      'unavailable',
      `Hone did not answer at ${options.address}. Start it there, or name its address with --address.`,
    );
  }
}

function namesOf({ baseline, experiment }: GateOptions): string {
  return `${writeArmName(baseline)},${writeArmName(experiment)}`;
}

const TITLES: Record<GateVerdict['outcome'], string> = {
  passed: 'PASSED: no regression',
  regression: 'REGRESSION',
  unclear: 'CAN’T TELL',
};

function report(verdict: GateVerdict, options: GateOptions, comparison: Comparison | null): GateReport {
  const exitCode = EXIT_CODES[verdict.outcome];
  const [baseline, experiment] = comparison?.arms ?? [];
  const page = `${options.address}/compare?of=${comparison?.arms.map(({ arm }) => arm).join(',') ?? namesOf(options)}`;
  const isPractice = comparison?.arms.some(({ practice }) => practice) ?? false;
  if (options.isJson) {
    const { margin, leastCases } = options;
    const named = (arm: typeof baseline) => (arm === undefined ? null : { arm: arm.arm, name: arm.experimentName });
    return {
      exitCode,
      text: JSON.stringify(
        {
          ...verdict,
          exitCode,
          metric: comparison?.metric ?? options.metric,
          margin,
          leastCases,
          practice: isPractice,
          experiment: named(experiment),
          baseline: named(baseline),
          page,
        },
        null,
        2,
      ),
    };
  }
  const lines = [
    `${TITLES[verdict.outcome]}. ${verdict.reason}`,
    ...(experiment && baseline
      ? [
          `${experiment.experimentName} v${experiment.version} against ${baseline.experimentName} v${baseline.version}${isPractice ? ' (practice data)' : ''}`,
        ]
      : []),
    ...(verdict.result === null ? [] : [verdict.result.reading]),
    page,
  ];
  return { exitCode, text: lines.join('\n') };
}
