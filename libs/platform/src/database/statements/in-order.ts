/**
 * Waits for work that runs at the same time. When some of it fails, throws the failure of the one that is first in the
 * list, after all have ended, as if one had run after the other.
 */
export async function inOrder<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  const settled = await Promise.allSettled(work);
  return settled.map(valueOf) as { -readonly [Index in keyof Work]: Awaited<Work[Index]> };
}

/** The value of settled work. @throws its failure */
export function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
