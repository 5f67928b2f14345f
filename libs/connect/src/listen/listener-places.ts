import type { Config } from '#platform/config';
import { RateLimitExceeded } from '#platform/errors';
import { callerOf, subscriberOf } from '#platform/http';
import { CountByKey } from '#platform/load';

/** `Retry-After` when the limit of listeners is reached. */
const FULL_RETRY_SECONDS = 5;
/** Part of LISTENERS_MAX that one IPv6 /48 may use. One person can have a whole /48, with 65,536 times as many /64s. */
const SUBSCRIBER_SHARE = 1 / 4;
/** Part of LISTENERS_MAX that only callers with an API key may use. */
const KEYED_RESERVE = 1 / 4;
/** Part of LISTENERS_MAX that the callers with API keys of one organization may use together. */
const ORGANIZATION_SHARE = 1 / 2;

/** The caller who asks for a place. */
export interface PlaceClaim {
  ip: string;
  /** The organization of the caller's API key; null = the caller has sent no key. */
  organizationOfKey: string | null;
}

/** The place of one listener. */
export interface Place {
  isKeyless: boolean;
  /** Frees the place. Further calls have no effect. */
  free: () => void;
}

/**
 * Counts the places of listeners of this process. Callers without an API key count by their address. Callers with a key
 * count by their organization, so that the limits of an address that they share with others do not apply to them.
 */
export class ListenerPlaces {
  private taken = 0;
  private takenKeyless = 0;
  private readonly takenBy = new CountByKey();

  constructor(private readonly config: Config) {}

  /** @throws RateLimitExceeded when the address or the organization of the caller has all the places it may have */
  requireShare(claim: PlaceClaim): void {
    if (this.sharesOf(claim).some(([key, max]) => this.takenBy.of(key) >= max)) refuse();
  }

  /** Whether a place is free that this caller may take. */
  hasRoomFor({ organizationOfKey }: PlaceClaim): boolean {
    const { LISTENERS_MAX } = this.config.values;
    const keylessMax = LISTENERS_MAX - Math.floor(LISTENERS_MAX * KEYED_RESERVE);
    return this.taken < LISTENERS_MAX && (organizationOfKey !== null || this.takenKeyless < keylessMax);
  }

  /** Takes a place. @throws RateLimitExceeded when no place is free for this caller */
  take(claim: PlaceClaim): Place {
    this.requireShare(claim);
    if (!this.hasRoomFor(claim)) refuse();
    const keys = this.sharesOf(claim).map(([key]) => key);
    const isKeyless = claim.organizationOfKey === null;
    const count = (change: 1 | -1): void => {
      this.taken += change;
      if (isKeyless) this.takenKeyless += change;
      for (const key of keys) {
        if (change === 1) this.takenBy.add(key);
        else this.takenBy.remove(key);
      }
    };
    count(1);
    let isFree = false;
    const free = (): void => {
      if (!isFree) count(-1);
      isFree = true;
    };
    return { isKeyless, free };
  }

  /** The keys under which the caller counts, each with its maximum. */
  private sharesOf({ ip, organizationOfKey }: PlaceClaim): [key: string, max: number][] {
    const { LISTENERS_MAX, LISTENERS_PER_ADDRESS } = this.config.values;
    if (organizationOfKey !== null) {
      return [[`organization ${organizationOfKey}`, Math.max(1, Math.floor(LISTENERS_MAX * ORGANIZATION_SHARE))]];
    }
    return [
      [`address ${callerOf(ip)}`, LISTENERS_PER_ADDRESS],
      [`subscriber ${subscriberOf(ip)}`, Math.max(LISTENERS_PER_ADDRESS, Math.floor(LISTENERS_MAX * SUBSCRIBER_SHARE))],
    ];
  }
}

function refuse(): never {
  throw new RateLimitExceeded(FULL_RETRY_SECONDS);
}
