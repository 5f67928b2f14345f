import { Exchanges, type ExchangeSession } from '#exchange';
import type { TestApp } from './test-app.js';

/** What sessions show otherwise than the exchange that is played, as far as another exchange would differ from it. */
export function pretend(app: TestApp, change: (session: ExchangeSession) => Partial<ExchangeSession>): void {
  const exchanges = app.api.get(Exchanges);
  const open = exchanges.open.bind(exchanges);
  exchanges.open = async (...target) => withChange(await open(...target), change);
}

export function stopPretending(app: TestApp): void {
  Reflect.deleteProperty(app.api.get(Exchanges), 'open');
}

/** The same object, but for what is changed. */
export function withChange<T extends object>(real: T, change: (real: T) => Partial<T>): T {
  const changed = change(real);
  return new Proxy(real, {
    get: (target, name) => (Object.hasOwn(changed, name) ? changed : target)[name as keyof T],
  });
}
