import type { ChatRole } from '#lib/core/chat/chat-message.ts';

export const ROLE_LABELS: Record<ChatRole, string> = {
  system: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Tool',
};
