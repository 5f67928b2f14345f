import { z } from 'zod';
import { Secret } from '#platform/crypto';

/** Longer ones are none that anybody issues; what is stored and sent with every call is bounded by it. */
const TOKEN_LENGTH_MAX = 8_192;
/** Ten years: what lasts longer is a mistake, and no date. */
const LIFETIME_MAX_SECONDS = 315_360_000;

const token = z
  .string()
  .min(1)
  .max(TOKEN_LENGTH_MAX)
  // Of an Authorization header (RFC 6750 calls it b68token; providers use more of what is visible).
  .regex(/^[\x21-\x7e]+$/);

const tokenAnswer = z.object({
  access_token: token,
  token_type: z.string().refine((type) => type.toLowerCase() === 'bearer'),
  expires_in: z.coerce.number().nonnegative().max(LIFETIME_MAX_SECONDS).nullish(),
  refresh_token: token.nullish(),
  scope: z.string().max(TOKEN_LENGTH_MAX).nullish(),
});

/** RFC 6749, 5.1. */
export interface TokenAnswer {
  accessToken: Secret;
  accessExpiresAt: Date | null;
  refreshToken: Secret | null;
  /** null = the answer names none: as asked for. */
  scopes: string[] | null;
}

/** @throws when it is no token answer; what it says is in no message. */
export function readTokenAnswer(answer: unknown, now: Date): TokenAnswer {
  const parsed = tokenAnswer.safeParse(answer);
  if (!parsed.success) throw new Error('no token answer');
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope } = parsed.data;
  const text = scope ?? null;
  return {
    accessToken: new Secret(access),
    accessExpiresAt: typeof seconds === 'number' ? new Date(now.getTime() + seconds * 1_000) : null,
    refreshToken: typeof refresh === 'string' ? new Secret(refresh) : null,
    // The standard wants spaces; commas are seen as well.
    scopes: text === null ? null : text.split(/[\s,]+/).filter((one) => one !== ''),
  };
}
