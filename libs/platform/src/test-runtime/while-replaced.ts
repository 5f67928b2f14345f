/**
 * Calls `work` while a member of an object has another value, and puts the member back. Members without a setter can be
 * replaced, too: from Node 24, those of `node:async_hooks` are getters.
 */
export function whileReplaced<T>(target: object, name: string, value: unknown, work: () => T): T {
  const member = Object.getOwnPropertyDescriptor(target, name);
  if (member === undefined) throw new Error(`there is no member ${name}`);
  Object.defineProperty(target, name, { value, configurable: true, enumerable: member.enumerable });
  try {
    return work();
  } finally {
    Object.defineProperty(target, name, member);
  }
}
