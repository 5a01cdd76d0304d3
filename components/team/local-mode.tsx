import { CodeBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';

/** Shown instead of the team page in local mode. Explains how to set up a team. */
export function LocalMode() {
  return (
    <Pane className="border-b-0" data-testid="local-mode">
      <Notice title="Hone runs in local mode">
        There is one user, the owner, without sign-in. Only this machine can open Hone.
      </Notice>
      <h2 className="mt-5 mb-2">Switch to team mode</h2>
      <p className="prose mb-2 text-ink-2">
        Start Hone in team mode. It keeps all data. The first start prints a link that makes you the first owner. You
        then invite the other members on the Team page.
      </p>
      <CodeBlock>{`echo "HONE_MODE=team" >> .env
echo "HONE_SECRET=$(openssl rand -hex 32)" >> .env
echo "APP_URL=https://hone.example.com" >> .env
npm start`}</CodeBlock>
      <ul className="mt-2 list-disc pl-5 text-ink-2 text-sm">
        <li>
          Keep a copy of <code>HONE_SECRET</code>, because all processes and later starts need the same value. It
          replaces the key file of local mode, so enter the keys of providers again.
        </li>
        <li>
          <code>APP_URL</code> is the address that people open. Put a proxy with TLS in front of it. Hone listens on
          127.0.0.1 unless you set <code>HONE_HOST</code>.
        </li>
      </ul>
    </Pane>
  );
}
