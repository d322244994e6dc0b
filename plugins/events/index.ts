import * as v from 'valibot'
import { atMost, countOption, definePlugin, LRUCache, optional } from '../../kernel/index.ts'
import { ProxyVariables, shareHolder } from '../auth/port.ts'
import { bus } from '../bus/port.ts'
import { draftChanged, drafts, runEnded } from '../draft/port.ts'
import { meters } from '../metrics/port.ts'
import { presence } from '../presence/port.ts'
import { following } from '../follow/port.ts'
import { published } from '../publish/port.ts'
import { type DraftId, draftKey, scope } from '../scope/port.ts'
import { store } from '../store/port.ts'
import { routes } from './routes.ts'
import { createStreams } from './service.ts'

const pollIntervalMs = 2_000

/** The live stream of changes of a draft. */
export default definePlugin({
  name: 'events',
  tag: 'Draft',
  options: v.object({
    maxStreams: countOption(10_000),
    maxStreamsPerToken: countOption(1_000),
    maxStreamsPerAddress: countOption(1_000),
  }),
  env: ProxyVariables,
  needs: {
    bus,
    drafts,
    scope,
    store: optional(store),
    presence: optional(presence),
    following: optional(following),
  },
  gives: { open: meters },
  routes,
}).setup(({ needs: { bus, drafts, scope, store, presence, following }, options, env, signal }) => {
  /** The drafts that have followed their site within a second. */
  const current = new LRUCache<string, true>({ ...atMost(options.maxStreams), ttl: 1_000 })
  const follow = (id: DraftId): void => {
    if (!following || current.has(draftKey(id))) return
    current.set(draftKey(id), true)
    void following.follow(id)
  }
  const streams = createStreams({
    drafts,
    followAgain(id) {
      current.delete(draftKey(id))
      follow(id)
    },
    peopleAt: (id) => presence?.at(id) ?? [],
    limits: {
      total: options.maxStreams,
      perToken: options.maxStreamsPerToken,
      perAddress: options.maxStreamsPerAddress,
    },
  })
  bus.subscribe(draftChanged, streams.change, { signal })
  bus.subscribe(published, streams.publish, { signal })
  bus.subscribe(runEnded, streams.endRun, { signal })
  if (store?.channel) {
    const timer = setInterval(() => void streams.poll().catch(() => undefined), pollIntervalMs).unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }
  presence?.onChange(streams.people, { signal })
  return {
    gives: {
      open: {
        name: 'orchestrator_event_streams',
        help: 'Open streams of GET /events.',
        kind: 'gauge',
        read: () => [{ value: streams.count() }],
      },
    },
    handlers: {
      events(call) {
        const { query, header, caller, signal } = call
        const lastEventId = header('last-event-id') ?? query.lastEventId
        const holder = shareHolder(call, env.TRUST_PROXY)
        const id = scope.draft(query)
        follow(id)
        return {
          status: 200,
          body: streams.open(id, {
            lastEventId,
            // Who only watches a draft, by a link of the site, does not see who edits it.
            withPeople: query.presence === '1' && caller.via !== 'draft-secret',
            holder,
            hasToken: caller.id !== undefined,
            signal,
          }),
        }
      },
    },
  }
})
