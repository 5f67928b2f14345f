/** A second host that serves the same API and the same accounts. */
export interface OtherHost {
  /** The origin of the usual host. */
  readonly usual: string;
  readonly other: string;
  /** The path of a documented public call, by which a host shows that it serves. */
  readonly probe: string;
}

/** How long a process waits until it tries the hosts again if none of them has responded. */
const TRY_AGAIN_MS = 60_000;

interface Choice {
  readonly origin: Promise<string>;
  /** From this moment on the hosts are tried again; null = the choice stays until the process ends. */
  tryAgainAtMs: number | null;
}

interface Asking {
  /** Sends a request to exactly this address, without a choice of hosts. @throws when there is no response */
  readonly get: (url: string) => Promise<{ readonly status: number; readonly body: string }>;
  readonly nowMs: () => number;
  /** Called when a process uses another host than the usual one. */
  readonly onOther: (host: OtherHost) => void;
}

/**
 * Chooses the host of each exchange that documents two. The hosts are tried before the first request of a process, and
 * the first one that serves is used until the process ends: a request never moves to another host. Limits, pauses and
 * nonces belong to the usual address, whichever host is used, because the exchange counts by account.
 */
export class HostChoice {
  private readonly choices = new Map<string, Choice>();

  constructor(
    private readonly hosts: readonly OtherHost[],
    private readonly asking: Asking,
  ) {}

  /** The same address at the host that this process uses. */
  async at(url: string): Promise<string> {
    const host = this.hosts.find(({ usual }) => url === usual || url.startsWith(`${usual}/`));
    return host === undefined ? url : (await this.originOf(host)) + url.slice(host.usual.length);
  }

  private originOf(host: OtherHost): Promise<string> {
    const made = this.choices.get(host.usual);
    const isCurrent = made !== undefined && (made.tryAgainAtMs === null || this.asking.nowMs() < made.tryAgainAtMs);
    if (isCurrent) return made.origin;
    const choice: Choice = {
      origin: this.choose(host).then((origin) => {
        if (origin === null) choice.tryAgainAtMs = this.asking.nowMs() + TRY_AGAIN_MS;
        return origin ?? host.usual;
      }),
      tryAgainAtMs: null,
    };
    this.choices.set(host.usual, choice);
    return choice.origin;
  }

  /** The first host that serves; null = none of them has responded as an API does. */
  private async choose(host: OtherHost): Promise<string | null> {
    for (const origin of [host.usual, host.other]) {
      if (!(await this.serves(origin + host.probe))) continue;
      if (origin === host.other) this.asking.onOther(host);
      return origin;
    }
    return null;
  }

  /** A proxy or a block page responds with another status, or with a text that is no JSON. */
  private async serves(url: string): Promise<boolean> {
    try {
      const { status, body } = await this.asking.get(url);
      JSON.parse(body);
      return status === 200;
    } catch {
      return false;
    }
  }
}
