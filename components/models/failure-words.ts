import type { ProviderTest } from '#lib/reflection/provider-test.ts';

/** How a test failed, in two words. */
export function failureWords({ failed }: Pick<ProviderTest, 'failed'>): string {
  switch (failed) {
    case 'no_key':
      return 'no key';
    case 'unauthorized':
      return 'key refused';
    case 'forbidden':
      return 'not allowed';
    case 'rate_limited':
      return 'too many calls';
    case 'timeout':
      return 'no answer';
    case 'network':
      return 'no connection';
    case 'no_list':
      return 'no list';
    case 'not_found':
      return 'not found';
    case 'month_budget':
      return 'over budget';
    default:
      return 'failed';
  }
}
