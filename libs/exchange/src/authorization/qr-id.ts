import { Secret } from '#platform/crypto';
import { accessKinds, type AccessKind } from '../port/authorization.port.js';

/** Puts the requested access into the id of a QR login, to compare it with the granted access later. */
export function qrIdOf(exchangeId: Secret, access: readonly AccessKind[]): Secret {
  return new Secret(`${access.join(',')}:${exchangeId.reveal()}`);
}

export function readQrId(id: Secret): { exchangeId: Secret; access: AccessKind[] } {
  const text = id.reveal();
  const end = text.indexOf(':');
  const asked = text.slice(0, end).split(',');
  return { exchangeId: new Secret(text.slice(end + 1)), access: accessKinds.filter((kind) => asked.includes(kind)) };
}
