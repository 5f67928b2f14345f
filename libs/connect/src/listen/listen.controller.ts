import type { OutgoingHttpHeaders } from 'node:http';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ORGANIZATION_HEADER, Public } from '#access';
import { InvalidRequest } from '#platform/errors';
import { ApiErrors } from '#platform/http';
import { StreamConnection, SocketConnection } from './listener-connection.js';
import { EventsQuery, OutcomeQuery, OutcomeResponse, SocketQuery, toOutcomeResponse } from './listen.dto.js';
import type { PlaceClaim } from './listener-places.js';
import { Listeners } from './listeners.js';
import { organizationOf } from './organization-of.js';
import { ReadOutcome } from './read-outcome.js';
import { SOCKET_PATH, Upgrades } from './upgrades.js';

const LAST_EVENT_ID = 'last-event-id';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Disables buffering of the stream in reverse proxies.
  'x-accel-buffering': 'no',
  connection: 'close',
};

/** The stream is text; the data of each event is a message. */
const STREAM = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  contentSchema: { $ref: getSchemaPath('TopicMessageResponse') },
} as const;

/** The three routes share one limit, so that clients cannot poll to avoid the limit of the streams. */
const ACCESS = {
  limit: { name: 'listen', perMinute: 'LISTEN_PER_MINUTE' },
  anyOrigin: true,
  admitsKeys: true,
} as const;

const organizationHeader = ApiHeader({
  name: ORGANIZATION_HEADER,
  required: false,
  description:
    'Id of the organization that the topic belongs to. A client sends it in this header or as `orgId` in the query.',
  schema: { type: 'string', format: 'uuid' },
});

const MEANING =
  'Requires no API key: any client that knows the topic (`idem`) and the organization may listen, including pages of any origin. ' +
  'A client may listen before the first message of a topic. Messages arrive in order and once each, also after a reconnect with the id of the last received message. ' +
  'A client that sends the headers of an API key has places of its own, and the limits of its key instead of those of its address.';

@ApiTags('Connecting')
@Controller()
export class ListenController {
  constructor(
    private readonly readOutcome: ReadOutcome,
    private readonly listeners: Listeners,
    private readonly upgrades: Upgrades,
  ) {}

  @Get('v0/oauth2/status')
  @Public(ACCESS)
  @ApiOperation({
    operationId: 'getOutcome',
    summary: 'Get the outcome of a connect or a withdrawal',
    description:
      'For clients that cannot keep a stream open. It requires no API key: any client that knows the topic (`idem`) and the organization may poll. Therefore it returns only status, type, success and error code. Listeners also get the other members of the messages. The exchange is not called.',
  })
  @organizationHeader
  @ApiOkResponse({ type: OutcomeResponse, description: 'The current outcome.' })
  @ApiErrors('GENERIC_UNAUTHORIZED', 'GENERIC_NOT_FOUND', 'GENERIC_RATE_LIMIT_EXCEEDED')
  async status(
    @Query() query: OutcomeQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OutcomeResponse> {
    void reply.header('cache-control', 'no-store');
    const { idem } = query;
    return toOutcomeResponse(idem, await this.readOutcome.execute(organizationOf(request, query), idem));
  }

  @Get('v0/oauth2/events')
  @Public(ACCESS)
  @RouteConfig({ isHandedOver: true })
  @ApiOperation({
    operationId: 'streamEvents',
    summary: 'Listen to connects and withdrawals by server-sent events',
    description:
      `${MEANING} The data of each event are a \`TopicMessageResponse\`, and the id of the event is its \`messageId\`. ` +
      'Swagger UI waits for the end of a response, so it displays no message before the server closes the connection.',
  })
  @organizationHeader
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'Id of the last message that the client has.' })
  @ApiOkResponse({ description: 'The stream.', content: { 'text/event-stream': { schema: STREAM } } })
  @ApiErrors('GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED')
  async events(@Query() query: EventsQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const organizationId = organizationOf(request, query);
    const { socket } = request.raw;
    const place = await this.listeners.takePlace(socket, claimOf(request));
    void reply.hijack();
    if (place === null) return;
    const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...STREAM_HEADERS };
    reply.raw.writeHead(200, headers);
    if (request.method === 'HEAD') return void reply.raw.end();
    const header = request.headers[LAST_EVENT_ID];
    const lastMessageId = (typeof header === 'string' && header !== '' ? header : query.lastEventId) ?? null;
    const subscription = { organizationId, topic: query.idem, lastMessageId, place };
    this.listeners.add(new StreamConnection(reply.raw), socket, subscription);
  }

  @Get(SOCKET_PATH)
  @Public(ACCESS)
  @RouteConfig({ isHandedOver: true })
  @ApiOperation({
    operationId: 'openSocket',
    summary: 'Listen to connects and withdrawals by WebSocket',
    description: `${MEANING} Each text frame is a \`TopicMessageResponse\`; frames of the client are not read. The server closes the WebSocket with the code 1001 after an hour, and when the process stops; reconnect then.`,
  })
  @organizationHeader
  @ApiResponse({
    status: 101,
    description: 'The connection becomes a WebSocket.',
    content: { 'application/json': { schema: { $ref: getSchemaPath('TopicMessageResponse') } } },
  })
  @ApiErrors('GENERIC_INVALID_REQUEST', 'GENERIC_UNAUTHORIZED', 'GENERIC_RATE_LIMIT_EXCEEDED')
  async socket(@Query() query: SocketQuery, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const organizationId = organizationOf(request, query);
    if (!this.upgrades.isUpgrade(request))
      throw new InvalidRequest('This address serves only WebSockets: send a WebSocket handshake');
    const { socket } = request.raw;
    const place = await this.listeners.takePlace(socket, claimOf(request));
    if (place === null) return void reply.hijack();
    const subscription = { organizationId, topic: query.idem, lastMessageId: query.lastMessageId ?? null, place };
    this.upgrades.accept(request, reply, (opened) =>
      this.listeners.add(new SocketConnection(opened, socket), socket, subscription),
    );
  }
}

function claimOf({ ip, project }: FastifyRequest): PlaceClaim {
  return { ip, organizationOfKey: project?.organizationId ?? null };
}
