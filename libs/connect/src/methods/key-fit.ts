import { accessKinds, type AccessKind, type ExchangeSpec, type KeyInfo } from '#exchange';
import type { KeyWarning } from '../session/connect-view.js';

/**
 * Compares the permissions and settings of a key with the wanted access. Returns null when they match, or when the
 * exchange does not report them.
 * - Settings matter only for access that submits something.
 * - Reading is certain, because the call that reported the permissions was a read.
 * - An unknown permission counts as surplus, because it may allow anything.
 * - Access that no permission of the exchange gives is not reported as missing.
 */
export function permissionMismatch(
  { permissionAccess }: Pick<ExchangeSpec, 'permissionAccess'>,
  { permissions, unsafeSettings = [] }: Pick<KeyInfo, 'permissions' | 'unsafeSettings'>,
  wanted: readonly AccessKind[],
): KeyWarning | null {
  const unsafe = wanted.some((kind) => kind === 'withdrawal' || kind === 'trade') ? unsafeSettings : [];
  if (permissions.length === 0 && unsafe.length === 0) return null;
  const isReported = permissions.length > 0;
  const can = new Set<AccessKind>(['read', ...permissions.flatMap((name) => permissionAccess[name] ?? [])]);
  const given = new Set(Object.values(permissionAccess).flat());
  const unknown = permissions.filter((name) => permissionAccess[name] === undefined);
  const tooMuch = accessKinds.filter((kind) => isReported && can.has(kind) && !wanted.includes(kind));
  const tooLittle = wanted.filter((kind) => isReported && !can.has(kind) && given.has(kind));
  if ([...tooMuch, ...tooLittle, ...unknown, ...unsafe].length === 0) return null;
  return { tooMuch, tooLittle, unknown, permissions: [...permissions], unsafeSettings: [...unsafe] };
}
