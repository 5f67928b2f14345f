import { InvalidArgumentError, Option, type Command } from 'commander';
import { Amount } from '#money';
import { InvalidRequest } from '#platform/errors';
import type { PageQuery } from '#platform/http';
import {
  DecideOrder,
  EndOrder,
  ListOrders,
  ShowOrder,
  orderOutcomes,
  orderStates,
  type EndOrderInput,
  type OrderAnswer,
  type OrderDecision,
  type OrderItem,
  type OrderReviewState,
  type ShownOrder,
} from '#trading';
import { addPageOptions, id, textList } from './arguments.js';
import { WITH_EXCHANGES, type RunCommand } from './run-command.js';
import { time, type Columns, type Terminal } from './terminal.js';

const states: readonly OrderReviewState[] = [...orderStates, 'review', 'contradicted', 'unlisted'];

const columns: Columns<OrderItem> = {
  ID: (item) => item.id,
  STATE: stateOf,
  CREATED: (item) => time(item.createdAt),
  PROJECT: (item) => item.projectId,
  WALLET: (item) => item.externalWalletId,
  EXCHANGE: (item) => item.exchange,
  ORDER: (item) => item.orderText,
  'CLIENT ORDER ID': (item) => item.clientOrderId,
  'EXCHANGE ID': (item) => item.exchangeIds.join(' ') || '-',
};

export function addOrdersCommands(program: Command, run: RunCommand): void {
  const orders = program.command('orders').description('orders that wait for an operator');
  addList(orders, run);
  orders
    .command('show')
    .description('show an order: what was sent, what the exchange responded, and what it lists now')
    .argument('<id>', 'id of the order', id)
    .action((orderId: string) =>
      run(
        async ({ app, terminal }) => reportOrder(await app.get(ShowOrder).execute(orderId), terminal),
        WITH_EXCHANGES,
      ),
    );
  addSettle(orders, run);
}

function addList(orders: Command, run: RunCommand): void {
  addPageOptions(
    orders
      .command('list')
      .description('list orders of all projects, the oldest first')
      .option(
        '--state <list>',
        `${states.join(', ')}; separate several by commas. review: the outcome is unknown and not settled by evidence; contradicted: reported as refused or never placed, and shown by the exchange in the last seven days; unlisted: ended, and the exchange no longer shows whether it was executed`,
        stateList,
        ['review', 'contradicted', 'unlisted'],
      )
      .option('--wallet <id>', 'the caller’s id of a wallet (default: every wallet)'),
  ).action(({ state, wallet = null, ...page }: PageQuery & { state: OrderReviewState[]; wallet?: string | null }) =>
    run(
      async ({ app, terminal }) =>
        terminal.list(await app.get(ListOrders).execute({ states: state, externalWalletId: wallet, page }), columns),
      WITH_EXCHANGES,
    ),
  );
}

interface SettleOptions {
  by: string;
  outcome: OrderDecision | 'ended';
  exchangeId?: string;
  executed?: Amount;
  cost?: Amount;
  reason?: string;
  confirmNotPlaced?: true;
}

function addSettle(orders: Command, run: RunCommand): void {
  orders
    .command('settle')
    .description('decide about an order in review, or how an unlisted order ended; recorded in the audit log')
    .argument('<id>', 'id of the order', id)
    .requiredOption('--by <name>', 'who decides')
    .addOption(
      new Option(
        '--outcome <outcome>',
        'placed: the exchange has the order, or had it, and the worker follows it from now on; not_placed: the exchange has never had it; ended: how an unlisted order ended',
      )
        .choices([...orderOutcomes, 'ended'])
        .makeOptionMandatory(),
    )
    .option('--exchange-id <id>', 'with placed: the exchange’s own id of the order')
    .option(
      '--reason <text>',
      'what you have found; required with not_placed and ended, and if the exchange does not show the id',
    )
    .option('--executed <volume>', 'with ended: the whole executed volume, 0 if nothing was executed', amount)
    .option('--cost <amount>', 'with ended: the cost of this volume; needed if it was not reported', amount)
    .option('--confirm-not-placed', 'with not_placed: you have checked at the exchange that it has never had the order')
    .action((orderId: string, options: SettleOptions) =>
      run(async ({ app, terminal }) => {
        const { by: operator, outcome, exchangeId = null, reason = null } = options;
        if (outcome === 'ended') await app.get(EndOrder).execute(endOf(orderId, options));
        else {
          const isAbsenceConfirmed = options.confirmNotPlaced === true;
          await app
            .get(DecideOrder)
            .execute({ id: orderId, operator, outcome, exchangeId, reason, isAbsenceConfirmed });
        }
        reportOrder(await app.get(ShowOrder).execute(orderId), terminal);
      }, WITH_EXCHANGES),
    );
}

function endOf(id: string, { by: operator, executed, cost, reason }: SettleOptions): EndOrderInput {
  if (executed !== undefined && reason !== undefined)
    return { id, operator, executedVolume: executed, cost: cost ?? null, reason };
  throw new InvalidRequest('ended needs --executed with the executed volume, and --reason with what you have found');
}

function amount(text: string): Amount {
  try {
    return text === '0' ? Amount.zero : Amount.parseInput(text);
  } catch {
    throw new InvalidArgumentError('Use a decimal number such as 0.25.');
  }
}

/** Prints an order for the operator who decides about it; as JSON, with all fields. */
function reportOrder(shown: ShownOrder, terminal: Terminal): void {
  if (terminal.isJson) return terminal.value(shown);
  const { order, atExchange } = shown;
  terminal.fields('ORDER', {
    id: order.id,
    state: order.state,
    status: `${order.status} (${order.rawStatus})`,
    project: order.projectId,
    wallet: order.externalWalletId,
    exchange: order.exchange,
    order: order.orderText,
    'client order id': order.clientOrderId,
    'exchange id': order.exchangeIds.join(' ') || '-',
    created: time(order.createdAt),
    sent: time(order.sentAt),
    'next check': time(order.nextCheckAt),
    contradicted: time(order.contradictedAt),
    request: JSON.stringify(order.request),
    answer: JSON.stringify(order.placeAnswer),
  });
  terminal.remark('THE EXCHANGE NOW');
  terminal.remark(textOf(atExchange));
  if (atExchange.kind === 'shown' && atExchange.order !== null) {
    const { exchangeId, status, rawStatus, volume, executedVolume, openedAt } = atExchange.order;
    terminal.fields('ITS ORDER', {
      'exchange id': exchangeId,
      status: `${status} (${rawStatus})`,
      volume: volume.toString(),
      executed: executedVolume.toString(),
      opened: time(openedAt),
    });
  }
}

function textOf(answer: OrderAnswer): string {
  switch (answer.kind) {
    case 'erased':
      return 'the credentials that sent the order are erased, so the exchange cannot be queried';
    case 'refused':
      return `the exchange refuses the key of the wallet: ${answer.reason}`;
    case 'unavailable':
      return `the exchange cannot be queried, so it may or may not have the order: ${answer.reason}`;
    case 'shown':
      return answer.order === null ? 'the exchange does not list the order' : 'the exchange has the order';
  }
}

function stateOf({ isInReview, isUnlisted, contradictedAt, state }: OrderItem): OrderReviewState {
  if (isInReview) return 'review';
  if (isUnlisted) return 'unlisted';
  return contradictedAt === null ? state : 'contradicted';
}

function stateList(text: string): OrderReviewState[] {
  return textList(text).map((part) => {
    const state = states.find((known) => known === part);
    if (state === undefined)
      throw new InvalidArgumentError(`Use states from ${states.join(', ')}, separated by commas.`);
    return state;
  });
}
