import { DomainError, NotFound } from '#platform/errors';
import { InvalidState, QrCodeUnavailable } from '../session/connect.errors.js';

/**
 * Runs a step. Most domain errors return null, because the next page shows them: a failed attempt, or a session that
 * was moved meanwhile. Errors that mean that this browser may not use the session are thrown. An unavailable QR code is
 * thrown, too; for browsers `PageErrorFilter` redirects to the page.
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
