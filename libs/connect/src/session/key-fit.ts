import { accessKinds, type AccessKind, type ExchangeSpec } from '#exchange';
import type { KeyWarning } from './connect-view.js';

/**
 * How what a key can do differs from what is wanted; null = it does not, or the exchange does not tell. That it can read
 * is shown by the call that told it.
 */
export function unfitOf(
  { permissionAccess }: Pick<ExchangeSpec, 'permissionAccess'>,
  permissions: readonly string[],
  wanted: readonly AccessKind[],
): KeyWarning | null {
  if (permissions.length === 0) return null;
  const can = new Set<AccessKind>(['read', ...permissions.map((name) => permissionAccess[name] ?? 'read')]);
  const tooMuch = accessKinds.filter((kind) => can.has(kind) && !wanted.includes(kind));
  const tooLittle = wanted.filter((kind) => !can.has(kind));
  if (tooMuch.length === 0 && tooLittle.length === 0) return null;
  return { tooMuch, tooLittle, permissions: [...permissions] };
}
