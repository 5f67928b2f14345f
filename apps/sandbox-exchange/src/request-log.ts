/** Number of calls that the control API lists; older ones are dropped. */
const KEPT = 1000;

/** One call as the control API lists it, without secrets. */
export interface LoggedRequest {
  endpoint: string;
  /** The last four characters of the key. */
  apiKeyHint: string | null;
  at: string;
  /** `ok`, the error of the response, or `dropped`; `pending` until the response is sent. */
  outcome: string;
  fault: string | null;
}

/** The most recent calls, oldest first. */
export class RequestLog {
  private requests: LoggedRequest[] = [];

  add(request: LoggedRequest): LoggedRequest {
    this.requests.push(request);
    if (this.requests.length > KEPT) this.requests.shift();
    return request;
  }

  list(endpoint?: string): LoggedRequest[] {
    return this.requests.filter((request) => endpoint === undefined || request.endpoint === endpoint);
  }

  clear(): void {
    this.requests = [];
  }
}
