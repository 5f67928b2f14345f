import { accessKinds, type AccessKind, type ExchangeSpec } from '#exchange';
import type { KeyWarning } from '../session/connect-view.js';

/**
 * How what a key can do differs from what is wanted; null = it does not, or the exchange does not tell. That it can read
 * is shown by the call that told it. What is not known counts as more than is wanted: it may be anything. What no
 * permission of the exchange is for is not missed.
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
