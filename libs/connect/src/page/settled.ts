import { DomainError, NotFound } from '#platform/errors';
import { InvalidState, QrCodeUnavailable } from '../session/connect.errors.js';

/**
 * Runs a step. Returns null for most domain errors, such as a failed attempt or a session that another request has
 * moved, because the next page shows them. Throws the errors which mean that this browser may not use the session. Also
 * throws when no QR code is available; `PageErrorFilter` then redirects browsers to the page of the session.
 */
export async function settled<T>(step: Promise<T>): Promise<T | null> {
  try {
    return await step;
  } catch (error) {
    const isTold = [NotFound, InvalidState, QrCodeUnavailable].some((kind) => error instanceof kind);
    if (error instanceof DomainError && !isTold) return null;
    throw error;
  }
}
