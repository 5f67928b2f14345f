/**
 * Waits until all the promises in `work` have settled. When several fail, throws the failure of the first one in the
 * list, as if their work had run one after the other.
 */
export async function inOrder<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  const settled = await Promise.allSettled(work);
  return settled.map(valueOf) as { -readonly [Index in keyof Work]: Awaited<Work[Index]> };
}

/** Returns the value of a fulfilled promise. @throws the reason of a rejected one */
export function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
