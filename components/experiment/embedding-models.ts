/** Embedding models that are offered, by provider; any other can be named. */
export const EMBEDDING_MODELS: Record<string, string[]> = {
  practice: ['practice-embedding-1'],
  openai: ['text-embedding-3-small', 'text-embedding-3-large'],
  google: ['gemini-embedding-001'],
};
