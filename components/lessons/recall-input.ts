/** What is asked of the library by what was typed; a number that is none goes as it is, so that the answer can name it. */
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
