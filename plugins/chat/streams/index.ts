import { clock, definePlugin, ids } from '../../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../../auth/port.ts'
import { bus } from '../../bus/port.ts'
import { chatRunner } from '../port.ts'
import { toCommitContext } from '../../draft/port.ts'
import { meters } from '../../metrics/port.ts'
import { scope } from '../../scope/port.ts'
import { store } from '../../store/port.ts'
import { lastSeen } from './resume.ts'
import { routes } from './routes.ts'
import { runTables } from './rows.ts'
import { StreamOptions } from './schemas.ts'
import { createChatStreams } from './service.ts'

/** Chat streams: a request is parked, runs once a client follows it, and is streamed to all followers. */
export default definePlugin({
  name: 'chat-streams',
  tag: 'Chat',
  options: StreamOptions,
  env: ProxyVariables,
  needs: { runner: chatRunner, scope, clock, ids, store, bus },
  gives: { runs: meters, readers: meters },
  collections: Object.values(runTables('chat')),
  routes,
}).setup(({ needs, options, env, log, signal }) => {
  const streams = createChatStreams({ ...needs, log, limits: options })
  signal.addEventListener('abort', streams.stopAll, { once: true })
  return {
    gives: {
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
      async start(call) {
        const {
          body,
          header,
          caller: { limits },
        } = call
        const { actor } = toCommitContext('/chat/start', call)
        const sender = { origin: header('origin'), actor, holder: shareHolder(call, env.TRUST_PROXY), limits }
        return { status: 200, body: { streamId: await streams.start(body, sender) } }
      },
      async stream(call) {
        const {
          query: { streamId, session, siteId },
          header,
          caller: { limits },
          signal,
        } = call
        const scope = { session, siteId: siteId ?? limits?.site }
        const holder = shareHolder(call, env.TRUST_PROXY)
        const afterSeq = lastSeen(header, call.query)
        const origin = header('origin')
        const isBrowser = origin !== undefined || header('sec-fetch-mode') !== undefined
        const request = { streamId, afterSeq, origin, isBrowser, holder, scope, signal }
        return { status: 200, body: await streams.follow(request) }
      },
      async cancel({ body: { siteId, ...of }, caller: { limits } }) {
        const status = await streams.cancel({ ...of, siteId: siteId ?? limits?.site })
        return { status: 200, body: { status } }
      },
    },
    close: streams.close,
  }
})
