import { Exchanges, type ExchangeSession } from '#exchange';
import type { TestApp } from './test-app.js';

/** Replaces parts of all exchange sessions, so that they behave like another exchange. */
export function pretend(app: TestApp, change: (session: ExchangeSession) => Partial<ExchangeSession>): void {
  const exchanges = app.api.get(Exchanges);
  const open = exchanges.open.bind(exchanges);
  exchanges.open = async (...target) => withChange(await open(...target), change);
}

export function stopPretending(app: TestApp): void {
  Reflect.deleteProperty(app.api.get(Exchanges), 'open');
}

/** Returns a proxy of the object with some members replaced. */
export function withChange<T extends object>(real: T, change: (real: T) => Partial<T>): T {
  const changed = change(real);
  return new Proxy(real, { get: (target, name) => (Object.hasOwn(changed, name) ? changed : target)[name as keyof T] });
}
