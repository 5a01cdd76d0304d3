import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolAnswer } from '../toolbox.ts';

/** A server's answer as text: what is no text is named; structured content stands for an answer without any. */
export function readMcpAnswer({ content, structuredContent, isError }: CallToolResult): ToolAnswer {
  const parts = content.map(textOf);
  const structured = structuredContent === undefined ? [] : [JSON.stringify(structuredContent)];
  const text = (parts.length > 0 ? parts : structured).join('\n');
  const status = isError === true ? 'failed' : 'ok';
  if (text.trim() !== '') return { status, text };
  return { status, text: status === 'ok' ? 'The tool answered with nothing.' : 'The tool failed and gave no reason.' };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, not shown]`;
    case 'resource_link':
      return `[link to ${block.name}: ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[resource ${block.resource.uri}, ${block.resource.mimeType ?? 'of unknown type'}, not shown]`;
  }
}
