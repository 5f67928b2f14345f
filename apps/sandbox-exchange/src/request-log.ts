const KEPT = 1000;

/** One call as the control API shows it: without secrets. */
export interface LoggedRequest {
  endpoint: string;
  /** The last four characters of the key. */
  apiKeyHint: string | null;
  at: string;
  /** `ok`, the error that was answered, or `dropped`; `pending` while it is not answered. */
  outcome: string;
  fault: string | null;
}

/** The last calls, the oldest first. */
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
