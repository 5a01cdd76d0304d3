/** Converts the typed values to a recall request. An invalid number is sent as typed, so that the server can report it. */
export function recallInput({ input, agent, taskType, topK }: Record<'input' | 'agent' | 'taskType' | 'topK', string>) {
  const most = Number(topK);
  return {
    input,
    topK: topK.trim() === '' || Number.isNaN(most) ? topK : most,
    scope: {
      agent: agent.trim() === '' ? null : agent.trim(),
      taskType: taskType.trim() === '' ? null : taskType.trim(),
    },
  };
}
