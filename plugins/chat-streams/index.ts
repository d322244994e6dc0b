import * as v from 'valibot'
import { clock, countOption, definePlugin, ids } from '../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../auth/port.ts'
import { chatRunner } from '../chat/port.ts'
import { toCommitContext } from '../draft/port.ts'
import { meters } from '../metrics/port.ts'
import { scope } from '../scope/port.ts'
import { chatStreams } from './port.ts'
import { routes } from './routes.ts'
import { createChatStreams } from './service.ts'

/** Streams of chat: a request is parked, runs once a client follows it, and is streamed to all who do. */
export default definePlugin({
  name: 'chat-streams',
  tag: 'Chat',
  options: v.object({ maxRuns: countOption(1_000), maxRunsPerCaller: countOption(100), maxStreams: countOption(1_000), maxStreamsPerCaller: countOption(100) }),
  env: ProxyVariables,
  needs: { runner: chatRunner, scope, clock, ids },
  gives: { chatStreams, runs: meters, readers: meters },
  routes,
}).setup(({ needs: { runner, scope, clock, ids }, options, env, log, signal }) => {
  const limits = { runs: options.maxRuns, runsOfOne: options.maxRunsPerCaller, readers: options.maxStreams, readersOfOne: options.maxStreamsPerCaller }
  const streams = createChatStreams({ runner, scope, clock, ids, log, limits })
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
          const { parked, active, ended } = streams.counts()
          return Object.entries({ parked, active, ended }).map(([state, value]) => ({ labels: { state }, value }))
        },
      },
      readers: { name: 'orchestrator_chat_streams', help: 'Open streams of GET /chat/stream.', kind: 'gauge', read: () => [{ value: streams.counts().readers }] },
    },
    handlers: {
      start(call) {
        const { actor } = toCommitContext('/chat/start', call)
        const from = { origin: call.header('origin'), actor, holder: shareHolder(call, env.TRUST_PROXY), limits: call.caller.limits }
        return { status: 200, body: { streamId: streams.start(call.body, from) } }
      },
      stream(call) {
        const { query: { streamId, afterSeq, session, siteId = call.caller.limits?.site }, header, signal } = call
        const lastSeen = toSeq(header('last-event-id')) ?? afterSeq
        const body = streams.follow({ streamId, afterSeq: lastSeen, origin: header('origin'), holder: shareHolder(call, env.TRUST_PROXY), scope: { session, siteId }, signal })
        return { status: 200, body }
      },
      cancel: ({ body: { siteId, ...of }, caller }) => ({ status: 200, body: { status: streams.cancel({ ...of, siteId: siteId ?? caller.limits?.site }) } }),
    },
    close: streams.close,
  }
})

/** The number that EventSource sends when it reconnects; anything else is ignored. */
function toSeq(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
}
