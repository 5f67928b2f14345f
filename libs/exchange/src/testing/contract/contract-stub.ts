import type { ServerResponse } from 'node:http';
import { parseExactly } from '../../transport/exact-json.js';
import { StubExchange, type Behaviour, type ReceivedCall } from '../stub-exchange.js';
import type { Answer, Answers, DocumentedCall, ExchangeContract, ParameterForm, Reply } from './exchange-contract.js';

/** An exchange that responds as documented, and checks each request against the documentation. */
export class ContractStub {
  /** The differences between the received requests and the documentation. */
  readonly problems: string[] = [];
  private readonly documented: ExchangeContract['calls'];
  private readonly signatureProblem: ReturnType<ExchangeContract['signature']['check']>;

  private constructor(
    private readonly contract: ExchangeContract,
    private readonly stub: StubExchange,
  ) {
    this.signatureProblem = contract.signature.check();
    stub.otherwise = (call, response) => {
      this.problems.push(`${call.route} is not documented`);
      send(response, { status: 404, body: '' });
    };
    this.documented = { ...contract.calls, ...contract.otherAccounts?.calls };
    for (const [route, { answer }] of Object.entries(this.documented)) this.on(route, answering(answer));
  }

  static async start(contract: ExchangeContract): Promise<ContractStub> {
    return new ContractStub(contract, await StubExchange.start());
  }

  get url(): string {
    return this.stub.url;
  }

  /** All requests, or those of one route. */
  calls(route?: string): ReceivedCall[] {
    const calls = route === undefined ? this.stub.calls : this.stub.callsOf(route);
    return calls.map((call) => this.readable(call));
  }

  /** Forgets the requests so far. */
  forget(): void {
    this.stub.calls.length = 0;
  }

  /** Replaces the responses of some routes. */
  answer(answers: Answers): void {
    for (const [route, answer] of Object.entries(answers)) this.on(route, answering(answer));
  }

  /** Replaces the behaviour of one route, after its request was checked. */
  on(route: string, behaviour: Behaviour): void {
    const documented = this.documented[route];
    this.stub.on(route, (received, response) => {
      const call = this.readable(received);
      const problems = documented === undefined ? ['it is not documented'] : this.problemsOf(call, documented);
      this.problems.push(...problems.map((problem) => `${route}: ${problem}`));
      return behaviour(call, response);
    });
  }

  close(): Promise<void> {
    return this.stub.close();
  }

  /** Moves the parameters of a request into its body, for an exchange whose requests carry them elsewhere. */
  private readable(call: ReceivedCall): ReceivedCall {
    const { jsonOf } = this.contract.signature;
    if (jsonOf === undefined) return call;
    const body = jsonOf(call);
    return { ...call, body, json: JSON.parse(body) as unknown };
  }

  private problemsOf(call: ReceivedCall, { parameters, isPublic }: DocumentedCall): string[] {
    const sent = valuesOf(call);
    const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(parameters, name));
    const wrong = Object.entries(parameters).flatMap(([name, form]) => problemOfValue(name, sent[name], form) ?? []);
    const caller = isPublic === true ? this.problemOfPublicCall(call) : this.problemOfSignature(call);
    return [...unknown.map((name) => `no parameter ${name}`), ...wrong, ...(caller === null ? [] : [caller])];
  }

  private problemOfPublicCall(call: ReceivedCall): string | null {
    const key = this.contract.signature.keyOf(call);
    return key === null ? null : `needs no key, and was sent with the key ${key}`;
  }

  private problemOfSignature(call: ReceivedCall): string | null {
    const key = this.contract.signature.keyOf(call);
    const credentials = this.contract.credentials.find(({ apiKey }) => apiKey.reveal() === key);
    return credentials === undefined ? `signed with the key ${key}` : this.signatureProblem(call, credentials);
  }
}

/** Makes the behaviour that sends a given response. */
export function answering(answer: Answer): Behaviour {
  return (call, response) => send(response, typeof answer === 'function' ? answer(call) : answer);
}

export function send(response: ServerResponse, { status, body, headers }: Reply): undefined {
  response.writeHead(status, headers).end(body);
}

/** The value of a parameter, and whether it is a member of a JSON body. Query and form have texts only. */
interface SentValue {
  readonly value: unknown;
  readonly isJson: boolean;
}

function valuesOf({ json, params }: ReceivedCall): Record<string, SentValue> {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return Object.fromEntries([
    ...Object.entries(params).map(([name, value]): [string, SentValue] => [name, { value, isJson: false }]),
    ...members.map(([name, value]: [string, unknown]): [string, SentValue] => [name, { value, isJson: true }]),
  ]);
}

/** The parameters of a request as texts. Numbers of JSON have exactly the digits that were sent. */
export function textsOf({ body, json, params }: ReceivedCall): Record<string, string> {
  if (typeof json !== 'object' || json === null) return { ...params };
  const exact = parseExactly(body) as Record<string, unknown>;
  const texts = Object.entries(exact).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { ...params, ...Object.fromEntries(texts) };
}

function problemOfValue(name: string, sent: SentValue | undefined, form: ParameterForm): string[] | null {
  if (sent === undefined) return form.endsWith('?') ? null : [`${name} is missing`];
  const kind = form.replace('?', '');
  return isOfForm(sent, kind) ? null : [`${name} is no ${kind}: ${JSON.stringify(sent.value)}`];
}

function isOfForm({ value, isJson }: SentValue, form: string): boolean {
  switch (form) {
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'decimal':
      return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
    case 'integer':
      return isJson ? Number.isSafeInteger(value) : /^\d+$/.test(String(value));
    case 'boolean':
      return isJson ? typeof value === 'boolean' : value === 'true' || value === 'false';
    default:
      return isJson && typeof value === form;
  }
}
