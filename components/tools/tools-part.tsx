import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import type { McpServerView, OfferedTool } from '#lib/mcp-servers/schema.ts';
import { AddMcpServer, McpSection } from './mcp-section.tsx';

type ToolsPartProps = {
  builtIn: readonly OfferedTool[];
  servers: readonly McpServerView[];
  /** Names of the programs that may be started as servers. */
  commands: readonly string[];
};

/** Lists the tools available to agents: the built-in ones and those of the MCP servers. Adds new servers. */
export function ToolsPart({ builtIn, servers, commands }: ToolsPartProps) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]" aria-labelledby="tools">
      <div className="min-w-0">
        <Pane>
          <PaneHeader titleId="tools" title="Agent tools" />
          <p className="max-w-[70ch] text-ink-2">
            Experiments with an agent choose which tools it can use. Built in are{' '}
            {builtIn.map(({ name }, at) => (
              <span key={name}>
                {at === 0 ? '' : at === builtIn.length - 1 ? ' and ' : ', '}
                <code className="whitespace-nowrap">{name}</code>
              </span>
            ))}
            . Other tools come from MCP servers. Agents see the tool descriptions from the last test, so a server cannot
            change them without you. Hone cannot undo what a tool does elsewhere. Require approval for such tools.
          </p>
        </Pane>
        {servers.length === 0 ? (
          <PaneNote>No MCP servers yet.</PaneNote>
        ) : (
          servers.map((server) => <McpSection key={server.name} server={server} commands={commands} />)
        )}
      </div>
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader>
            <h3>Add MCP server</h3>
          </PaneHeader>
          <AddMcpServer commands={commands} />
        </Pane>
      </div>
    </Columns>
  );
}
