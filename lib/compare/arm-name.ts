/** An arm of a comparison: an experiment at one version of its settings; null: the latest version that has ended runs. */
export type ArmName = { experimentId: string; version: number | null };

const ARM = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:@([1-9]\d{0,6}))?$/i;

/** An arm as it is written in addresses: `experimentId` or `experimentId@version`. */
export function readArmName(text: string): ArmName | null {
  const [, experimentId, version] = ARM.exec(text.trim()) ?? [];
  if (experimentId === undefined) return null;
  return { experimentId: experimentId.toLowerCase(), version: version === undefined ? null : Number(version) };
}

/** How an arm is written in addresses. */
export function writeArmName({ experimentId, version }: ArmName): string {
  return version === null ? experimentId : `${experimentId}@${version}`;
}
