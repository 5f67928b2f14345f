import { accessKinds, type AccessKind, type ExchangeSpec } from '#exchange';
import type { KeyWarning } from '../session/connect-view.js';

/**
 * Compares the permissions of a key with the wanted access. Returns null when they match, or when the exchange does not
 * report permissions.
 * - Reading is certain, because the call that reported the permissions was a read.
 * - An unknown permission counts as surplus, because it may allow anything.
 * - Access that no permission of the exchange gives is not reported as missing.
 */
export function permissionMismatch(
  { permissionAccess }: Pick<ExchangeSpec, 'permissionAccess'>,
  permissions: readonly string[],
  wanted: readonly AccessKind[],
): KeyWarning | null {
  if (permissions.length === 0) return null;
  const can = new Set<AccessKind>(['read', ...permissions.flatMap((name) => permissionAccess[name] ?? [])]);
  const given = new Set(Object.values(permissionAccess).flat());
  const unknown = permissions.filter((name) => permissionAccess[name] === undefined);
  const tooMuch = accessKinds.filter((kind) => can.has(kind) && !wanted.includes(kind));
  const tooLittle = wanted.filter((kind) => !can.has(kind) && given.has(kind));
  if (tooMuch.length === 0 && tooLittle.length === 0 && unknown.length === 0) return null;
  return { tooMuch, tooLittle, unknown, permissions: [...permissions] };
}
