import type { ModelFailure } from './call/model-caller.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** What to do about a failed test, for somebody who stands before the provider's settings: no run waits for it. */
export function testRemedy(
  failure: Pick<ModelFailure, 'kind' | 'remedy'>,
  configuration: ProviderConfiguration,
): string {
  const isLocal = configuration.kind === 'openai-compatible' && configuration.apiKey === null;
  switch (failure.kind) {
    case 'no_key':
      return 'Enter its key below, then test again.';
    case 'unauthorized':
      return isLocal
        ? 'The server asks for a key and none is stored: enter it below, then test again.'
        : 'Most often the key was deleted, or belongs to another workspace. Make a new one in the provider’s console, enter it below, then test again.';
    case 'forbidden':
      return 'Look in the provider’s console what the key may do and whether its account has credit, then test again.';
    case 'rate_limited':
      return 'The key is known. Wait a minute, or check its quota in the provider’s console, then test again.';
    case 'timeout':
      return 'A local server may still be loading the model: wait, then test again. Otherwise check that the address is right and that nothing between blocks it.';
    case 'unavailable':
      return 'The address is right, its server has trouble: wait, then test again.';
    case 'network':
      if (configuration.baseUrl === null)
        return 'Check that this machine reaches the internet, and that no firewall is between, then test again.';
      return 'Check that the server is running and that host and port of the base URL are right, then test again. From inside a container this machine’s localhost is another one.';
    case 'empty':
      return 'It answers, but with nothing: try another of its models.';
    default:
      return failure.remedy.replace(/(?:, | ?; ?)?then resume the run\.$/, ', then test again.');
  }
}
