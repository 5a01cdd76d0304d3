import { MAIN_AGENT } from '#lib/core/agents/agent-records.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount } from '#lib/format.ts';
import { type Html, html } from './html.ts';

/** Who made the attempts and with which tools; null where each was one call. */
export function agentsPart({ generator }: Pick<ExperimentSettings, 'generator'>): Html | null {
  const { base, provider, model } = generator;
  if (base.type === 'single') return null;
  const workers = base.type === 'supervisor' ? base.workers : [];
  const agents = [
    { name: MAIN_AGENT, model: `${provider}/${model}`, tools: base.tools, maxSteps: base.maxSteps },
    ...workers.map((worker) => ({
      ...worker,
      model: `${worker.provider ?? provider}/${worker.model ?? model}`,
    })),
  ];
  const asked =
    base.approve.length === 0
      ? null
      : html`<p class="note">A person was asked before each use of ${base.approve.join(', ')}.</p>`;
  return html`<h2>Agents</h2><div class="scroll"><table><thead><tr><th scope="col">Agent</th><th scope="col">Model</th><th scope="col">Tools</th><th scope="col" class="n">Turns at most</th></tr></thead><tbody>
${agents.map((agent) => html`<tr><th scope="row">${agent.name}</th><td>${agent.model}</td><td class="w">${agent.tools.length === 0 ? 'none' : agent.tools.join(', ')}</td><td class="n">${formatCount(agent.maxSteps)}</td></tr>`)}</tbody></table></div>${asked}`;
}
