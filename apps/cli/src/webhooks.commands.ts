import type { Command } from 'commander';
import { Projects } from '#access';
import { Clock } from '#platform/clock';
import { NotFound } from '#platform/errors';
import { EventOutbox, type StoredEvent } from '#platform/events';
import type { PageQuery } from '#platform/http';
import {
  CreateWebhookEndpoint,
  deliveryStates,
  messageOf,
  ResendWebhooks,
  RotateWebhookSecret,
  SECRET_OVERLAP_SECONDS_DEFAULT,
  SECRET_OVERLAP_SECONDS_MAX,
  WebhookDeliveries,
  WebhookEndpoints,
  type DeliveryState,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '#webhook';
import { addPageOptions, id, integer, moment, oneOf, textList } from './arguments.js';
import { WITH_EXCHANGES, type RunCommand } from './run-command.js';
import { time, type Columns } from './terminal.js';

const SHOWN_ONCE = 'The secret is shown only now: the database stores it sealed.';
/** Pause between two reads of new events. */
const LISTEN_PAUSE_MS = 500;
/** Maximum number of events that one read returns. */
const LISTEN_BATCH = 1_000;
/** How far each read goes back, because a transaction may commit its events some seconds after their time. */
const LISTEN_OVERLAP_MS = 15_000;

const columns: Columns<WebhookEndpoint> = {
  ID: (endpoint) => endpoint.id,
  URL: (endpoint) => endpoint.url,
  EVENTS: ({ eventTypes }) => eventTypes.join(',') || 'all',
  CREATED: (endpoint) => time(endpoint.createdAt),
  'FAILING SINCE': (endpoint) => time(endpoint.failingSince),
  DISABLED: ({ disabledAt, disabledReason }) => (disabledAt === null ? '-' : `${time(disabledAt)} ${disabledReason}`),
};

const withSecret: Columns<WebhookEndpoint & { secret: string }> = { ...columns, SECRET: ({ secret }) => secret };

const deliveryColumns: Columns<WebhookDelivery> = {
  ID: (delivery) => delivery.id,
  EVENT: (delivery) => delivery.eventType,
  'EVENT ID': (delivery) => delivery.eventId,
  STATE: (delivery) => delivery.state,
  ATTEMPTS: (delivery) => String(delivery.attempts),
  NEXT: (delivery) => time(delivery.nextAttemptAt),
  CREATED: (delivery) => time(delivery.createdAt),
};

interface ResendOptions {
  from?: Date;
  to?: Date;
  includeDelivered?: boolean;
}

export function addWebhooksCommands(program: Command, run: RunCommand): void {
  const webhooks = program.command('webhooks').description('endpoints that receive the events of a project');
  addEndpointCommands(webhooks, run);
  addDeliveryCommands(webhooks, run);
  addListen(webhooks, run);
}

function addEndpointCommands(webhooks: Command, run: RunCommand): void {
  addPageOptions(
    webhooks
      .command('list')
      .description('list the endpoints of a project, newest first')
      .argument('<project>', 'id of the project', id),
  ).action((projectId: string, page: PageQuery) =>
    run(async ({ app, terminal }) => {
      const project = await app.get(Projects).getContext(projectId);
      terminal.list((await app.get(WebhookEndpoints).list(project.id, page)).endpoints, columns);
    }, WITH_EXCHANGES),
  );

  webhooks
    .command('create')
    .description('create an endpoint; its secret is shown only once')
    .argument('<project>', 'id of the project', id)
    .argument('<url>', 'address that receives the events')
    .option('--events <list>', 'types of events, separated by commas (default: all)', textList)
    .option('--description <text>', 'text for people', '')
    .action((projectId: string, url: string, options: { events?: string[]; description: string }) =>
      run(async ({ app, terminal, actor }) => {
        const { events: eventTypes = [], description } = options;
        const input = { projectId, url, eventTypes, description, actor };
        const { endpoint, secret } = await app.get(CreateWebhookEndpoint).execute(input);
        terminal.one({ ...endpoint, secret: secret.reveal() }, withSecret);
        terminal.remark(SHOWN_ONCE);
      }, WITH_EXCHANGES),
    );

  webhooks
    .command('rotate')
    .description('create a new secret; both secrets sign until the overlap ends')
    .argument('<endpoint>', 'id of the endpoint', id)
    .option(
      '--overlap-seconds <number>',
      'seconds for which the old secret still signs',
      integer(0, SECRET_OVERLAP_SECONDS_MAX),
      SECRET_OVERLAP_SECONDS_DEFAULT,
    )
    .action((endpointId: string, { overlapSeconds }: { overlapSeconds: number }) =>
      run(async ({ app, terminal, actor }) => {
        const rotated = await app.get(RotateWebhookSecret).execute(endpointId, overlapSeconds, actor);
        const { endpoint, secret, previousSignsUntil } = rotated;
        terminal.one({ ...endpoint, secret: secret.reveal(), previousSignsUntil }, withSecret);
        terminal.remark(SHOWN_ONCE);
        terminal.remark(`The old secret signs until ${time(previousSignsUntil)}.`);
      }, WITH_EXCHANGES),
    );
}

function addDeliveryCommands(webhooks: Command, run: RunCommand): void {
  addPageOptions(
    webhooks
      .command('deliveries')
      .description('list the deliveries to an endpoint, newest first')
      .argument('<endpoint>', 'id of the endpoint', id)
      .option('--state <state>', `only deliveries in this state: ${deliveryStates.join(', ')}`, oneOf(deliveryStates)),
  ).action((endpointId: string, { state, ...page }: PageQuery & { state?: DeliveryState }) =>
    run(async ({ app, terminal }) => {
      const endpoint = await app.get(WebhookEndpoints).get(endpointId);
      const { deliveries } = await app.get(WebhookDeliveries).list(endpoint.id, state ?? null, page);
      terminal.list(deliveries, deliveryColumns);
    }, WITH_EXCHANGES),
  );

  webhooks
    .command('resend')
    .description('send one delivery again, or the events of a time range that an endpoint has not accepted')
    .argument('<id>', 'id of a delivery, or of an endpoint with --from', id)
    .option('--from <time>', 'time of the first event', moment)
    .option('--to <time>', 'time after the last event (default: now)', moment)
    .option('--include-delivered', 'also events that the endpoint has accepted')
    .action((target: string, options: ResendOptions, command: Command) => {
      const { from, to, includeDelivered = false } = options;
      if (from === undefined && (to !== undefined || includeDelivered)) {
        command.error('error: --to and --include-delivered need --from');
      }
      return run(async ({ app, terminal, actor }) => {
        const resend = app.get(ResendWebhooks);
        if (from === undefined) {
          if (await isEndpoint(app.get(WebhookEndpoints), target)) {
            command.error(`error: ${target} is an endpoint: add --from, the time of the first event to send again`);
          }
          return terminal.one(await resend.one(target, actor), deliveryColumns);
        }
        const range = { endpointId: target, from, to: to ?? app.get(Clock).now(), includeDelivered };
        const resent = await resend.range({ ...range, actor });
        if (terminal.isJson) return terminal.value(resent);
        terminal.remark(`${resent.count} ${resent.count === 1 ? 'delivery is' : 'deliveries are'} due now.`);
        const { continueFrom } = resent;
        if (continueFrom !== null)
          terminal.remark(`The range has more events: continue with --from ${time(continueFrom)}`);
      }, WITH_EXCHANGES);
    });
}

function isEndpoint(endpoints: WebhookEndpoints, target: string): Promise<boolean> {
  return endpoints.get(target).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFound) return false;
      throw error;
    },
  );
}

function addListen(webhooks: Command, run: RunCommand): void {
  webhooks
    .command('listen')
    .description('print the events of a project as they happen, without an endpoint; ends with Ctrl-C')
    .argument('<project>', 'id of the project', id)
    .option('--from <time>', 'begin with stored events from this time on (default: now)', moment)
    .option('--max <number>', 'end after this many events', integer(1, 1_000_000))
    .action((projectId: string, { from, max = Infinity }: { from?: Date; max?: number }) =>
      run(async ({ app, terminal }) => {
        await app.get(Projects).getContext(projectId);
        const clock = app.get(Clock);
        const feed = new EventFeed(app.get(EventOutbox), projectId, from ?? clock.now());
        terminal.remark('Listening. Each event is one JSON object, as an endpoint receives it.');
        for (let left = max; left > 0;) {
          const events = (await feed.next(clock.now())).slice(0, left);
          for (const event of events) terminal.line(messageOf(event));
          left -= events.length;
          if (left > 0) await clock.sleep(LISTEN_PAUSE_MS);
        }
      }, WITH_EXCHANGES),
    );
}

/** Returns each dispatched event once. */
class EventFeed {
  private seen = new Map<string, Date>();

  constructor(
    private readonly outbox: EventOutbox,
    private readonly projectId: string,
    private from: Date,
  ) {}

  async next(now: Date): Promise<StoredEvent[]> {
    const { projectId, from } = this;
    // The age of the oldest event that is not dispatched. The next read begins earlier by this time, so that a later
    // read returns this event after its dispatch.
    const waitedMs = await this.outbox.backlogMs();
    const to = new Date(now.getTime() + LISTEN_OVERLAP_MS);
    const events = await this.outbox.listBetween({ projectId, from, to, limit: LISTEN_BATCH });
    const fresh = events.filter(({ id: eventId }) => !this.seen.has(eventId));
    for (const event of fresh) this.seen.set(event.id, event.createdAt);
    // After a full batch, the next read begins at the last event of the batch. Otherwise it begins before now, by
    // LISTEN_OVERLAP_MS plus `waitedMs`.
    const isFull = events.length === LISTEN_BATCH;
    const last = isFull ? (events.at(-1)?.createdAt.getTime() ?? 0) : now.getTime() - LISTEN_OVERLAP_MS - waitedMs;
    if (last > from.getTime()) this.from = new Date(last);
    this.seen = new Map([...this.seen].filter(([, createdAt]) => createdAt >= this.from));
    return fresh;
  }
}
