import { hash } from 'node:crypto'
import * as v from 'valibot'
import { clock, countOption, definePlugin } from '../../kernel/index.ts'
import { createWindows, keptSecret, ProxyVariables, shareHolder } from '../auth/port.ts'
import { bus } from '../bus/port.ts'
import { scope } from '../scope/port.ts'
import { store } from '../store/port.ts'
import { personSeen, presence } from './port.ts'
import { tooManyPeople, reportedTooOften } from './refusals.ts'
import { createRoster } from './roster.ts'
import { routes } from './routes.ts'

/** Requests a second of one token or address, behind which many people may be. */
const mostPerHolder = 100

/** Who is at a draft, and where. It is advice, and nothing depends on it. */
export default definePlugin({
  name: 'presence',
  tag: 'Draft',
  options: v.object({
    lifetimeMs: countOption(15_000),
    maxPeoplePerDraft: countOption(50),
    maxPeople: countOption(10_000),
  }),
  env: ProxyVariables,
  needs: { bus, clock, scope, store },
  gives: { presence },
  routes,
}).setup(async ({ needs: { bus, clock, scope, store }, options, env, signal }) => {
  const roster = createRoster(options)
  bus.subscribe(
    personSeen,
    ({ person, left, ...id }) => (left ? roster.remove(id, person.client) : roster.see(id, person)),
    { signal },
  )
  const perClient = createWindows({ limit: 1, length: 1000 })
  const perHolder = createWindows({ limit: mostPerHolder, length: 1000 })
  // An address must not be found out from the id that others see, which is the same in all processes.
  const secret = await keptSecret(store, 'presence')
  return {
    gives: { presence: roster },
    handlers: {
      async tell(call) {
        const { client: own, left, session, siteId, ...details } = call.body
        const id = scope.draft({ session, siteId })
        const holder = shareHolder(call, env.TRUST_PROXY) ?? 'unknown'
        const client = hash('sha256', own ?? `${secret} ${holder}`).slice(0, 16)
        const now = clock.now().getTime()
        if (perHolder.count(holder, now) > 0 || (!left && perClient.count(client, now) > 0))
          throw reportedTooOften()
        if (!left && !roster.hasRoom(id, client)) throw tooManyPeople(Math.ceil(options.lifetimeMs / 1000))
        await bus.publish(personSeen, { ...id, person: { client, ...details }, left })
        return { status: 200, body: { client } }
      },
    },
  }
})
