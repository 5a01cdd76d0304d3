/** What a model is asked: who it is to be, and the question. */
export type Prompt = { instructions: string; prompt: string };
