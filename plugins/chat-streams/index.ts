import { clock, definePlugin, ids } from '../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../auth/port.ts'
import { chatRunner } from '../chat/port.ts'
import { toCommitContext } from '../draft/port.ts'
import { meters } from '../metrics/port.ts'
import { scope } from '../scope/port.ts'
import { chatStreams } from './port.ts'
import { routes } from './routes.ts'
import { StreamOptions } from './schemas.ts'
import { createChatStreams } from './service.ts'

/** Chat streams: a request is parked, runs once a client follows it, and is streamed to all followers. */
export default definePlugin({
  name: 'chat-streams',
  tag: 'Chat',
  options: StreamOptions,
  env: ProxyVariables,
  needs: { runner: chatRunner, scope, clock, ids },
  gives: { chatStreams, runs: meters, readers: meters },
  routes,
}).setup(({ needs: { runner, scope, clock, ids }, options, env, log, signal }) => {
  const streams = createChatStreams({ runner, scope, clock, ids, log, limits: options })
  signal.addEventListener('abort', streams.stopAll, { once: true })
  return {
    gives: {
      chatStreams: streams,
      runs: {
        name: 'orchestrator_chat_runs',
        help: 'Runs of chat: parked until their first reader comes, active, or ended and still readable.',
        kind: 'gauge',
        labels: ['state'],
        read() {
          const { readers: _readers, ...states } = streams.counts()
          return Object.entries(states).map(([state, value]) => ({ labels: { state }, value }))
        },
      },
      readers: {
        name: 'orchestrator_chat_streams',
        help: 'Open streams of GET /chat/stream.',
        kind: 'gauge',
        read: () => [{ value: streams.counts().readers }],
      },
    },
    handlers: {
      start(call) {
        const {
          body,
          header,
          caller: { limits },
        } = call
        const { actor } = toCommitContext('/chat/start', call)
        const sender = { origin: header('origin'), actor, holder: shareHolder(call, env.TRUST_PROXY), limits }
        return { status: 200, body: { streamId: streams.start(body, sender) } }
      },
      stream(call) {
        const {
          query: { streamId, afterSeq, session, siteId },
          header,
          caller: { limits },
          signal,
        } = call
        const scope = { session, siteId: siteId ?? limits?.site }
        // Sent by EventSource when it reconnects; a value that is not a number is ignored.
        const [after = afterSeq] =
          header('last-event-id')
            ?.match(/^\d{1,15}$/)
            ?.map(Number) ?? []
        const holder = shareHolder(call, env.TRUST_PROXY)
        const request = { streamId, afterSeq: after, origin: header('origin'), holder, scope, signal }
        return { status: 200, body: streams.follow(request) }
      },
      cancel({ body: { siteId, ...of }, caller: { limits } }) {
        return { status: 200, body: { status: streams.cancel({ ...of, siteId: siteId ?? limits?.site }) } }
      },
    },
    close: streams.close,
  }
})
